// Lets n8n's scanner for community packages judge a folder; jest cannot load it itself, since it is an ES module.
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const [folder, kind] = process.argv.slice(2);
const { passed, message, details } = await analyzePackage(
	folder,
	kind === 'sources' ? SOURCE_FILE_PATTERNS : undefined,
);
console.log(JSON.stringify({ passed, message, details }));
