/**
 * A route as a feature declares it: an endpoint of the contract and what answers it. Features know no HTTP framework; `http/` mounts
 * routes, authenticates, receives and validates what the endpoint describes, and turns thrown errors into envelopes.
 */
import type { BodyOf, Endpoint, PathParametersOf, ResponseOf } from "@sheaf/contract/endpoint.ts";
import type { AtCommit } from "./at-commit.ts";
import type { Administrator, Caller } from "./caller.ts";

type CallerOf<E extends Endpoint> = E["auth"] extends "none"
  ? undefined
  : E["auth"] extends "administrator"
    ? E extends { app: "member" }
      ? Caller
      : Administrator
    : Caller;

/** The file of an upload endpoint, stored until the request is answered. */
export interface UploadedFile {
  path: string;
  size: number;
}

export interface RouteRequest<E extends Endpoint = Endpoint> {
  caller: CallerOf<E>;
  path: PathParametersOf<E>;
  /** Without the member `file` where the endpoint takes an upload; bytes where it takes them raw. */
  body: E extends { rawBody: object } ? Buffer : Omit<BodyOf<E>, "file">;
  /** Present where the endpoint takes an upload. */
  file: E extends { upload: object } ? UploadedFile : undefined;
  /** Query as it came: a repeated parameter is an array. */
  query: Record<string, string | string[] | undefined>;
  header(name: string): string | undefined;
  /** Where it came from, and its id. */
  address: string;
  requestId: string;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /**
   * Stores the reply of this request for its idempotency key, where it has one: called in the transaction of the work, with its
   * result. Every POST of a caller has to hand it to the service that does the work.
   * @example success(await createGroup(db, caller, body, keep(success)))
   */
  keep<Result>(replyOf: (result: Result) => StorableReply<ResponseOf<E>>): AtCommit<Result>;
}

/** A reply with all of its text. */
interface StorableReply<Body> {
  status?: number;
  body: Body;
  headers?: Record<string, string | string[]>;
}

export interface RouteReply<E extends Endpoint = Endpoint> {
  /** Needed only where the endpoint describes several successes. */
  status?: number;
  /** Text may come in pieces, which are sent as they come. */
  body: ResponseOf<E> extends string ? AsyncIterable<string> : ResponseOf<E>;
  headers?: Record<string, string | string[]>;
}

/** What can be refused without the body is refused here, before any of it is read; what bounds the body is answered. */
export type BeforeBody<E extends Endpoint> = (
  request: Pick<RouteRequest<E>, "caller" | "path">,
) => Promise<BodyBounds | undefined>;

export interface BodyBounds {
  /** Bytes that the file of this request may have; what the endpoint describes is the most in any case. */
  maxFileBytes: number;
  /**
   * Present if the request is refused in any case, and the members of the body only say with which error: throws it as soon as it is known.
   * Called when the file begins and when the body has come whole; nothing of the file is kept.
   */
  refuse?: (fields: Record<string, unknown>, isComplete: boolean) => Promise<void>;
}

export interface Route<E extends Endpoint = Endpoint> {
  endpoint: E;
  beforeBody?: BeforeBody<E>;
  handle(request: RouteRequest<E>): Promise<RouteReply<E>>;
}

/** A route whose type has forgotten which endpoint it answers, as `http/` takes them. */
export type AnyRoute = Route<Endpoint>;

export function route<const E extends Endpoint>(
  endpoint: E,
  handle: (request: RouteRequest<E>) => Promise<RouteReply<E>>,
  options: { beforeBody?: BeforeBody<E> } = {},
): AnyRoute {
  return { endpoint, handle, ...options } as unknown as AnyRoute;
}

/** A reply in the envelope of every success. */
export const success = <Data>(data: Data) => ({ body: { status: "success" as const, data } });
