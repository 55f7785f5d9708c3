import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { addressId, fingerprint } from './baseUrl';
import type { NodeContext } from './http';
import { CREDENTIAL } from './http';

/** Throws if address or API key cannot work. */
export async function readCredentials(
	context: NodeContext,
	itemIndex: number,
): Promise<ICredentialDataDecryptedObject> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
	try {
		fingerprint(credentials);
		return credentials;
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, {
			itemIndex,
			failure: { cause: 'configuration-invalid' },
		});
	}
}

/** Identifies the list: another environment or address is another place, another API key another account. */
export async function identifyService(
	context: NodeContext,
	itemIndex = 0,
): Promise<{ place: string; account: string }> {
	const credentials = await readCredentials(context, itemIndex);
	return { place: addressId(credentials).slice(0, 16), account: fingerprint(credentials).slice(0, 16) };
}
