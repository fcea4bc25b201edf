/**
 * Ids. References, thread ids and extract ids are UUIDs v7 (36 characters, sortable by time);
 * deliveries have ULIDs.
 */
import { randomBytes, randomUUIDv7 } from "node:crypto";

export const newId = (): string => randomUUIDv7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns a ULID: 26 characters of Crockford's base 32, from 48 bits of time in milliseconds and 80
 * random bits.
 */
export function newUlid(): string {
  const random = randomBytes(10);
  let bits = (BigInt(Date.now()) << 80n) | BigInt(`0x${random.toString("hex")}`);
  let text = "";
  for (let place = 0; place < 26; place++) {
    text = crockford[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}
