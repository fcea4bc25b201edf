/**
 * Acts as a compromised reading process. Instead of reading a file, it sends the messages that the
 * file contains as a JSON array.
 */
import { takeOver } from "./taken-over.ts";

takeOver((file) => {
  for (const message of JSON.parse(file)) process.send?.(message);
});
