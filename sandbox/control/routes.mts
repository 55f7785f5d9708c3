import { clientRoutes } from './clientRoutes.mts';
import type { Route } from './route.mts';
import { serviceRoutes } from './serviceRoutes.mts';

export const ROUTES: readonly Route[] = [
	{
		method: 'GET',
		path: '/',
		help: 'this list; a browser gets the console instead',
		act: () => ({ routes: ROUTES.map(({ method, path, help }) => `${method} ${path}: ${help}`) }),
	},
	...serviceRoutes,
	...clientRoutes,
];
