/**
 * Sends 60 damaged PDFs at once: each yields data or a clear error, while other requests are
 * served.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { failureReasons } from "@sheaf/contract/errors.ts";
import { openTestService } from "../helpers/service.ts";

const params = [{ name: "invoice_number", format: "text", description: "Number of the invoice" }];

/**
 * Damages a file in one of three ways: truncates it at one of 20 places, changes 200 bytes, or
 * removes a range. Every run damages it in the same way.
 */
function damage(bytes: Buffer, kind: number): Buffer {
  const at = Math.floor((bytes.length * (Math.floor(kind / 3) + 1)) / 22);
  if (kind % 3 === 0) return bytes.subarray(0, at);
  if (kind % 3 === 1) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 500)]);
  const copy = Buffer.from(bytes);
  for (let i = 0; i < 200; i++) copy[(at + i * 7919 * (kind + 1)) % copy.length] = (i * 31 + kind) % 256;
  return copy;
}

test("60 damaged PDFs at once are read or refused, while other requests are served", async () => {
  await using service = await openTestService("sqlite");
  const { administrator } = await service.organization("Broken House");
  const bytes = await readFile(join(import.meta.dirname, "../../../examples/invoice.pdf"));
  const send = (content: Buffer) =>
    administrator.send("POST", "/v2/extractor", { filename: "a.pdf", file: content.toString("base64"), params });
  let done = false;
  const all = Promise.all(Array.from({ length: 60 }, (_, kind) => send(damage(bytes, kind)))).finally(() => {
    done = true;
  });
  let others = 0;
  while (!done) {
    assert.equal((await administrator.send("GET", "/v2/agents")).status, 200);
    others++;
    // Stays below the rate limit of an organization.
    await sleep(20);
  }
  const failed = (await all).filter((answer) => answer.status !== 200);
  for (const { status, body } of failed) {
    if (status === 503) continue;
    assert.deepEqual([status, body.code], [502, "extraction_failed"]);
    assert.ok(failureReasons.includes(body.detail.reason), body.detail.reason);
  }
  assert.ok(failed.length >= 20, `${failed.length} failed`);
  assert.ok(others > 0);
  const sound = await send(bytes);
  assert.equal(sound.body.data[0].invoice_number, "NL-2026-0417");
});
