/** The body of a delivery. */
import type { EventJson } from "@sheaf/contract/events.ts";
import type { DeliveryRow } from "./deliveries.repo.ts";

/**
 * Returns the body that an attempt posts. A webhook gets an envelope with the time of the attempt
 * and the data; a callback gets only the data.
 * @param at start of the attempt, in milliseconds since 1970
 */
export function bodyOf({ id, event, data, callback_url, test }: DeliveryRow, at: number): Buffer {
  if (callback_url !== null) return Buffer.from(data);
  const timestamp = new Date(at).toISOString();
  const envelope: Omit<EventJson, "data"> = { id, event, timestamp, ...(test && { test: true }) };
  return Buffer.from(`${JSON.stringify(envelope).slice(0, -1)},"data":${data}}`);
}
