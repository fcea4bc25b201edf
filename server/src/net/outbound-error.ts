/** Errors of posts that got no response. */

const messages = {
  refused_address: "The URL may not be posted to.",
  unreachable: "The receiver could not be reached.",
  tls: "No trusted TLS connection to the receiver could be made.",
  timeout: "The receiver did not respond in time.",
  protocol: "The receiver closed the connection early or did not respond in HTTP.",
};

/**
 * `refused_address` is final, so a retry is pointless: the URL, or an address that its name
 * resolves to, is forbidden. `unreachable` covers everything before a connection: unknown name, no
 * DNS response, a closed or silent port.
 */
export type OutboundErrorKind = keyof typeof messages;

/**
 * The message depends only on the kind and may be shown to the organization: it reveals neither
 * addresses nor the state of ports. The cause contains them and is for the operator's log.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, cause: unknown) {
    super(messages[kind], { cause });
    this.kind = kind;
  }
}
