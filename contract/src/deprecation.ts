/** Deprecation of an endpoint, as data and as the response headers of RFC 9745 and RFC 8594. */

export interface Deprecation {
  /** Time at which the endpoint became deprecated, ISO 8601 UTC. */
  since: string;
  /** Time after which the endpoint may be switched off, ISO 8601 UTC. */
  sunset: string;
  /** Path of its replacement, with parameters in braces. */
  successor: string;
}

/**
 * Returns the headers of every response of a deprecated endpoint.
 * @param parameters values of the parameters in `successor`. They are percent-encoded here.
 * @example
 * deprecationHeaders(askDocumentalist.deprecated, { agentReference: agent.reference })
 */
export function deprecationHeaders(deprecation: Deprecation, parameters: Readonly<Record<string, string>>) {
  const successor = deprecation.successor.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((parameters[name] ?? "").toWellFormed()),
  );
  return {
    Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: `<${successor}>; rel="successor-version"`,
  };
}
