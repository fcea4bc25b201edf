/**
 * A compromised reading process: it responds to the read order with the messages that the file
 * lists as JSON.
 */
import { takeOver } from "./taken-over.ts";

takeOver((file) => {
  for (const message of JSON.parse(file)) process.send?.(message);
});
