/**
 * Definition of an endpoint: one value that provides the types, the validation and the description
 * of a route.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { Deprecation } from "./deprecation.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * Callers that are allowed: anyone, a member with a token, or a member who is an administrator of
 * the organization.
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
  Webhooks: "One signed HTTPS delivery per event.",
  Organization: "Members, groups, invitations and credentials of the organization.",
  Session: "Sign-in to the web application. A session cookie is used there instead of a token.",
  Service: "The service itself.",
} as const;
export type Tag = keyof typeof tags;

export interface HeaderSpec {
  description: string;
  example?: string;
}

export interface ResponseSpec {
  description: string;
  /** Absent if the response has no body worth a schema: plain text, bytes, nothing. */
  body?: TSchema;
  /**
   * Schema of the server-sent events of a `text/event-stream`: a union of objects with the name
   * `event` and its `data`.
   */
  events?: TSchema;
  /** The body is bytes of `contentType`, such as an image. */
  bytes?: true;
  /** There is no body. */
  empty?: true;
  /** Default: `application/json`. */
  contentType?: string;
  headers?: Readonly<Record<string, HeaderSpec>>;
}

/**
 * The body contains a file as base64 text in the member `file`, which is streamed and never in
 * memory as a whole. The other members are validated by the schema of the body, with any string in
 * place of `file`.
 */
export interface UploadSpec {
  /** Accepted file name extensions, lower case. */
  extensions: readonly string[];
  /** Maximum size of the decoded file. The plan of the organization may set a lower one. */
  maxFileBytes: number;
}

/**
 * The body contains an array `files` of objects, each with its file as base64 text in the member
 * `file`. They are streamed like a single upload.
 */
export interface UploadsSpec extends UploadSpec {
  maxFiles: number;
  /** Maximum size of all decoded files. */
  maxTotalBytes: number;
}

/**
 * The route receives the exact bytes of the body, as signature verification requires. The schema
 * only describes it.
 */
export interface RawBodySpec {
  maxBytes: number;
}

/** A request that the service sends to the URL in the member `field` of the body. */
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
   * Set if tokens need an administrator but any member may call in the web application, restricted
   * to their own data.
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
   * The response contains a secret, which is shown once. For an idempotency key, only this member
   * of `data` is stored.
   */
  secretReply?: { reference: string };
  /** Success responses by HTTP status. */
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Error codes besides those implied by `auth` and by having a body: see `errorCodesOf`. */
  errors: readonly ErrorCode[];
  /** Codes whose response is the bare code as plain text, without envelope. */
  plainTextErrors?: readonly ErrorCode[];
  /** Called by monitoring: neither rate-limited nor refused under load. */
  probe?: boolean;
  deprecated?: Deprecation;
}

/**
 * Keeps the exact type of a definition, so that routes and clients infer from it.
 * @example
 * const getAgent = defineEndpoint({ operationId: "getAgent", method: "GET", path:
 * "/v2/agents/{reference}", ... });
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
/** Type of the body of one success (`S` is the HTTP status), or of any of them. */
export type ResponseOf<E extends Endpoint, S extends keyof E["responses"] = keyof E["responses"]> = {
  [K in S]: E["responses"][K] extends { body: infer B extends TSchema }
    ? Static<B>
    : E["responses"][K] extends { bytes: true }
      ? Uint8Array
      : E["responses"][K] extends { empty: true }
        ? undefined
        : string;
}[S];

/** Returns the HTTP status of a success, unless the route chooses another one. */
export const successStatus = ({ responses }: Endpoint): number => Number(Object.keys(responses)[0]);

/** Returns whether requests accept an idempotency key: every POST of an authenticated caller. */
export const takesIdempotencyKey = ({ method, auth }: Endpoint): boolean => method === "POST" && auth !== "none";

/**
 * Returns all error codes of an endpoint: its own, and those implied by authentication, input and
 * load.
 */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>();
  if (endpoint.auth !== "none") codes.add("unauthorized").add("forbidden");
  for (const code of endpoint.errors) codes.add(code);
  if (endpoint.body !== undefined) codes.add("invalid_request");
  // The key itself can be invalid.
  if (takesIdempotencyKey(endpoint)) codes.add("conflict").add("invalid_request");
  if (!endpoint.probe) codes.add("rate_limited").add("agent_unavailable");
  return [...codes.add("internal_error")];
}
