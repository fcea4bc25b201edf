/** Why a post had no answer. */

const messages = {
  refused_address: "The URL may not be posted to.",
  unreachable: "The receiver could not be reached.",
  tls: "No trusted TLS connection to the receiver could be made.",
  timeout: "The receiver did not answer in time.",
  protocol: "The receiver broke the connection off or did not answer in HTTP.",
};

/**
 * `refused_address` will be refused again, so another attempt is in vain: the URL, or an address that its name resolves to, is forbidden.
 * `unreachable` covers everything before a connection stands: no such name, no answer of the DNS, a closed or a silent port.
 */
export type OutboundErrorKind = keyof typeof messages;

/**
 * The message depends on the kind alone and may be shown to the organization: it tells neither addresses nor the state of ports.
 * The cause tells them, and is for the log of the operator.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, cause: unknown) {
    super(messages[kind], { cause });
    this.kind = kind;
  }
}
