/** Pages of documents over HTTP, on both databases: words, images, permissions, errors. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join as pathJoin } from "node:path";
import { after, before, test } from "node:test";
import type { PageWordsJson } from "@sheaf/contract/pages.ts";
import sharp from "sharp";
import { newId } from "../src/lib/ids.ts";
import { goldenInputs } from "../src/reading/golden/inputs.ts";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import { receiptWords } from "../src/reading/testing/page-pictures.ts";
import { corpusOf, type Listed, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, join } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const inputs = (await goldenInputs()).filter(({ extension }) => extension !== "xlsx");

/**
 * A PDF with one page per rotation, each with the same words, and another page with words that
 * extend beyond its edge.
 */
const rotated = makePdf({
  pages: [
    ...[0, 90, 180, 270].map((rotate) => ({
      rotate,
      mediaBox: [0, 0, 300, 420] as const,
      marks: [
        { text: "Upper left", x: 20, y: 390, size: 16, bold: true },
        { text: "Lower right", x: 200, y: 20, size: 16, bold: true },
      ],
    })),
    {
      mediaBox: [0, 0, 300, 420],
      marks: [
        { text: "Sticking out to the right of the page", x: 150, y: 200, size: 24 },
        { text: "Over", x: 20, y: 410, size: 40 },
      ],
    },
  ],
});

const long = makePdf({ pages: [{ mediaBox: [0, 0, 100, 5000], marks: [{ text: "Long", x: 10, y: 4900 }] }] });

/** A PDF of many pages that are slow to render. */
const many = makePdf({
  pages: Array.from({ length: 40 }, (_, page) => ({
    marks: Array.from({ length: 60 }, (_, line) => ({
      text: `Line ${line} of page ${page}. `.repeat(4),
      x: 40,
      y: 820 - line * 13,
    })),
    compressed: true,
  })),
});

/** Margin around the box of a word, in pixels, within which the word may be drawn. */
const slack = 3;
const resolved = { resolveWithObject: true } as const;

