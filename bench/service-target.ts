/** A running service that is measured: where it is and a token for it. */

export interface Target {
  url: string;
  token: string;
}

/** What `service-server.ts` tells of itself. */
export interface StartedService {
  url: string;
  clientId: string;
  clientSecret: string;
}

export async function targetOf({ url, clientId, clientSecret }: StartedService): Promise<Target> {
  const answer = await fetch(`${url}/v2/token?client_id=${clientId}&client_secret=${clientSecret}`);
  const { access_token } = (await answer.json()) as { access_token: string };
  return { url, token: access_token };
}
