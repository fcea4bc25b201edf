import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEntry } from "@sheaf/client";
import { type AuditFormat, type AuditPage, exportAudit } from "./audit-export.ts";

const entry = (id: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  created_at: "2026-11-24T12:00:00.000Z",
  action: "agent.deleted",
  target: "0198f3a2",
  detail: { name: "Invoices, old" },
  actor: {
    kind: "session",
    user_id: "u1",
    user_email: "ada@example.com",
    member_id: "m1",
    credential_id: null,
    operator: null,
  },
  address: "203.0.113.7",
  request_id: "r1",
  ...more,
});

const operator: AuditEntry["actor"] = {
  kind: "operator",
  user_id: null,
  user_email: null,
  member_id: null,
  credential_id: null,
  operator: "cli",
};

async function exported(format: AuditFormat, pages: AuditEntry[][]) {
  const cursors: (string | undefined)[] = [];
  const counts: number[] = [];
  const fetchPage = async (cursor: string | undefined): Promise<AuditPage> => {
    cursors.push(cursor);
    const at = cursor === undefined ? 0 : Number(cursor);
    return { entries: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null };
  };
  const blob = await exportAudit(format, fetchPage, (count) => counts.push(count));
  // Blob.text() would remove the byte order mark.
  return { blob, text: Buffer.from(await blob.arrayBuffer()).toString("utf8"), cursors, counts };
}

test("all pages of the log are exported in order", async () => {
  const pages = [[entry("1"), entry("2")], [entry("3")]];
  const json = await exported("json", pages);
  assert.deepEqual(JSON.parse(json.text), pages.flat());
  assert.deepEqual(json.cursors, [undefined, "1"]);
  assert.deepEqual(json.counts, [2, 3]);
  const csv = await exported("csv", pages);
  assert.equal(csv.blob.type, "text/csv;charset=utf-8");
  const lines = csv.text.split("\r\n");
  assert.equal(lines.length, 5);
  assert.deepEqual(
    lines.slice(1, 4).map((line) => line.split(",").at(-1)),
    ["1", "2", "3"],
  );
});

test("exporting an empty log yields a valid file", async () => {
  assert.deepEqual(JSON.parse((await exported("json", [[]])).text), []);
  const { text } = await exported("csv", [[]]);
  assert.equal(text, "\uFEFFcreated_at,action,target,actor_kind,actor,credential_id,address,request_id,detail,id\r\n");
});

test("values that a spreadsheet would run as formulas are escaped, and details are exported as JSON", async () => {
  const hostile = entry("1", { target: "=cmd|' /C calc'!A0", detail: { name: '@x, "y"' } });
  const { text } = await exported("csv", [[hostile]]);
  const line = text.split("\r\n")[1];
  assert.equal(
    line,
    `2026-11-24T12:00:00.000Z,agent.deleted,"'=cmd|' /C calc'!A0",session,ada@example.com,,203.0.113.7,r1,` +
      `"{""name"":""@x, \\""y\\""""}",1`,
  );
});

test("an entry by an operator names the tool that the operator used", async () => {
  const { text } = await exported("csv", [[entry("1", { actor: operator, address: null, request_id: null })]]);
  assert.match(text, /agent\.deleted,0198f3a2,operator,cli,,,,/);
});

test("the export fails if a page cannot be loaded", async () => {
  const failing = async (): Promise<AuditPage> => {
    throw new Error("gone");
  };
  await assert.rejects(
    exportAudit("csv", failing, () => {}),
    /gone/,
  );
});
