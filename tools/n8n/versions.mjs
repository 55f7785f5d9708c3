/** The n8n that is started where nobody asks for another. */
export const N8N_VERSION = '2.41.1';

/** The newest of each line that the package works in. */
export const N8N_VERSIONS = [N8N_VERSION, '1.123.80'];
