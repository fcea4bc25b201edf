/**
 * Kept classifications over HTTP: what is kept, corrected segments, segments as PDFs, deletion and
 * expiry.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkCorpus } from "../src/features/documents/corpus-check.ts";
import { removeExpired } from "../src/features/kept-classifications/kept-classifications.service.ts";
import { sweep } from "../src/features/maintenance/sweep.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import { newId } from "../src/lib/ids.ts";
import { pageText } from "../src/reading/document.ts";
import { readPdf } from "../src/reading/formats/pdf/read-pdf.ts";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import { corpusOf } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, join, peopleOver } from "./helpers/people.ts";
import { storedEarlier } from "./helpers/stored-files.ts";
import { storedFiles } from "./helpers/stored-rows.ts";

const dayMs = 86_400_000;
const bytes = makePdf({
  pages: Array.from({ length: 4 }, (_, index) => ({ marks: [{ text: `Invoice sheet ${index + 1}`, x: 100, y: 700 }] })),
});
const file = Buffer.from(bytes).toString("base64");
const segment = (start: number, end: number, title = `Part ${start}`) => ({ start, end, label: "invoice", title });

describeOverDatabases("kept classifications", (dialect) => {
  const at = peopleOver(dialect);

  type Sender = Pick<Browser, "send">;
  const classify = async (by: Sender, body: object = {}): Promise<string> => {
    const answer = await by.send("POST", "/v2/classification/async", { filename: "Scan 5€.pdf", file, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const id = answer.body.classification_id;
    for (const deadline = performance.now() + 60_000; ; await sleep(20)) {
      const { body } = await by.send("GET", `/v2/classification/async/${id}`);
      if (body.status !== "started") {
        assert.equal(body.status, "success", JSON.stringify(body));
        return id;
      }
      assert.ok(performance.now() < deadline, "it takes too long");
    }
  };
  const get = (id: string, by: Sender = at.bob, path = "") => by.send("GET", `/v2/classifications/${id}${path}`);
  const put = (id: string, segments: object[], version = 1, by: Sender = at.bob) =>
    by.send("PUT", `/v2/classifications/${id}/segments`, { segments, version });
  const download = async (id: string, path: string) => {
    const answer = await fetch(`${at.service.url}/v2/classifications/${id}${path}`, {
      headers: { cookie: at.bob.cookie },
    });
    assert.equal(answer.status, 200);
    return { headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  };
  const keptFiles = async () =>
    (await storedFiles(at.service)).filter((path) => path.includes("/classifications/") && !path.includes("/.trash/"));

  test("a classification made in the web application is kept with its file, words and page images", async () => {
    const id = await classify(at.bob, { mode: "page" });
    const { data } = (await get(id)).body;
    const result = (await at.bob.send("GET", `/v2/classification/async/${id}`)).body.data;
    assert.deepEqual(data.data, result);
    assert.deepEqual(
      [data.filename, data.mime, data.size, data.pages, data.segments_count, data.status, data.version],
      ["Scan 5€.pdf", "application/pdf", bytes.length, 4, 4, "original", 1],
    );
    assert.deepEqual(
      data.corrected_segments.map(({ start, end }: { start: number; end: number }) => [start, end]),
      [1, 2, 3, 4].map((page) => [page, page]),
    );
    assert.equal(data.sha256, createHash("sha256").update(bytes).digest("hex"));
    assert.equal(Math.round((Date.parse(data.expires_at) - Date.parse(data.created_at)) / dayMs), 30);
    assert.deepEqual((await get(id, at.bob, "/pages/3/words")).body.data.words, ["Invoice", "sheet", "3"]);
    assert.equal((await get(id, at.bob, "/pages/3/image")).headers.get("content-type"), "image/webp");
    assert.equal((await get(id, at.bob, "/pages/5/words")).body.code, "page_not_found");
    assert.deepEqual((await download(id, "/file")).body, Buffer.from(bytes));
    const parts = await corpusOf(at.service, at.organization).parts();
    assert.deepEqual((await checkCorpus(parts, { running: true })).problems, []);
  });

  test("classifications through the API are kept only if the request or a setting asks for it, and never if the setting is 0", async () => {
    const api = at.organization.administrator;
    const isKept = async (by: Sender, keep?: boolean) =>
      (await get(await classify(by, keep === undefined ? {} : { keep }), at.ada)).status === 200;
    const set = (keep_extractions_days: number | null) =>
      at.ada.send("PATCH", "/v2/organization", { keep_extractions_days });
    assert.deepEqual([await isKept(api), await isKept(api, true), await isKept(at.bob, false)], [false, true, false]);
    await set(0);
    assert.deepEqual([await isKept(at.bob), await isKept(api, true)], [false, false]);
    await set(7);
    assert.equal(await isKept(api), true);
    await set(null);
  });

  test("corrected segments are saved if the version is current and every page is covered once, in order", async () => {
    const id = await classify(at.bob, { mode: "document" });
    const original = (await get(id)).body.data.data;
    const saved = await put(id, [segment(1, 3), segment(4, 4)]);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const { data } = (await get(id)).body;
    assert.deepEqual(saved.body.data, data);
    assert.deepEqual(data.corrected_segments, [segment(1, 3), segment(4, 4)]);
    assert.deepEqual([data.data, data.version, data.status, data.segments_count], [original, 2, "corrected", 2]);
    const lost = await put(id, [segment(1, 4)], 1);
    assert.deepEqual([lost.status, lost.body.code], [409, "conflict"]);
    const wrong: [object[], string][] = [
      [[segment(2, 4)], "/segments/0/start"],
      [[segment(1, 2)], "/segments"],
      [[segment(1, 2), segment(2, 4)], "/segments/1/start"],
      [[segment(1, 1), segment(3, 4)], "/segments/1/start"],
      [[segment(1, 5)], "/segments/0/end"],
      [[segment(3, 4), segment(1, 2)], "/segments/0/start"],
      [[segment(1, 4), segment(5, 4)], "/segments/1/end"],
      [[{ ...segment(1, 4), label: "" }], "/segments/0/label"],
      [[], "/segments"],
    ];
    for (const [segments, path] of wrong) {
      const refused = await put(id, segments, 2);
      assert.deepEqual([refused.status, refused.body.detail?.issues?.[0]?.path], [422, path]);
    }
    assert.deepEqual((await get(id)).body.data, data);
  });

  test("each segment can be downloaded as a PDF of its pages, with a safe file name", async () => {
    const id = await classify(at.bob, { mode: "document" });
    await put(id, [segment(1, 1, "../Müller: 1/2"), segment(2, 4, "")]);
    const first = await download(id, "/segments/0/file");
    const disposition = first.headers.get("content-disposition") ?? "";
    assert.ok(disposition.endsWith("filename*=UTF-8''M%C3%BCller%201%202.pdf"), disposition);
    assert.equal(first.headers.get("content-type"), "application/pdf");
    const second = await download(id, "/segments/1/file");
    assert.ok(second.headers.get("content-disposition")?.includes('filename="invoice.pdf"'));
    const texts = async (pdf: Buffer) => (await readPdf(pdf, { maxPages: 10 })).pages.map(pageText);
    assert.deepEqual(await texts(first.body), ["Invoice sheet 1"]);
    assert.deepEqual(await texts(second.body), ["Invoice sheet 2", "Invoice sheet 3", "Invoice sheet 4"]);
    for (const index of ["2", "-1", "01", "x"])
      assert.equal((await get(id, at.bob, `/segments/${index}/file`)).status, 404);
    await at.service.db.updateTable("kept_classifications").set({ filename: "a.png" }).where("id", "=", id).execute();
    assert.equal((await get(id, at.bob, "/segments/0/file")).body.code, "segment_file_unavailable");
  });

  test("if a stored file is damaged, only requests for it fail", async () => {
    const id = await classify(at.bob, { mode: "document" });
    const key = (await keptFiles()).find((path) => path.includes(id) && path.endsWith(".original"));
    await writeFile(key ?? "", "%PDF-1.7 broken");
    const failed = await get(id, at.bob, "/segments/0/file");
    assert.deepEqual([failed.status, failed.body.code], [502, "extraction_failed"]);
    const other = await classify(at.bob);
    assert.equal((await get(other, at.bob, "/segments/0/file")).status, 200);
  });

  test("members see their own classifications, administrators those of their organization, and other organizations none", async () => {
    const carol = await join(at.service, at.organization, "member");
    const other = await at.service.organization("Elsewhere");
    const id = await classify(at.bob);
    const paths = ["", "/file", "/segments/0/file", "/pages/1/words", "/pages/1/image"];
    for (const [by, status] of [
      [at.bob, 200],
      [at.ada, 200],
      [at.organization.administrator, 200],
      [carol, 404],
      [other.administrator, 404],
    ] as const) {
      for (const path of paths) assert.equal((await get(id, by, path)).status, status, path);
      const listed = (await by.send("GET", "/v2/classifications")).body.data as { id: string }[];
      assert.equal(
        listed.some((each) => each.id === id),
        status === 200,
      );
      assert.equal((await put(id, [segment(1, 4)], 99, by)).status, status === 200 ? 409 : 404);
      if (status === 404) assert.equal((await by.send("DELETE", `/v2/classifications/${id}`)).status, 404);
    }
    assert.equal((await get(newId())).status, 404);
    assert.equal((await get("nothing")).status, 404);
  });

  test("deleted and expired classifications leave no files behind, and files without a row are removed", async () => {
    const [deleted, expired, young] = [await classify(at.bob), await classify(at.bob), await classify(at.bob)];
    assert.equal((await at.bob.send("DELETE", `/v2/classifications/${deleted}`)).status, 200);
    assert.equal((await at.bob.send("DELETE", `/v2/classifications/${deleted}`)).status, 404);
    const past = new Date(Date.now() - 1).toISOString();
    await at.service.db
      .updateTable("kept_classifications")
      .set({ expires_at: past })
      .where("id", "=", expired)
      .execute();
    assert.equal((await get(expired)).status, 404);
    assert.equal(await removeExpired(at.service.db), 1);
    const jobs = at.service.db.selectFrom("jobs").select("id").where("name", "=", "classification.clean");
    while ((await jobs.execute()).length > 0) await sleep(20);
    const files = await openFolderFiles(at.service.config.filesDir);
    const stray = `${at.organization.id}/classifications/${newId()}.original`;
    const source = (await keptFiles()).find((path) => path.includes(young)) ?? "";
    await files.put(stray, source);
    assert.equal((await sweep({ db: at.service.db, files }, { trashDays: 7 })).moved, 0);
    const old = storedEarlier(files, 2 * dayMs);
    assert.equal((await sweep({ db: at.service.db, files: old }, { trashDays: 7 })).moved, 1);
    const paths = await keptFiles();
    for (const gone of [deleted, expired, stray])
      assert.equal(
        paths.some((path) => path.includes(gone)),
        false,
        gone,
      );
    assert.equal(paths.filter((path) => path.includes(young)).length, 2);
  });
});
