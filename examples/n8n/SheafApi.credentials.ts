/**
 * An API credential. n8n uses it to get an access token, and to renew the token when it expires.
 */
import type {
  IAuthenticateGeneric,
  ICredentialDataDecryptedObject,
  ICredentialType,
  IHttpRequestHelper,
  INodeProperties,
} from "n8n-workflow";

export class SheafApi implements ICredentialType {
  name = "sheafApi";
  displayName = "Sheaf API";
  properties: INodeProperties[] = [
    { displayName: "Base URL", name: "baseUrl", type: "string", default: "http://127.0.0.1:8080" },
    { displayName: "Client ID", name: "clientId", type: "string", default: "" },
    {
      displayName: "Client Secret",
      name: "clientSecret",
      type: "string",
      typeOptions: { password: true },
      default: "",
    },
    {
      displayName: "Token",
      name: "token",
      type: "hidden",
      typeOptions: { expirable: true, password: true },
      default: "",
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "x-api-key": "={{$credentials.token}}" } },
  };

  async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
    const { baseUrl, clientId, clientSecret } = credentials as Record<string, string>;
    const form = { grant_type: "client_credentials", client_id: String(clientId), client_secret: String(clientSecret) };
    const { access_token: token } = await this.helpers.httpRequest({
      method: "POST",
      url: `${baseUrl}/v2/token`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(form).toString(),
      json: true,
    });
    return { token };
  }
}
