// Saves the result of n8n's scanner for community packages. A separate program, since jest cannot load ES modules.
import { writeFileSync } from 'node:fs';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const [folder, kind, file] = process.argv.slice(2);
const { passed, message, details } = await analyzePackage(
	folder,
	kind === 'sources' ? SOURCE_FILE_PATTERNS : undefined,
);
writeFileSync(file, JSON.stringify({ passed, message, details }));
