import assert from "node:assert/strict";
import { test } from "node:test";
import { newTotpSecret, stepOfCode, totpSetupOf } from "./totp.ts";

/** Secret of RFC 6238, appendix B. */
const secret = "12345678901234567890";
const seconds = (count: number) => ({ lastStep: 0, nowMs: count * 1000 });

test("codes match the test vectors of RFC 6238", async () => {
  for (const [at, code] of [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ] as const)
    assert.equal(await stepOfCode(secret, code, seconds(at)), Math.floor(at / 30), String(at));
});

test("a code is accepted from half a minute before its step until half a minute after it", async () => {
  const start = 1_111_111_110;
  const code = "050471";
  const accepted = async (at: number) => (await stepOfCode(secret, code, seconds(at))) === start / 30;
  const times = [start - 31, start - 30, start, start + 29, start + 59, start + 60];
  assert.deepEqual(await Promise.all(times.map(accepted)), [false, true, true, true, true, false]);
});

test("the code of a used step, or of an earlier step, is not accepted", async () => {
  const [at, code] = [1_111_111_111, "050471"];
  const step = Math.floor(at / 30);
  const after = (lastStep: number) => stepOfCode(secret, code, { lastStep, nowMs: at * 1000 });
  assert.deepEqual(await Promise.all([step - 1, step, step + 1].map(after)), [step, undefined, undefined]);
});

test("text with a wrong number of characters or bytes is not accepted as a code", async () => {
  for (const code of ["", "50471", "0050471", "05047ü", "٠٥٠٤٧١"])
    assert.equal(await stepOfCode(secret, code, seconds(1_111_111_111)), undefined, code);
});

test("the setup contains the key in base32", () => {
  const setup = totpSetupOf(secret, "ada+x@example.com");
  assert.equal(setup.secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  assert.equal(
    setup.uri,
    `otpauth://totp/Sheaf:ada%2Bx%40example.com?secret=${setup.secret}&issuer=Sheaf&digits=6&period=30`,
  );
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  assert.ok(new Set(secrets).size === 100 && secrets.every((each) => each.length === 22));
});
