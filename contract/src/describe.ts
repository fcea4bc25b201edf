/** Prose shared by the OpenAPI document and the reference pages. */
import { deprecationHeaders } from "./deprecation.ts";
import type { Endpoint, HeaderSpec } from "./endpoint.ts";
import { megabyte } from "./limits.ts";

/** Rules that apply to every endpoint, in Markdown. */
export const overview = `Agents that extract data from files and answer questions from a corpus of documents.

Get an access token from the token endpoint and send it in the request header \`x-api-key\`, or as
\`Authorization: Bearer\`. Every response is JSON in an envelope unless its endpoint says otherwise: \`{status: "success", data}\`, or
\`{status: "error", code, error, detail?}\`. \`code\` is stable; \`error\` is a message for people. Ids are UUIDs; times are
ISO 8601 UTC with milliseconds and \`Z\`. Unknown members of a body are ignored, except in the \`configuration\` of an
agent, where they are refused. Strings with NUL or unpaired surrogates are refused. A request body that is compressed,
malformed or of another type is 422 \`invalid_request\`. An unknown route or method is 404 \`not_found\`. Every response
has the header \`x-request-id\`.

Requests are counted per credential, or per client address if no token is needed. Failed attempts to get a token or to
sign in count more. The headers \`RateLimit-Policy\` and \`RateLimit\` report how many requests are left. Beyond the limit
the response is 429 \`rate_limited\`. An overloaded service responds with 503 \`agent_unavailable\`. Both have a
\`Retry-After\` header with the seconds to wait.`;

/**
 * Returns the full description of an endpoint, including sentences that follow from its other
 * fields.
 */
export function describe({ description, upload, uploads, deprecated, auth, app }: Endpoint): string {
  const sentences = description === undefined ? [] : [description];
  if (upload !== undefined)
    sentences.push(`Files: ${upload.extensions.join(", ")}; at most ${upload.maxFileBytes / megabyte} MB.`);
  if (upload !== undefined)
    sentences.push(
      "The body is JSON, or `multipart/form-data` with the bytes of the file in the part `file`, which may have the file name. " +
        "Each other part is one member of the JSON body: a text is sent as plain text, any other value as JSON.",
    );
  if (uploads !== undefined)
    sentences.push(
      "The body is JSON, or `multipart/form-data` with a part `files` for each file, which has the bytes and the file name.",
    );
  if (deprecated !== undefined)
    sentences.push(
      `Deprecated since ${deprecated.since.slice(0, 10)}, may be switched off after ${deprecated.sunset.slice(0, 10)}: use \`${deprecated.successor}\`.`,
    );
  if (auth === "administrator")
    sentences.push(
      app === "member"
        ? "The caller must be an administrator of the organization. In the web application, any member may be the caller, but only for data that they can see."
        : "The caller must be an administrator of the organization.",
    );
  return sentences.join("\n\n");
}

/** Returns the specification of the headers of a deprecated endpoint; empty for any other. */
export function deprecationHeaderSpecs({ deprecated }: Endpoint): Record<string, HeaderSpec> {
  if (deprecated === undefined) return {};
  const { Deprecation, Sunset } = deprecationHeaders(deprecated, {});
  return {
    Deprecation: { description: "Time at which the endpoint became deprecated (RFC 9745).", example: Deprecation },
    Sunset: { description: "Time after which the endpoint may be switched off (RFC 8594).", example: Sunset },
    Link: {
      description: "The replacement of the endpoint.",
      example: `<${deprecated.successor}>; rel="successor-version"`,
    },
  };
}
