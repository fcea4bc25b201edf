/**
 * Acts as a compromised reading process: it responds to the order to read with the messages that
 * the file contains as JSON.
 */
import { takeOver } from "./taken-over.ts";

takeOver((file) => {
  for (const message of JSON.parse(file)) process.send?.(message);
});
