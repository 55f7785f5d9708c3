export function rightList(clients: number) {
	const results = Array.from(
		{ length: clients },
		(_, index): Record<string, unknown> => ({
			reference_id: `ID ${index}`,
			email: `client-${index}@example.com`,
			client_type: 'company',
			group_name: 'Group',
			group_token: 'group',
			request_status: 'Pending',
			created_at: '2026-01-01T00:00:00.000Z',
		}),
	);
	return {
		status_code: 200,
		message: 'ok',
		data: { page_number: 1, page_limit: 100, total_count: clients, total_pages: 1, results },
	};
}

export function rightToken(token: string) {
	return { status_code: 200, message: 'ok', data: { access_token: token, expires_in: 900 } };
}
