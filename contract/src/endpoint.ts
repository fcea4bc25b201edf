/** What an endpoint is: one value that gives a route its types, its validation and its description. */
import type { Static, TObject, TSchema } from "typebox";
import type { Deprecation } from "./deprecation.ts";
import type { ErrorCode } from "./errors.ts";

/** Who may call: anybody, a member with a token, or a member who is an administrator of the organization. */
export type Auth = "none" | "member" | "administrator";

export const tags = {
  Token: "Exchange client credentials for an access token.",
  Agents: "The agents of the organization: extractors and documentalists.",
  Documents: "The corpus of a documentalist agent. Ingestion is asynchronous.",
  Knowledge: "Answers from the corpus of a documentalist agent.",
  Extraction: "Structured data from a file.",
  Classification: "The documents that a file is made of, and the kind of each.",
  Usage: "Subscription, quotas and token consumption.",
  Subscriptions: "What the payment provider tells.",
  Webhooks: "One signed HTTPS delivery per event.",
  Organization: "Members, groups, invitations and credentials of the organization.",
  Session: "Signing in to the web application: its cookie stands for the token there.",
  Service: "The service itself.",
} as const;
export type Tag = keyof typeof tags;

export interface HeaderSpec {
  description: string;
  example?: string;
}

export interface ResponseSpec {
  description: string;
  /** Absent when the answer has no body worth a schema (plain text). */
  body?: TSchema;
  /** `application/json` unless told. */
  contentType?: string;
  headers?: Readonly<Record<string, HeaderSpec>>;
}

/**
 * The body holds a file: base64 text in the member `file`, streamed and never whole in memory. The other members are validated
 * by the schema of the body with any string standing for `file`.
 */
export interface UploadSpec {
  /** Accepted file name extensions, lower case. */
  extensions: readonly string[];
  /** Of the decoded file. The plan of the organization may set a lower cap. */
  maxFileBytes: number;
}

/** The route takes the body as bytes, exactly as they came, as whoever checks a signature must; the schema only describes it. */
export interface RawBodySpec {
  maxBytes: number;
}

/** A request that the service makes to the URL in the member `field` of the body. */
export interface CallbackSpec {
  field: string;
  summary: string;
  body: TSchema;
}

export interface Endpoint {
  /** Unique; the name of the method in a client. */
  operationId: string;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With parameters in braces: `/v2/agents/{reference}`. */
  path: string;
  summary: string;
  description?: string;
  tag: Tag;
  auth: Auth;
  /** Where tokens need an administrator: in the web application any member may call, and gets or does what is theirs. */
  app?: "member";
  pathParameters?: TObject;
  query?: TObject;
  body?: TSchema;
  /** Media type of the request body; `application/json` unless told. */
  bodyType?: string;
  upload?: UploadSpec;
  rawBody?: RawBodySpec;
  callback?: CallbackSpec;
  /** The answer holds a secret, which is shown once. Of a request with an idempotency key only this member of `data` is kept. */
  secretReply?: { reference: string };
  /** The successes, by HTTP status. */
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Beside those that follow from `auth` and from having a body: see `errorCodesOf`. */
  errors: readonly ErrorCode[];
  /** Codes whose answer is the bare code as plain text, without envelope. */
  plainTextErrors?: readonly ErrorCode[];
  /** Asked by whoever watches over the process: neither rate-limited nor refused under load. */
  probe?: boolean;
  deprecated?: Deprecation;
}

/**
 * Keeps the exact type of a definition, so that routes and clients infer from it.
 * @example
 * const getAgent = defineEndpoint({ operationId: "getAgent", method: "GET", path: "/v2/agents/{reference}", ... });
 * type Answer = ResponseOf<typeof getAgent, 200>;
 */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

/** Type of the request body; `undefined` where the endpoint takes none. */
export type BodyOf<E extends Endpoint> = E extends { body: infer S extends TSchema } ? Static<S> : undefined;
/** Type of the path parameters; an empty object where the path has none. */
export type PathParametersOf<E extends Endpoint> = E extends { pathParameters: infer S extends TSchema }
  ? Static<S>
  : Record<never, never>;
/** Type of the query parameters; an empty object where there are none. */
export type QueryOf<E extends Endpoint> = E extends { query: infer S extends TSchema }
  ? Static<S>
  : Record<never, never>;
/** Type of the body of one success (`S` is the HTTP status), or of any of them. */
export type ResponseOf<E extends Endpoint, S extends keyof E["responses"] = keyof E["responses"]> = {
  [K in S]: E["responses"][K] extends { body: infer B extends TSchema } ? Static<B> : string;
}[S];

/** Returns the HTTP status of the success that a route responds with unless it chooses another one. */
export const successStatus = ({ responses }: Endpoint): number => Number(Object.keys(responses)[0]);

/** Every POST of a caller whose organization is known. */
export const takesIdempotencyKey = ({ method, auth }: Endpoint): boolean => method === "POST" && auth !== "none";

/** Every error code that the endpoint answers with: its own, those of its kind of authentication, those of having input, and those of load. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>();
  if (endpoint.auth !== "none") codes.add("unauthorized").add("forbidden");
  for (const code of endpoint.errors) codes.add(code);
  if (endpoint.body !== undefined) codes.add("invalid_request");
  if (takesIdempotencyKey(endpoint)) codes.add("conflict");
  if (!endpoint.probe) codes.add("rate_limited").add("agent_unavailable");
  return [...codes.add("internal_error")];
}
