/**
 * Rotates signing keys while real service processes run. With PostgreSQL there are two processes,
 * which share a keys folder.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { describeSideBySide } from "../helpers/databases.ts";
import { type Place, placeOver, settingsBeside, urlOf } from "../helpers/killed-service.ts";
import { firstCredentialOf, type Running, run, start } from "../helpers/process.ts";

const unlimited = { SHEAF_RATE_LIMIT: "0", SHEAF_ADDRESS_RATE_LIMIT: "0" };

async function command(place: Place, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args, place.settings);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  return stdout;
}

const statusOf = async (url: string, token: string): Promise<number> => {
  const answer = await fetch(`${url}/v2/agents`, { headers: { "x-api-key": token } });
  await answer.arrayBuffer();
  return answer.status;
};

const headOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());

/** Returns the token, signed again without a key id, in the format that earlier versions issued. */
async function tokenOfBefore(place: Place, token: string): Promise<string> {
  const key = Buffer.from(await readFile(join(place.data, "keys/signing.key"), "utf8"), "base64");
  const head = Buffer.from(JSON.stringify({ alg: "HS256", typ: "at+jwt" })).toString("base64url");
  const text = `${head}.${token.split(".")[1]}`;
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

async function until(reached: () => Promise<boolean>, what: string): Promise<number> {
  const startedAt = performance.now();
  while (!(await reached())) {
    assert.ok(performance.now() - startedAt < 60_000, `waited in vain for ${what}`);
    await sleep(100);
  }
  return performance.now() - startedAt;
}

describeSideBySide("signing keys", (dialect) => {
  test("are rotated and revoked under load, and survive a restart and a backup", async (t) => {
    await using place = await placeOver(dialect, unlimited);
    await using first = start(["serve"], place.settings);
    const url = await urlOf(first);
    const { id, secret } = await firstCredentialOf(first);
    const newToken = async (at: string): Promise<string> => {
      const answer = await fetch(`${at}/v2/token?client_id=${id}&client_secret=${secret}`);
      assert.equal(answer.status, 200);
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    const twin: Running | undefined = dialect === "postgres" ? start(["serve"], settingsBeside(place)) : undefined;
    await using _twin = twin;
    const urls = twin ? [url, await urlOf(twin)] : [url];

    const old = await newToken(url);
    const olds = [old, await tokenOfBefore(place, old)];
    const oldKid = headOf(old).kid;
    let [sent, refused] = [0, 0];
    const count = (status: number) => {
      sent++;
      if (status !== 200) refused++;
    };
    let ended = false;
    /**
     * Sends old tokens to each process, and new tokens of each process to the other one. All must
     * be accepted during the rotation.
     */
    const traffic = urls.map(async (at, index) => {
      const next = urls[(index + 1) % urls.length] as string;
      while (!ended) {
        for (const token of olds) count(await statusOf(at, token));
        count(await statusOf(next, await newToken(at)));
      }
    });
    const rotated = await command(place, "keys", "rotate");
    const [, newKid] = /^([\w-]{16}) signs from /.exec(rotated) ?? [];
    await until(async () => {
      const kids = await Promise.all(urls.map(async (at) => headOf(await newToken(at)).kid));
      for (const kid of kids) assert.ok([oldKid, newKid].includes(kid));
      return kids.every((kid) => kid === newKid);
    }, "the new key to sign everywhere");
    await sleep(500);
    ended = true;
    await Promise.all(traffic);
    t.diagnostic(`${sent} requests during the rotation, ${refused} refused`);
    assert.equal(refused, 0);
    assert.ok(sent > 20);

    const listed = await command(place, "keys", "list");
    assert.match(listed, new RegExp(`${oldKid}  verifying .*\\n${newKid}  signing`));
    const folder = join(place.data, "keys");
    const files = (await readdir(folder)).filter((name) => name.startsWith("signing."));
    assert.equal(files.length, 2);
    for (const file of files) {
      assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
      assert.ok(!listed.includes((await readFile(join(folder, file), "utf8")).trim()));
    }

    olds.push(await newToken(url));
    await command(place, "keys", "rotate", "--revoke");
    const allRefused = async () => {
      const statuses = await Promise.all(urls.flatMap((at) => olds.map((token) => statusOf(at, token))));
      return statuses.every((status) => status === 401);
    };
    const tookMs = await until(allRefused, "the old tokens to be refused");
    t.diagnostic(`old tokens refused after ${Math.round(tookMs)} ms`);
    const fresh = await newToken(url);
    for (const at of urls) assert.equal(await statusOf(at, fresh), 200);

    const backup = join(place.folder, "backup");
    await command(place, "backup", backup);
    for (const running of twin ? [first, twin] : [first]) {
      running.child.kill("SIGTERM");
      assert.equal((await running.finished).code, 0);
    }
    await using restored = await placeOver(dialect, unlimited);
    await command(restored, "restore", backup);
    for (const each of [place, restored]) {
      await using again = start(["serve"], each.settings);
      const at = await urlOf(again);
      assert.equal(await statusOf(at, fresh), 200);
      for (const token of olds) assert.equal(await statusOf(at, token), 401);
    }
    const audit = await command(restored, "audit");
    for (const action of ["signing_key.rotated", "signing_keys.revoked"]) assert.ok(audit.includes(action), action);
  });
});
