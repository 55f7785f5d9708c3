import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { deepCopy, ICredentialsHelper, NodeHelpers } from 'n8n-workflow';
import { ClientOnboardingApi } from '../../credentials/ClientOnboardingApi.credentials';

const type = new ClientOnboardingApi();
const expirable = 'accessToken';

/** Repeats the steps of n8n's server for credentials, with a Map instead of the encrypted database. */
export class CredentialStore extends ICredentialsHelper {
	private readonly stored = new Map<string, ICredentialDataDecryptedObject>();

	reads = 0;

	writes = 0;

	save(id: string, data: ICredentialDataDecryptedObject): void {
		this.stored.set(id, deepCopy(data));
	}

	/** What an edit in the credential dialog does: hidden fields keep their values. */
	edit(id: string, changes: ICredentialDataDecryptedObject): void {
		this.save(id, { ...this.stored.get(id), ...changes });
	}

	load(id: string): ICredentialDataDecryptedObject {
		return deepCopy(this.stored.get(id) ?? {});
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		return await type.authenticate(credentials, options as IHttpRequestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		node: INode,
		isExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		if (credentials[expirable] !== '' && !isExpired) return undefined;
		const output = await type.preAuthentication.call(helpers, credentials);
		const details = node.credentials?.[type.name];
		if (!details) return undefined;
		await this.updateCredentials(details, type.name, { ...this.load(String(details.id)), ...output });
		return Object.assign(credentials, output);
	}

	async getDecrypted(_data: IWorkflowExecuteAdditionalData, details: INodeCredentialsDetails) {
		this.reads += 1;
		const data = this.load(String(details.id)) as INodeParameters;
		return NodeHelpers.getNodeParameters(
			type.properties,
			data,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(details: INodeCredentialsDetails, _typeName: string, data: ICredentialDataDecryptedObject) {
		this.writes += 1;
		this.save(String(details.id), data);
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(): INodeProperties[] {
		return type.properties;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('The engine reads credentials through getDecrypted');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('This credential has no OAuth data');
	}
}
