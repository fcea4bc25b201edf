/** API calls for browser tests. */
import type { Page } from "playwright-core";

/** Calls the API as the user of the page, and returns the body of the response. */
export const call = <T>(page: Page, method: string, path: string, body?: unknown): Promise<T> =>
  page.evaluate(
    async ({ method, path, json }) => {
      const headers = json === undefined ? {} : { "content-type": "application/json" };
      const response = await fetch(path, { method, headers, ...(json !== undefined && { body: json }) });
      return response.json();
    },
    { method, path, json: body === undefined ? undefined : JSON.stringify(body) },
  );

/** Creates an agent as the user of the page, and returns its reference. */
export const createAgent = async (page: Page, agent: object): Promise<string> =>
  (await call<{ data: { reference: string } }>(page, "POST", "/v2/agents", agent)).data.reference;
