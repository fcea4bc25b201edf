/** Errors of outbound requests that received no usable response. */

const messages = {
  refused_address: "Posting to this URL is not allowed.",
  unreachable: "The receiver could not be reached.",
  tls: "No trusted TLS connection to the receiver could be made.",
  timeout: "The receiver did not respond in time.",
  protocol: "The receiver closed the connection early or did not respond in HTTP.",
};

/**
 * `refused_address` means that the URL, or an address of its host name, is forbidden, so a retry is
 * pointless. `unreachable` includes every failure before a connection is established: an unknown
 * name, no DNS response, a closed or silent port.
 */
export type OutboundErrorKind = keyof typeof messages;

/**
 * The message depends only on the kind. It reveals neither addresses nor the state of ports, so the
 * organization may see it. The cause contains them and is for the operator's log only.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, cause: unknown) {
    super(messages[kind], { cause });
    this.kind = kind;
  }
}
