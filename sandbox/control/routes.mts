import { clientRoutes } from './clientRoutes.mts';
import { messageRoutes } from './messageRoutes.mts';
import type { Route } from './route.mts';
import { serviceRoutes } from './serviceRoutes.mts';

export const ROUTES: readonly Route[] = [
	{
		method: 'GET',
		path: '/',
		help: 'this list, or the console in a browser',
		act: () => ({ routes: ROUTES.map(({ method, path, help }) => `${method} ${path}: ${help}`) }),
	},
	{
		method: 'GET',
		path: '/events',
		help: 'server-sent events: every request, and the state whenever it changes',
		act: () => {
			throw new Error('/events takes no parameters.');
		},
	},
	...serviceRoutes,
	...clientRoutes,
	...messageRoutes,
];
