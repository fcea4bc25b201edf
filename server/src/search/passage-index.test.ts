import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openPassageIndex } from "./passage-index.ts";
import type { Passage } from "./passages.ts";

const passage = (text: string): Passage => ({ page: 1, start: 0, end: 3, text, title: "Barns", headings: ["Corn"] });

test("a document put twice is found once, and never after its removal", { timeout: 30_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "passages-"));
  try {
    await using index = await openPassageIndex({ folder });
    assert.deepEqual(await index.search("agent-1", { text: "wheat", limit: 5 }), []);
    const document = { reference: "d1", name: "barn.pdf", path: "farm/o'neil" };
    await index.put("agent-1", document, [passage("Wheat in the barn."), passage("Rye.")]);
    await index.put("agent-1", document, [passage("Wheat in the old barn.")]);
    await index.put("agent-1", { ...document, reference: "d2", path: "farm2" }, [passage("More wheat")]);
    const hits = await index.search("agent-1", { text: "WHEAT", limit: 5, path: "farm" });
    assert.equal(hits.length, 1);
    assert.partialDeepStrictEqual(hits[0], {
      document: "d1",
      page: 1,
      end: 3,
      headings: ["Corn"],
      path: "farm/o'neil",
    });
    assert.deepEqual(await index.documents("agent-1"), new Set(["d1", "d2"]));
    await index.remove("agent-1", "d1");
    assert.deepEqual(
      (await index.search("agent-1", { text: "wheat", limit: 5 })).map((hit) => hit.document),
      ["d2"],
    );
    await index.removeAgent("agent-1");
    assert.deepEqual(await index.search("agent-1", { text: "wheat", limit: 5 }), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});
