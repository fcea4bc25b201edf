/** A reading process that was taken over: it answers the order to read with the messages that the file says, as JSON. */
import type { Order } from "../messages.ts";

process.on("disconnect", () => process.exit());
process.on("message", (order: Order) => {
  if (order.kind !== "read") return;
  let text = "";
  process.stdin.on("data", (chunk) => {
    text += chunk;
    if (text.length < order.bytes) return;
    for (const message of JSON.parse(text)) process.send?.(message);
  });
});
process.send?.({ kind: "ready" });
