/** What npm run e2e takes from here. */
export { startCommand } from './command.mjs';
export { atEnd, end, endOnSignals, isEnding } from './lifetime.mjs';
export { obtainN8n } from './n8n-install.mts';
export { packPackage } from './package.mts';
