// Runs before anything imports n8n-core, which reads these at import time.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const folder = mkdtempSync(join(tmpdir(), 'client-onboarding-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_ENCRYPTION_KEY = 'for tests only';
// n8n logs to a file that secrets.mts searches for keys and tokens.
process.env.N8N_LOG_LEVEL = 'debug';
process.env.N8N_LOG_OUTPUT = 'file';
process.env.N8N_LOG_FILE_LOCATION = join(folder, 'n8n.log');
