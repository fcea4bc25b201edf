/**
 * Shared code of the test programs that act as compromised reading processes. `takeOver` receives
 * orders to read files, and passes the content of each file to `act`.
 */
import type { Order } from "../pool/messages.ts";

/** @param act called with the content of each file as text */
export function takeOver(act: (file: string) => void): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (order: Order) => {
    if (order.kind !== "read") return;
    let text = "";
    process.stdin.on("data", (chunk) => {
      text += chunk;
      if (text.length === order.bytes) act(text);
    });
  });
  process.send?.({ kind: "ready" });
}
