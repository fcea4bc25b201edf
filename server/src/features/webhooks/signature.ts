/** Signature headers of a delivery: those of the contract, and those of Standard Webhooks. */
import { createHmac } from "node:crypto";
import { signatureHeader, standardWebhooksHeaders, webhookSecretPrefix } from "@sheaf/contract/events.ts";

/**
 * Signs the exact bytes that are sent.
 * @param delivery `at` is the time of the attempt, in milliseconds since 1970
 */
export function signatureHeaders(
  { id, at, body }: { id: string; at: number; body: Buffer },
  secret: string,
): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  // In Standard Webhooks, the key consists of the bytes that the base64 text after the prefix
  // encodes. In the contract, the key is the whole secret as text.
  const key = Buffer.from(secret.slice(webhookSecretPrefix.length), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest("base64");
  return {
    [signatureHeader]: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    [standardWebhooksHeaders.id]: id,
    [standardWebhooksHeaders.timestamp]: seconds,
    [standardWebhooksHeaders.signature]: `v1,${standard}`,
  };
}