describeOverDatabases("pages", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  let agent: string;
  /** Document references by file name. */
  const references = new Map<string, string>();
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Pages House");
    corpus = corpusOf(service, organization);
    agent = await corpus.makeAgent();
    const files: [string, Uint8Array][] = [
      ...inputs.map(({ name, extension, bytes }): [string, Uint8Array] => [`${name}.${extension}`, bytes]),
      ["rotated.pdf", rotated],
      ["long.pdf", long],
      ["many.pdf", many],
    ];
    for (const [filename, bytes] of files) {
      const file = Buffer.from(bytes).toString("base64");
      references.set(filename, await corpus.accepted(agent, { filename, file }));
    }
    for (const { name, status } of await corpus.settled(agent)) assert.equal(status, "ready", name);
  });
  after(() => service[Symbol.asyncDispose]());

  const pathOf = (name: string) => `/v2/agents/${agent}/documents/${references.get(name)}`;
  const get = (path: string) => corpus.send("GET", path);
  const wordsOf = async (name: string, page = 1): Promise<PageWordsJson> => {
    const answer = await get(`${pathOf(name)}/pages/${page}/words`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };

  const imageOf = async (name: string, page = 1, width = 900) => {
    const answer = await get(`${pathOf(name)}/pages/${page}/image?width=${width}`);
    assert.equal(answer.status, 200, `${name} ${page}: ${JSON.stringify(answer.body)}`);
    return answer;
  };

  test("the response for one document includes its pages and progress; lists in the API do not", async () => {
    const { body } = await get(pathOf("mixed.pdf"));
    const listed = (await corpus.list(agent)).find(({ name }) => name === "mixed.pdf") as Listed;
    assert.deepEqual(body.data, { ...listed, pages: 3, pages_done: 3 });
    assert.ok(!("pages" in listed));
  });

  test("every page has its words and lines in reading order, and every box lies within the page", async () => {
    for (const name of references.keys()) {
      const { pages } = (await get(pathOf(name))).body.data;
      for (let number = 1; number <= pages; number++) {
        const page = await wordsOf(name, number);
        assert.deepEqual([page.page, page.pages], [number, pages]);
        assert.equal(page.has_image, name !== "letter.docx", name);
        assert.ok(page.words.length > 0 && page.words.every((word) => word !== ""), `${name} ${number}`);
        assert.equal(page.boxes.length, page.words.length);
        for (const [x0, y0, x1, y1] of page.boxes)
          assert.ok(
            x0 >= 0 && y0 >= 0 && x1 <= page.width && y1 <= page.height && x0 <= x1 && y0 <= y1,
            `${name} ${number}: ${[x0, y0, x1, y1]}`,
          );
        assert.deepEqual(
          page.lines.flatMap(([start, end]) => Array.from({ length: end - start }, (_, index) => start + index)),
          page.words.map((_, index) => index),
          `the lines of ${name} ${number} contain every word once`,
        );
      }
    }
    for (const name of ["receipt.png", "receipt.heic", "scanned.pdf"]) {
      const { words, source } = await wordsOf(name);
      assert.equal(source, "ocr");
      const found = receiptWords.filter((word) => words.includes(word));
      assert.ok(found.length > receiptWords.length * 0.8, `${name}: ${words.join(" ")}`);
    }
  });

  test("boxes refer to the page in its upright position, whatever its rotation", async () => {
    for (const number of [1, 2, 3, 4]) {
      const { width, height, words, boxes } = await wordsOf("rotated.pdf", number);
      assert.deepEqual([width, height], number % 2 === 1 ? [300, 420] : [420, 300]);
      assert.ok(words.includes("Upper") && boxes.length === 4);
    }
  });

  test("a page number that the document does not have, or that is written as 1.0 or 01, gets 404", async () => {
    for (const page of ["0", "2", "-1", "1.0", "01", "1e0", "x", "999999999999", "%20", "1;"])
      for (const part of ["words", "image"]) {
        const answer = await get(`${pathOf("invoice.pdf")}/pages/${page}/${part}`);
        assert.deepEqual([answer.status, answer.body.code], [404, "page_not_found"], page);
      }
  });

  test("the dark pixels of a page image are inside the boxes of words, and each box contains some", async () => {
    for (const name of references.keys()) {
      if (name === "letter.docx" || name === "many.pdf") continue;
      const { pages } = (await get(pathOf(name))).body.data;
      for (let number = 1; number <= pages; number++) {
        const page = await wordsOf(name, number);
        const image = await sharp((await imageOf(name, number)).body)
          .greyscale()
          .raw()
          .toBuffer(resolved);
        const { width, height } = image.info;
        assert.ok(Math.abs(width / height - page.width / page.height) < 0.01, `${name} ${number}: ${width} ${height}`);
        const scale = width / page.width;
        const isWordAt = new Uint8Array(width * height);
        for (const [index, box] of page.boxes.entries()) {
          const [x0, y0, x1, y1] = box.map((value) => value * scale) as [number, number, number, number];
          // Skips Japanese words: their font is not embedded, so they are not drawn.
          if (/[\u3040-\u9fff]/.test(page.words[index] ?? "")) continue;
          let dark = 0;
          for (let y = Math.max(0, Math.floor(y0 - slack)); y < Math.min(height, y1 + slack); y++)
            for (let x = Math.max(0, Math.floor(x0 - slack)); x < Math.min(width, x1 + slack); x++) {
              isWordAt[y * width + x] = 1;
              if ((image.data[y * width + x] ?? 255) < 128) dark++;
            }
          assert.ok(dark > 0, `${name} ${number}: nothing is drawn where "${page.words[index]}" should be`);
        }
        // Skips pages that have dark pixels other than words: lines of tables, and parts of words
        // at the edge of the page.
        if (name === "invoice.pdf" || name === "mixed.pdf" || (name === "rotated.pdf" && number === 5)) continue;
        let [inside, outside] = [0, 0];
        for (const [at, gray] of image.data.entries()) if (gray < 128) isWordAt[at] ? inside++ : outside++;
        assert.ok(
          inside > 50 * outside,
          `${name} ${number}: ${outside} of ${inside + outside} dark pixels are outside`,
        );
      }
    }
  });

  test("an image has one of two widths, and is not rendered again for a client that already has it", async () => {
    const path = `${pathOf("invoice.pdf")}/pages/1/image`;
    const small = await get(path);
    assert.equal(small.status, 200);
    assert.equal(small.headers.get("content-type"), "image/webp");
    assert.equal(small.headers.get("cache-control"), "private, max-age=3600");
    const etag = small.headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]{27}"$/);
    const large = await get(`${path}?width=1800`);
    const widths = [small, large].map(async ({ body }) => (await sharp(body).metadata()).width);
    assert.deepEqual(await Promise.all(widths), [900, 1800]);
    assert.notEqual(large.headers.get("etag"), etag);
    const again = await get(`${path}?width=900`);
    assert.deepEqual([again.headers.get("etag"), again.body], [etag, small.body]);
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await organization.administrator.send("GET", path, undefined, { "if-none-match": header });
      assert.deepEqual([answer.status, answer.body, answer.headers.get("etag")], [304, "", etag], header);
    }
    for (const header of ['"x"', large.headers.get("etag") ?? "", etag.slice(1, -1)]) {
      const answer = await organization.administrator.send("GET", path, undefined, { "if-none-match": header });
      assert.equal(answer.status, 200, header);
    }
    for (const query of ["width=901", "width=", "width=900.0", "width=900&width=1800", "width=abc"]) {
      const answer = await get(`${path}?${query}`);
      assert.deepEqual([answer.status, answer.body.code], [422, "invalid_request"], query);
      assert.equal(answer.body.detail.issues[0].path, "/width");
    }
  });

  test("a docx has words but no image", async () => {
    const answer = await get(`${pathOf("letter.docx")}/pages/1/image`);
    assert.deepEqual([answer.status, answer.body.code], [404, "page_image_unavailable"]);
  });

  test("an image file is never enlarged, and a very long page is narrower", async () => {
    const { info } = await sharp((await imageOf("receipt.png", 1, 1800)).body).toBuffer(resolved);
    assert.deepEqual([info.width, info.height], [832, 1165]);
    const long = await sharp((await imageOf("long.pdf", 1, 1800)).body).toBuffer(resolved);
    assert.ok(
      long.info.height <= 16_000 && Math.abs(long.info.height / long.info.width - 50) < 1,
      `${long.info.height}`,
    );
  });

  test("if a stored file becomes corrupt, only requests for its page images fail", async () => {
    const other = await corpus.makeAgent();
    const reference = await corpus.accepted(other, {});
    await corpus.settled(other);
    const stored = pathJoin(service.config.filesDir, organization.id, other, `${reference}.original`);
    const path = `/v2/agents/${other}/documents/${reference}/pages/1/image`;
    // Replaces the stored file to simulate a renderer that crashes on a page that the reader could
    // read.
    await rm(stored);
    await writeFile(stored, Buffer.from("%PDF-1.7\n1 0 obj <<"));
    for (let times = 0; times < 2; times++) {
      const answer = await get(path);
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.detail],
        [502, "extraction_failed", { reason: "corrupt" }],
      );
    }
    await rm(stored);
    const gone = await get(`${path}?width=1800`);
    assert.deepEqual([gone.status, gone.body.code], [404, "document_not_found"]);
    assert.equal((await get(`${path.replace("/image", "/words")}`)).status, 200);
    assert.equal((await imageOf("receipt.png")).status, 200);
  });

  test("clients that disconnect do not delay images and health checks of others", async () => {
    const leaving = Array.from({ length: 30 }, (_, index) => {
      const url = `${service.url}${pathOf("many.pdf")}/pages/${index + 1}/image?width=1800`;
      return fetch(url, {
        headers: { "x-api-key": organization.administrator.token },
        signal: AbortSignal.timeout(300),
      });
    });
    await Promise.allSettled(leaving);
    const health = fetch(`${service.url}/healthz`);
    assert.equal((await imageOf("many.pdf", 40)).status, 200);
    assert.equal((await health).status, 200);
  });

  test("a failed document includes the reason, and has no pages", async () => {
    const broken = await corpus.makeAgent();
    const file = Buffer.from("<html>No PDF at all</html>").toString("base64");
    const reference = await corpus.accepted(broken, { filename: "broken.pdf", file });
    await corpus.settled(broken);
    const path = `/v2/agents/${broken}/documents/${reference}`;
    const { data } = (await get(path)).body;
    assert.deepEqual([data.status, data.pages, data.pages_done], ["error", null, 0]);
    assert.deepEqual(data.error, { code: "corrupt", message: "The file is not a PDF." });
    for (const part of ["words", "image"]) {
      const answer = await get(`${path}/pages/1/${part}`);
      assert.deepEqual([answer.status, answer.body.code], [409, "document_not_ready"]);
    }
    const ada = await join(service, organization, "administrator");
    const [inApp] = (await ada.send("GET", `/v2/agents/${broken}/documents`)).body.data;
    assert.deepEqual(inApp, data);
    const [inApi] = await corpus.list(broken);
    assert.ok(!("error" in (inApi as object)));
  });

  test("a pending document has its progress and no pages yet", async () => {
    const set = (status: "pending" | "ready") =>
      service.db
        .updateTable("documents")
        .set({ status, pages_done: 2 })
        .where("id", "=", references.get("mixed.pdf") ?? "")
        .execute();
    await set("pending");
    const { data } = (await get(pathOf("mixed.pdf"))).body;
    assert.deepEqual([data.status, data.pages, data.pages_done], ["pending", 3, 2]);
    for (const part of ["words", "image"]) {
      const answer = await get(`${pathOf("mixed.pdf")}/pages/1/${part}`);
      assert.deepEqual([answer.status, answer.body.code], [409, "document_not_ready"]);
    }
    await set("ready");
  });

  test("pages are visible only to callers who may list the documents of the corpus", async () => {
    const stranger = await service.organization("Strangers");
    const ada = await join(service, organization, "administrator");
    const bob = await join(service, organization, "member");
    const paths = ["", "/pages/1/words", "/pages/1/image"];
    const statuses = async (by: Pick<Browser, "send">) =>
      Promise.all(paths.map(async (rest) => (await by.send("GET", pathOf("invoice.pdf") + rest)).status));
    const all = (status: number) => paths.map(() => status);
    assert.deepEqual(await statuses(bob), all(200));
    assert.deepEqual(await statuses(stranger.administrator), all(404));
    // A request that names an agent of one organization and a document of another is refused as
    // well.
    const theirs = await corpusOf(service, stranger).makeAgent();
    for (const rest of paths) {
      const mixed = `/v2/agents/${theirs}/documents/${references.get("invoice.pdf")}${rest}`;
      const answer = await stranger.administrator.send("GET", mixed);
      assert.deepEqual([answer.status, answer.body.code], [404, "document_not_found"]);
    }
    const set = async (visibility: string) =>
      assert.equal((await ada.send("PUT", `/v2/agents/${agent}/access`, { visibility })).status, 200);
    await set("private");
    assert.deepEqual(await statuses(ada), all(200));
    for (const by of [bob, organization.administrator, stranger.administrator])
      assert.deepEqual(await statuses(by), all(404));
    await set("organization");
    for (const reference of [newId(), "no-uuid", "..%2f.."])
      for (const rest of paths) {
        const answer = await get(`/v2/agents/${agent}/documents/${reference}${rest}`);
        assert.deepEqual([answer.status, answer.body.code], [404, "document_not_found"]);
      }
    const extractor = await corpus.makeAgent("EXTRACTOR");
    for (const rest of paths) {
      const answer = await get(`/v2/agents/${extractor}/documents/${newId()}${rest}`);
      assert.deepEqual([answer.status, answer.body.code], [422, "invalid_agent_type"]);
    }
  });

  test("after a document is deleted, its pages get 404, even for a client that has cached an image", async () => {
    const path = pathOf("receipt.jpg");
    const { headers } = await imageOf("receipt.jpg");
    assert.equal((await corpus.send("DELETE", path)).status, 200);
    for (const rest of ["", "/pages/1/words", "/pages/1/image"]) {
      const known = { "if-none-match": headers.get("etag") ?? "" };
      const answer = await organization.administrator.send("GET", path + rest, undefined, known);
      assert.deepEqual([answer.status, answer.body.code], [404, "document_not_found"]);
    }
  });
});
