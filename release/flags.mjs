import { N8N_VERSIONS } from '../tools/n8n/versions.mjs';
import { declareFlags } from '../tools/terminal/flags.mjs';

const VERSION = /^\d+\.\d+\.\d+$/;

export const FLAGS = declareFlags({
	command: 'npm run release',
	purpose: 'Packs the package, tests the tarball in real n8n servers, and publishes it.',
	flags: {
		dry: { kind: 'boolean', help: 'do everything except the upload' },
		tag: {
			kind: 'text',
			label: 'x.y.z',
			takes: 'a version such as 1.2.3',
			help: 'the tag of this release; set automatically in the Publish workflow',
		},
		tarball: { kind: 'text', label: 'file', help: 'only check this tarball, for example one from the registry' },
		n8n: {
			kind: 'text',
			label: 'x.y.z',
			takes: `a version such as ${N8N_VERSIONS[0]}`,
			pattern: VERSION,
			help: `only this version of n8n instead of ${N8N_VERSIONS.join(' and ')}`,
		},
	},
});

/** @typedef {ReturnType<typeof FLAGS.parse>} Flags */
