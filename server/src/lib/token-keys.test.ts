/** Tests signing keys in a real folder, with a clock that the tests set. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openLog } from "./log.ts";
import { TokenKeys } from "./token-keys.ts";

const begin = Date.parse("2026-11-22T12:00:00.000Z");
const dayMs = 86_400_000;

describe("signing keys", () => {
  let folder: string;
  let first: Uint8Array;
  const open = () => TokenKeys.open(folder, first);
  const laterFiles = async () => (await readdir(folder)).filter((name) => name !== "signing.key").sort();
  const states = (keys: TokenKeys) => keys.list().map(({ state }) => state);
  const setClock = (ms: number) => mock.timers.setTime(ms);

  beforeEach(async () => {
    mock.timers.enable({ apis: ["Date"], now: begin });
    folder = await mkdtemp(join(tmpdir(), "sheaf-keys-"));
    first = new Uint8Array(randomBytes(32));
    await writeFile(join(folder, "signing.key"), `${Buffer.from(first).toString("base64")}\n`);
  });
  afterEach(async () => {
    mock.timers.reset();
    await rm(folder, { recursive: true, force: true });
  });

  test("a folder of an earlier version has one key, which also verifies tokens without a key id", async () => {
    const keys = await open();
    assert.deepEqual(keys.signing.key, first);
    assert.deepEqual(await keys.verifying(undefined), first);
    assert.deepEqual(await keys.verifying(keys.signing.kid), first);
    assert.match(keys.signing.kid, /^[\w-]{16}$/);
    assert.deepEqual(states(keys), ["signing"]);
  });

  test("a new key signs after ten seconds; the old one verifies until its last token expires, then its file is removed", async () => {
    const keys = await open();
    const old = keys.signing;
    const made = await keys.rotate({ revoke: false });
    assert.deepEqual([keys.signing.kid, states(keys)], [old.kid, ["signing", "next"]]);
    assert.ok(await keys.verifying(made.kid), "verifies before it signs");
    setClock(begin + 9_999);
    assert.equal(keys.signing.kid, old.kid);
    setClock(begin + 10_000);
    assert.equal(keys.signing.kid, made.kid);
    assert.deepEqual(states(keys), ["verifying", "signing"]);
    const second = await keys.rotate({ revoke: false });
    const lastTokenMs = begin + 20_000 + dayMs;
    setClock(lastTokenMs);
    assert.equal(keys.signing.kid, second.kid);
    assert.ok(await keys.verifying(made.kid));
    assert.equal(await keys.removeDead(), 0);
    setClock(lastTokenMs + 60_000);
    assert.deepEqual(states(keys), ["expired", "expired", "signing"]);
    assert.equal(await keys.verifying(made.kid), undefined);
    assert.equal(await keys.verifying(undefined), undefined);
    assert.equal(await keys.removeDead(), 1);
    assert.equal((await laterFiles()).length, 1);
    assert.ok((await readdir(folder)).includes("signing.key"));
    assert.deepEqual(states(await open()), ["expired", "signing"]);
  });

  test("key files are readable only by their owner, and no other files are left", async () => {
    const keys = await open();
    await keys.rotate({ revoke: false });
    const [file = "", ...others] = await laterFiles();
    assert.deepEqual(others, []);
    assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
    const secret = (await readFile(join(folder, file), "utf8")).trim();
    assert.ok(!JSON.stringify(keys.list()).includes(secret));
  });

  test("a revocation invalidates every earlier key at once and permanently", async () => {
    const keys = await open();
    const rotated = await keys.rotate({ revoke: false });
    const made = await keys.rotate({ revoke: true });
    assert.equal(keys.signing.kid, made.kid);
    assert.deepEqual(states(keys), ["revoked", "revoked", "signing"]);
    assert.equal(await keys.verifying(undefined), undefined);
    assert.equal(await keys.verifying(rotated.kid), undefined);
    assert.equal(await keys.removeDead(), 1);
    assert.deepEqual(states(await open()), ["revoked", "signing"]);
    setClock(begin + 1000);
    await keys.rotate({ revoke: false });
    setClock(begin + 3 * dayMs);
    await keys.removeDead();
    // A revoked key stays revoked even for a process whose clock is wrong.
    setClock(begin + 60_000);
    const later = await open();
    assert.equal(await later.verifying(undefined), undefined);
    assert.equal(states(later)[0], "revoked");
    setClock(begin + 3 * dayMs);
    await keys.rotate({ revoke: true });
    await keys.removeDead();
    assert.deepEqual(states(keys), ["revoked", "signing"]);
    assert.equal((await laterFiles()).length, 1, "after a second revocation, the file of the first is removed");
  });

  test("a process that has not read a new key yet reads it when a token refers to it", async () => {
    const [one, other] = [await open(), await open()];
    const made = await one.rotate({ revoke: true });
    const found = await Promise.all(Array.from({ length: 50 }, () => other.verifying(made.kid)));
    assert.ok(found.every((key) => key !== undefined));
    assert.equal(await other.verifying(undefined), undefined);
  });

  test("there is no key for an invalid id", async () => {
    const keys = await open();
    const { kid } = keys.signing;
    for (const bad of [null, 0, "", "../signing.key", [kid], { kid }, "A".repeat(16), "A".repeat(20_000), `${kid}\n`])
      assert.equal(await keys.verifying(bad), undefined, JSON.stringify(bad).slice(0, 50));
  });

  test("with a missing or empty folder or a broken file, known keys stay valid and revocations still apply", async () => {
    const keys = await open();
    const old = await keys.rotate({ revoke: false });
    const away = `${folder}-away`;
    await rename(folder, away);
    await assert.rejects(keys.refresh());
    assert.ok(await keys.verifying(old.kid));
    await mkdir(folder);
    await assert.rejects(keys.refresh(), /signing\.key is missing/);
    assert.ok(await keys.verifying(old.kid));
    await rm(folder, { recursive: true });
    await rename(away, folder);
    setClock(begin + 1000);
    await writeFile(join(folder, "signing.2026-11-22T12-00-00.500Z.key"), "broken");
    await assert.rejects(open(), /signing\.2026-11-22T12-00-00\.500Z\.key is invalid/);
    await writeFile(
      join(folder, "signing.2026-11-22T12-00-00.900Z.key"),
      `${randomBytes(32).toString("base64")}\nrevokes all earlier keys\n`,
    );
    await assert.rejects(keys.refresh(), /is invalid/);
    assert.equal(await keys.verifying(old.kid), undefined);
    assert.equal(states(keys).at(-1), "signing");
  });

  test("if the clock was set back, a rotation is refused, but not a revocation", async () => {
    const keys = await open();
    const made = await keys.rotate({ revoke: false });
    setClock(begin - 3_600_000);
    await assert.rejects(keys.rotate({ revoke: false }), /which is not in the past/);
    const revoking = await keys.rotate({ revoke: true });
    assert.equal(keys.signing.kid, revoking.kid);
    assert.equal(await keys.verifying(made.kid), undefined);
  });

  test("a watched folder is re-read in the background", async () => {
    const [one, other] = [await open(), await open()];
    using _watch = other.watch(openLog("silent"));
    await one.rotate({ revoke: true });
    for (let i = 0; states(other)[0] !== "revoked"; i++) {
      assert.ok(i < 300, "not read within 30 seconds");
      await sleep(100);
    }
  });
});
