/** A reading process that was taken over: it answers the order to read with the messages that the file says, as JSON. */
import { takeOver } from "./taken-over.ts";

takeOver((file) => {
  for (const message of JSON.parse(file)) process.send?.(message);
});
