/**
 * Acts as a compromised reading process: it responds to an order to read a file with messages. The
 * file contains these messages as a JSON array.
 */
import { takeOver } from "./taken-over.ts";

takeOver((file) => {
  for (const message of JSON.parse(file)) process.send?.(message);
});
