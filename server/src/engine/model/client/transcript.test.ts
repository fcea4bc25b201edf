import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openModelClient } from "../model-client.ts";
import { keptMeter, never, openScripted, question, readAll, right, settingsFor } from "./testing/open-scripted.ts";

const options = { timeout: 20_000 };
const { schema: _, ...ask } = question;
const rule = ({ schema }: { schema: unknown }) => (schema ? right : "<think>Hm.</think>The total is 119.00.");

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sheaf-transcript-"));
  t.after(() => rm(folder, { recursive: true }));
  return join(folder, "transcript");
}

test("recorded responses are replayed without a network, with the same result", options, async (t) => {
  const transcript = await temporaryFolder(t);
  const { model, client, meter } = await openScripted(
    t,
    { rule, refuses: ["json_schema"], apiKey: "secret-key" },
    { transcript, apiKey: "secret-key", embedding: undefined },
  );
  model.fail({ kind: "status", status: 429 });
  const object = await client.object(question, meter, never);
  const text = await readAll(client.text(ask, meter, never));
  await model.close();

  const replaying = openModelClient(settingsFor("http://127.0.0.1:9/v1", { replay: transcript }));
  t.after(() => replaying.close());
  const replayed = keptMeter();
  assert.deepEqual(await replaying.object(question, replayed, never), object);
  assert.equal(await readAll(replaying.text(ask, replayed, never)), text);
  assert.equal(text, "The total is 119.00.");
  assert.deepEqual(
    replayed.calls.map(({ sha256, use }) => [sha256, use]),
    meter.calls.slice(1).map(({ sha256, use }) => [sha256, use]),
  );
});

test("a transcript contains each complete response once, and never the key", options, async (t) => {
  const transcript = await temporaryFolder(t);
  const { model, client, meter } = await openScripted(
    t,
    { rule, apiKey: "secret-key" },
    { transcript, apiKey: "secret-key", stallMs: 200, embedding: undefined },
  );
  await client.object(question, meter, never);
  await client.object(question, meter, never);
  model.fail({ kind: "stall-within" });
  await assert.rejects(client.object({ ...question, prompt: "other" }, meter, never));
  model.fail({ kind: "cut" });
  await assert.rejects(readAll(client.text(ask, meter, never)));
  const names = await readdir(transcript);
  assert.equal(names.length, 1);
  assert.match(String(names[0]), /^[0-9a-f]{64}\.json$/);
  const path = join(transcript, String(names[0]));
  assert.doesNotMatch(await readFile(path, "utf8"), /secret-key|authorization/i);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("a request missing from the transcript is unavailable, and the error names its file", options, async (t) => {
  const client = openModelClient(settingsFor("http://127.0.0.1:9/v1", { replay: await temporaryFolder(t) }));
  t.after(() => client.close());
  for (const call of [
    () => client.object(question, keptMeter(), never),
    () => readAll(client.text(ask, keptMeter(), never)),
    () => client.embed(["a"], keptMeter(), never),
  ])
    await assert.rejects(call(), { kind: "unavailable", message: /no response to the request [0-9a-f]{64}/ });
});
