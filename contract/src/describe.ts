/** The words that OpenAPI document and reference pages share. */
import { deprecationHeaders } from "./deprecation.ts";
import type { Endpoint, HeaderSpec } from "./endpoint.ts";
import { megabyte } from "./limits.ts";

/** What holds for every endpoint, in Markdown. */
export const overview = `Agents that extract data from files and answer questions from a corpus of documents.

Get an access token from the token endpoint and send it in the request header \`x-api-key\`. Every answer is JSON in an envelope
unless its endpoint says otherwise: \`{status: "success", data}\`, or \`{status: "error", code, error, detail?}\` where \`code\` is
stable and \`error\` is a message for people. Identifiers are UUIDs; times are ISO 8601 UTC with milliseconds and \`Z\`. Unknown
members of a body are ignored; only in the \`configuration\` of an agent are they refused. Strings with NUL or half of a surrogate
pair are refused. A request body that is compressed, malformed or of another type is 422 \`invalid_request\`. An unknown route
or method is 404 \`not_found\`. Every answer carries the header \`x-request-id\`.

Requests are counted for each credential, and for each address where no token is needed; failed tries to get a token or to sign in count more. The
headers \`RateLimit-Policy\` and \`RateLimit\` tell how many are left. Beyond that the answer is 429 \`rate_limited\`, and a service that has
more to do than it can answers 503 \`agent_unavailable\`: both say in \`Retry-After\` after how many seconds to try again.`;

/** The description in full: what follows from the other fields, in words. */
export function describe({ description, upload, deprecated, auth, app }: Endpoint): string {
  const sentences = description === undefined ? [] : [description];
  if (upload !== undefined)
    sentences.push(`Files: ${upload.extensions.join(", ")}; at most ${upload.maxFileBytes / megabyte} MB.`);
  if (deprecated !== undefined)
    sentences.push(
      `Deprecated since ${deprecated.since.slice(0, 10)}, may be switched off after ${deprecated.sunset.slice(0, 10)}: use \`${deprecated.successor}\`.`,
    );
  if (auth === "administrator")
    sentences.push(
      app === "member"
        ? "The caller must be an administrator of the organization; in the web application any member may call, for what is theirs to see."
        : "The caller must be an administrator of the organization.",
    );
  return sentences.join("\n\n");
}

/** The headers that announce the end of a deprecated endpoint; none for any other. */
export function deprecationHeaderSpecs({ deprecated }: Endpoint): Record<string, HeaderSpec> {
  if (deprecated === undefined) return {};
  const { Deprecation, Sunset } = deprecationHeaders(deprecated, {});
  return {
    Deprecation: { description: "When the endpoint became deprecated (RFC 9745).", example: Deprecation },
    Sunset: { description: "When it may be switched off (RFC 8594).", example: Sunset },
    Link: {
      description: "What replaces it.",
      example: `<${deprecated.successor}>; rel="successor-version"`,
    },
  };
}
