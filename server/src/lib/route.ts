/**
 * A route as a feature declares it: an endpoint of the contract and its handler. Features do not
 * depend on the HTTP framework. `http/` mounts routes, authenticates callers, receives and
 * validates requests as the endpoint describes them, and turns errors into error envelopes.
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

/** The file of an upload. It is stored until the response has been sent. */
export interface UploadedFile {
  path: string;
  size: number;
}

export interface RouteRequest<E extends Endpoint = Endpoint> {
  caller: CallerOf<E>;
  path: PathParametersOf<E>;
  /**
   * Request body. The member `file` of an upload is left out. If the endpoint takes a raw body,
   * this is a buffer with its bytes.
   */
  body: E extends { rawBody: object } ? Buffer : Omit<BodyOf<E>, "file">;
  /** Present if the endpoint takes an upload. */
  file: E extends { upload: object } ? UploadedFile : undefined;
  /** The uploaded files in the order of the body, if the endpoint takes several files. */
  files: E extends { uploads: object } ? readonly UploadedFile[] : readonly never[];
  /** Query as received. A repeated parameter is an array. */
  query: Record<string, string | string[] | undefined>;
  header(name: string): string | undefined;
  /** Client address and request id. */
  address: string;
  requestId: string;
  /**
   * Authenticates the caller again, without extending the session. Used while a response is still
   * being sent, because the caller may have lost access in the meantime.
   * @throws AppError `unauthorized`, `forbidden`
   */
  confirm(): Promise<CallerOf<E>>;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /**
   * Returns a function that stores the reply under the idempotency key of the request, if the
   * request has one. The service must call that function with the result, in the transaction that
   * does the work. So every POST route for authenticated callers must pass that function to its
   * service.
   * @example
   * success(await createGroup(db, caller, body, keep(success)))
   */
  keep<Result>(replyOf: (result: Result) => StorableReply<ResponseOf<E>>): AtCommit<Result>;
}

/** A reply whose body is complete, not streamed. */
interface StorableReply<Body> {
  status?: number;
  body: Body;
  headers?: Record<string, string | string[]>;
}

export interface RouteReply<E extends Endpoint = Endpoint> {
  /** HTTP status; needed only if the endpoint describes several success statuses. */
  status?: number;
  /**
   * Body of the response. A streamed body is an async iterable. Each chunk that it yields is sent
   * immediately.
   */
  body: ResponseOf<E> extends string
    ? AsyncIterable<string>
    : ResponseOf<E> extends Uint8Array
      ? Uint8Array | AsyncIterable<Uint8Array>
      : ResponseOf<E>;
  headers?: Record<string, string | string[]>;
}

/**
 * Makes the checks that do not need the body, before any of the body is read. Returns the limits of
 * the body.
 */
export type BeforeBody<E extends Endpoint> = (
  request: Pick<RouteRequest<E>, "caller" | "path">,
) => Promise<BodyBounds | undefined>;

export interface BodyBounds {
  /** Maximum size of the file in bytes. The limit of the endpoint applies as well. */
  maxFileBytes: number;
  /**
   * Present if the request will be refused with an error that depends on the body. Throws that
   * error as soon as it can be determined. It is called when the file begins and when the body is
   * complete. The file is discarded.
   */
  refuse?: (fields: Record<string, unknown>, isComplete: boolean) => Promise<void>;
}

export interface Route<E extends Endpoint = Endpoint> {
  endpoint: E;
  beforeBody?: BeforeBody<E>;
  handle(request: RouteRequest<E>): Promise<RouteReply<E>>;
}

/** A route for any endpoint, as `http/` mounts it. The type of the specific endpoint is erased. */
export type AnyRoute = Route<Endpoint>;

export function route<const E extends Endpoint>(
  endpoint: E,
  handle: (request: RouteRequest<E>) => Promise<RouteReply<E>>,
  options: { beforeBody?: BeforeBody<E> } = {},
): AnyRoute {
  return { endpoint, handle, ...options } as unknown as AnyRoute;
}

/** Returns a reply in the success envelope. */
export const success = <Data>(data: Data) => ({ body: { status: "success" as const, data } });
