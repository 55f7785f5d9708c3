import type { Condition } from '../../nodes/ClientOnboarding/trigger/conditions';
import type { State } from '../../nodes/ClientOnboarding/trigger/state/state';

const STATUSES = ['Accepted', 'Completed', 'Declined', 'Pending', 'Requested'];

/** A state with so many clients, in so many different conditions; of ten clients, so many have changed. */
export function makeState(clients: number, conditions: number, tenths = 0): State {
	const table = Array.from(
		{ length: conditions },
		(_, index): Condition => ({
			status: conditions > 1_000 ? `Status ${index}` : STATUSES[index % 5],
			isWanted: index % 2 === 0,
			presence: (['listed', 'missing', 'gone'] as const)[index % 3],
			sinceMinutes: 0,
			reminders: index % 3,
			updates: index % 2,
			arrivals:
				index < 10
					? []
					: [
							['completed', Math.floor(index / 10)],
							['constructor', 1],
						],
			departures: index % 4,
		}),
	);
	const marks = Array.from({ length: clients }, (_, index) => (index * 7_919_000_019) % 2 ** 40);
	const condition = (index: number) => {
		const shared = table[(index * index) % conditions];
		return index % 10 < tenths ? { ...shared, sinceMinutes: 29_000_000 + index } : shared;
	};
	return {
		place: 'fedcba9876543210',
		account: '0123456789abcdef',
		events: ['clientCreated', 'requestStatusChanged'],
		salt: 0,
		excess: 0,
		needs: '0.3.0',
		conditions: new Map(marks.map((mark, index) => [mark, condition(index)])),
	};
}
