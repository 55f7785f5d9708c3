export const REQUEST_STATUSES = ['Pending', 'Declined', 'Completed', 'Accepted', 'Requested'];
export const CLIENT_TYPES = ['individual', 'company'];

export interface Client {
	reference_id: string;
	email: string;
	client_name: string;
	client_type: string;
	group_name: string;
	group_token: string;
	request_status: string;
	client_status: string;
	created_at: string;
}

/** The five statuses are stored capitalized. The setting statusCase decides how they are served. */
export function spellStatus(status: string): string {
	return REQUEST_STATUSES.find((known) => known.toLowerCase() === status.toLowerCase()) ?? status;
}
