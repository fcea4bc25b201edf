/** Maps a Fastify request to the request that a route sees. */
import type { Endpoint } from "@sheaf/contract/endpoint.ts";
import type { FastifyRequest } from "fastify";
import type { RouteRequest } from "../lib/route.ts";
import type { ReceivedBody } from "./request-body.ts";

export const requestWithoutBody = (request: FastifyRequest): Pick<RouteRequest, "caller" | "path"> =>
  ({ caller: request.caller, path: request.params }) as Pick<RouteRequest, "caller" | "path">;

type WithBody = Pick<RouteRequest, "body" | "file" | "files" | "query" | "header" | "address" | "requestId">;

/**
 * Keeps only the members of an object body that the endpoint describes, so that ignored members can
 * never reach the database.
 */
export function bodyMapper({ body, rawBody }: Endpoint): (request: FastifyRequest, received: ReceivedBody) => WithBody {
  const { properties } = (body ?? {}) as { properties?: object };
  const members = properties && !rawBody && Object.keys(properties);
  return (request, { fields, file, files }) =>
    ({
      body: members ? pick(fields as Record<string, unknown>, members) : fields,
      file,
      files,
      query: request.query,
      address: request.address,
      requestId: request.id,
      header: (name: string) => headerText(request.headers[name]),
    }) as WithBody;
}

const pick = (fields: Record<string, unknown>, members: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(members.filter((name) => Object.hasOwn(fields, name)).map((name) => [name, fields[name]]));

export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
