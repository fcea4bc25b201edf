/**
 * Definition of an endpoint: one value that provides the types, the validation and the description
 * of a route.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { Deprecation } from "./deprecation.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * Allowed callers: anyone, a member with a token, or a member who is an administrator of the
 * organization.
 */
export type Auth = "none" | "member" | "administrator";

export const tags = {
  Token: "Exchange client credentials for an access token.",
  Agents: "The agents of the organization: extractors and documentalists.",
  Documents: "The corpus of a documentalist agent. Ingestion is asynchronous.",
  Knowledge: "Answers from the corpus of a documentalist agent.",
  Extraction: "Structured data from a file.",
  Classification: "Splits a file into documents and classifies each.",
  Usage: "Subscription, quotas and token consumption.",
  Subscriptions: "Reports of the payment provider.",
  Events: "Changes of state as they happen.",
  Webhooks: "One signed HTTPS delivery per event.",
  Organization: "Members, groups, invitations and credentials of the organization.",
  Session: "Sign-in to the web application. A session cookie is used there instead of a token.",
  MCP: "The Model Context Protocol, by which agents use the tools of this service.",
  Service: "The service itself.",
} as const;
export type Tag = keyof typeof tags;

export interface HeaderSpec {
  description: string;
  example?: string;
}

export interface ResponseSpec {
  description: string;
  /**
   * Schema of the response body. Absent if the body is plain text or bytes, or if there is none.
   */
  body?: TSchema;
  /**
   * Schema of the server-sent events of a `text/event-stream`: a union of objects. Each object has
   * the name of the event in `event` and the payload in `data`.
   */
  events?: TSchema;
  /** True if the body consists of bytes of `contentType`, such as an image. */
  bytes?: true;
  /** True if the response has no body. */
  empty?: true;
  /** Default: `application/json`. */
  contentType?: string;
  headers?: Readonly<Record<string, HeaderSpec>>;
}

/**
 * Present if the body contains a file as base64 text in the member `file`. The file is streamed and
 * never in memory as a whole. The schema of the body validates the other members, with any string
 * in place of `file`.
 */
export interface UploadSpec {
  /** Accepted file name extensions, lower case. */
  extensions: readonly string[];
  /** Maximum size of the decoded file. The plan of the organization may set a lower one. */
  maxFileBytes: number;
}

/**
 * Present if the body contains an array `files` of objects, each with a file as base64 text in the
 * member `file`. The files are streamed like a single upload.
 */
export interface UploadsSpec extends UploadSpec {
  maxFiles: number;
  /** Maximum total size of the decoded files. */
  maxTotalBytes: number;
}

/**
 * True if the route receives the exact bytes of the body, which it needs to verify a signature. The
 * schema of the body is then only used in the documentation.
 */
export interface RawBodySpec {
  maxBytes: number;
}

/** A request that the service sends to the URL given in the member `field` of the body. */
export interface CallbackSpec {
  field: string;
  summary: string;
  body: TSchema;
}

export interface Endpoint {
  /** Unique; also the name of the client's method. */
  operationId: string;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path with parameters in braces: `/v2/agents/{reference}`. */
  path: string;
  summary: string;
  description?: string;
  tag: Tag;
  auth: Auth;
  /**
   * Set if only callers with a token must be administrators. In the web application, any member may
   * call the endpoint for their own data.
   */
  app?: "member";
  pathParameters?: TObject;
  query?: TObject;
  /** Optional headers of the request, by name. */
  requestHeaders?: Readonly<Record<string, HeaderSpec>>;
  body?: TSchema;
  /** Media type of the request body; default: `application/json`. */
  bodyType?: string;
  upload?: UploadSpec;
  uploads?: UploadsSpec;
  rawBody?: RawBodySpec;
  callback?: CallbackSpec;
  /**
   * Present if the response contains a secret, which is shown only once. The idempotency key then
   * stores, instead of the response, the member of `data` named here, such as `client_id`.
   */
  secretReply?: { reference: string };
  /**
   * True if the `WWW-Authenticate` header of a 401 response says where the client can learn how to
   * get a token (RFC 9728).
   */
  challenge?: boolean;
  /** Success responses by HTTP status; the first is the usual one. */
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Error codes in addition to those implied by `auth` and by a body: see `errorCodesOf`. */
  errors: readonly ErrorCode[];
  /** Codes for which the response is only the code, as plain text without an envelope. */
  plainTextErrors?: readonly ErrorCode[];
  /**
   * True if monitoring calls the endpoint, so that requests are neither rate-limited nor refused
   * under load.
   */
  probe?: boolean;
  /**
   * True if the response is a stream that ends only when the client disconnects. Such a stream does
   * not count as a request in progress.
   */
  isEndless?: boolean;
  deprecated?: Deprecation;
}

/**
 * Returns the definition with its exact type, from which the types of routes and clients are
 * inferred.
 * @example
 * const getAgent = defineEndpoint({
 *   operationId: "getAgent",
 *   method: "GET",
 *   path: "/v2/agents/{reference}",
 *   …
 * });
 * type Answer = ResponseOf<typeof getAgent, 200>;
 */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

/** Type of the request body; `undefined` if the endpoint takes none. */
export type BodyOf<E extends Endpoint> = E extends { body: infer S extends TSchema } ? Static<S> : undefined;
/** Type of the path parameters; an empty object if the path has none. */
export type PathParametersOf<E extends Endpoint> = E extends { pathParameters: infer S extends TSchema }
  ? Static<S>
  : Record<never, never>;
/** Type of the query parameters; an empty object if there are none. */
export type QueryOf<E extends Endpoint> = E extends { query: infer S extends TSchema }
  ? Static<S>
  : Record<never, never>;
/** Type of the body of one success response (`S` is the HTTP status), or of any of them. */
export type ResponseOf<E extends Endpoint, S extends keyof E["responses"] = keyof E["responses"]> = {
  [K in S]: E["responses"][K] extends { body: infer B extends TSchema }
    ? Static<B>
    : E["responses"][K] extends { bytes: true }
      ? Uint8Array
      : E["responses"][K] extends { empty: true }
        ? undefined
        : string;
}[S];

/** Returns the HTTP status of success responses, unless the route chooses a different status. */
export const successStatus = ({ responses }: Endpoint): number => Number(Object.keys(responses)[0]);

/**
 * Returns whether requests accept an idempotency key: every POST of an authenticated caller, except
 * those that carry messages of another protocol.
 */
export const takesIdempotencyKey = ({ method, auth, rawBody }: Endpoint): boolean =>
  method === "POST" && auth !== "none" && rawBody === undefined;

/**
 * Returns all error codes of an endpoint, including those implied by authentication, input and
 * load.
 */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>();
  if (endpoint.auth !== "none") codes.add("unauthorized").add("forbidden");
  for (const code of endpoint.errors) codes.add(code);
  if (endpoint.body !== undefined) codes.add("invalid_request");
  // An idempotency key can be invalid, even if the endpoint has no body.
  if (takesIdempotencyKey(endpoint)) codes.add("conflict").add("invalid_request");
  if (!endpoint.probe) codes.add("rate_limited").add("agent_unavailable");
  return [...codes.add("internal_error")];
}
