/** What stands in for the program of a reading process that was taken over: it hears orders to read, and does what it likes with the file. */
import type { Order } from "../pool/messages.ts";

/** `act` is given each file that is to be read, as text. */
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
