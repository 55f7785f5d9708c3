/** The default version of n8n. */
export const N8N_VERSION = '2.41.1';

/** The newest of each line that the package works in. */
export const N8N_VERSIONS = [N8N_VERSION, '1.123.81'];
