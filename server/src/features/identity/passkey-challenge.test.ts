import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { Keys } from "../../lib/keys.ts";
import { newChallenge, readChallenge } from "./passkey-challenge.ts";

const keysOf = (byte: number) => ({ credentialPepper: new Uint8Array(32).fill(byte) }) as Keys;
const keys = keysOf(1);
const made = (purpose = "sign-in") => Buffer.from(newChallenge(keys, purpose)).toString("base64url");

test("a challenge is valid only for its purpose and in its installation", () => {
  const challenge = made();
  const read = readChallenge(keys, "sign-in", challenge);
  assert.ok(read && Math.abs(Date.parse(read.expiresAt) - Date.now() - 300_000) < 1000, read?.expiresAt);
  assert.equal(readChallenge(keys, "creation u", challenge), undefined);
  assert.equal(readChallenge(keysOf(2), "sign-in", challenge), undefined);
  assert.notEqual(read.hash, readChallenge(keys, "sign-in", made())?.hash);
});

test("a changed challenge is not valid", () => {
  const bytes = Buffer.from(made(), "base64url");
  for (let place = 0; place < bytes.length; place++) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    assert.equal(readChallenge(keys, "sign-in", changed.toString("base64url")), undefined, String(place));
  }
  for (const text of ["", "AAAA", bytes.subarray(0, 24).toString("base64url"), bytes.subarray(0, -1).toString("hex")])
    assert.equal(readChallenge(keys, "sign-in", text), undefined);
});

test("a challenge expires after five minutes", (t) => {
  mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
  t.after(() => mock.timers.reset());
  const challenge = made();
  mock.timers.setTime(1_800_000_299_000);
  assert.ok(readChallenge(keys, "sign-in", challenge));
  mock.timers.setTime(1_800_000_301_000);
  assert.equal(readChallenge(keys, "sign-in", challenge), undefined);
});
