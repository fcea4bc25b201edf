/**
 * Shared code of the programs that act as compromised reading processes. It receives orders to
 * read, and passes the content of each file to `act`.
 */
import type { Order } from "../pool/messages.ts";

/** @param act gets the content of each file as text */
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
