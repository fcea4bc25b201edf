/** References, thread ids and extract ids: UUID v7 text, 36 characters, sortable by time. */
import { randomUUIDv7 } from "node:crypto";

export const newId = (): string => randomUUIDv7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);
