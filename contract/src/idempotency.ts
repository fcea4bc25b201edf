/** The header by which a client may send a POST again without its being done twice. */
export const idempotencyKey = {
  header: "idempotency-key",
  /** An answer that was given before bears this header. */
  replayedHeader: "idempotent-replayed",
  pattern: /^[\x21-\x7e]{1,255}$/,
  keptHours: 24,
} as const;
