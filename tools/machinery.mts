/** Imported by npm run e2e. */
export { obtainPrograms } from './cluster/programs.mts';
export { startCommand } from './process/command.mjs';
export { atEnd, end, endOnSignals, isEnding } from './process/lifetime.mjs';
export { obtainN8n } from './n8n/install.mts';
export { packPackage } from './project/package.mts';
