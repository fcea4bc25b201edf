import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { errors } from "./errors.ts";
import { eventNames } from "./events.ts";
import { renderApi, renderErrors, renderEvents } from "./reference.ts";
import { table, typeText } from "./reference-types.ts";

const all: Endpoint[] = Object.values(endpoints);

describe("the page of endpoints", () => {
  const page = renderApi(all);

  test("lists every endpoint", () => {
    for (const { method, path } of all) assert.ok(page.includes(`\`${method} ${path}\``), path);
  });

  test("lists only the given endpoints", () => {
    const small = renderApi([endpoints.getUsage]);
    assert.equal(small.match(/`(GET|POST|PUT|PATCH|DELETE) \//g)?.length, 1);
    assert.ok(!small.includes("## Agents"));
  });

  test("marks the 404 of the stream as plain text", () => {
    assert.ok(page.includes("| 404 | `thread_not_found` | No such thread. The body is the code as plain text. |"));
  });

  test("has a heading for every type that it links to", () => {
    for (const [, anchor] of page.matchAll(/\]\(#([\w-]+)\)/g)) assert.ok(page.includes(`<a id="${anchor}">`), anchor);
  });

  test("has the same number of cells in all rows of each table", () => assertEvenTables(page));
});

test("the page of errors has every code", () => {
  const page = renderErrors();
  for (const [code, { status }] of Object.entries(errors))
    assert.ok(page.includes(`| \`${code}\` | ${status} |`), code);
  assertEvenTables(page);
});

test("the page of events lists the given events, with signature and delays", () => {
  const page = renderEvents(["extraction.completed"]);
  assert.deepEqual(
    eventNames.filter((name) => page.includes(`## ${name}`)),
    ["extraction.completed"],
  );
  assert.ok(page.includes("`x-service-signature`") && page.includes("1, then 10, then 60 seconds"));
  assertEvenTables(page);
});

test("bars and line breaks in a text do not break the table", () => {
  assert.equal(table(["A"], [["x|y\nz"]]), "| A |\n| --- |\n| x\\|y z |");
});

test("types are described in a few words", () => {
  const text = typeText({
    anyOf: [{ type: "array", items: { $ref: "#/components/schemas/Agent" } }, { type: "null" }],
  });
  assert.equal(text, "array of [Agent](#type-agent) or null");
  assert.equal(typeText({}), "anything");
});

function assertEvenTables(page: string): void {
  const cells = (line: string) => line.replaceAll("\\|", "").split("|").length;
  const lines = page.split("\n");
  for (const [index, line] of lines.entries())
    if (line.startsWith("|") && lines[index - 1]?.startsWith("|"))
      assert.equal(cells(line), cells(lines[index - 1] ?? ""), line);
}
