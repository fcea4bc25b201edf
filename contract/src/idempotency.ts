/** The header that makes it safe to repeat a POST. */
export const idempotencyKey = {
  header: "idempotency-key",
  /** Header that marks a response as the stored response of an earlier request. */
  replayedHeader: "idempotent-replayed",
  pattern: /^[\x21-\x7e]{1,255}$/,
  keptHours: 24,
} as const;
