/** Pages of documents over HTTP, on both databases: words, images, permissions, errors. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { PageWordsJson } from "@sheaf/contract/pages.ts";
import { newId } from "../src/lib/ids.ts";
import { goldenInputs } from "../src/reading/golden/inputs.ts";
import { makePdf } from "../src/reading/testing/make-pdf.ts";
import { receiptWords } from "../src/reading/testing/page-pictures.ts";
import { corpusOf, type Listed, type TestCorpus } from "./helpers/corpus.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { type Browser, join } from "./helpers/people.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

const inputs = (await goldenInputs()).filter(({ extension }) => extension !== "xlsx");

/** Pages in all four rotations, each with the same marks, and one that words stick out of. */
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

describeOverDatabases("pages", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  let corpus: TestCorpus;
  let agent: string;
  /** References by file name. */
  const references = new Map<string, string>();
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Pages House");
    corpus = corpusOf(service, organization);
    agent = await corpus.makeAgent();
    const files: [string, Uint8Array][] = [
      ...inputs.map(({ name, extension, bytes }): [string, Uint8Array] => [`${name}.${extension}`, bytes]),
      ["rotated.pdf", rotated],
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

  test("a document by reference has its pages and its progress; the API's list has not", async () => {
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
          `the lines of ${name} ${number} hold every word once`,
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

  test("boxes are those of the upright page, whatever the rotation", async () => {
    for (const number of [1, 2, 3, 4]) {
      const { width, height, words, boxes } = await wordsOf("rotated.pdf", number);
      assert.deepEqual([width, height], number % 2 === 1 ? [300, 420] : [420, 300]);
      assert.ok(words.includes("Upper") && boxes.length === 4);
    }
  });

  test("a page that the document does not have is 404, whatever its number looks like", async () => {
    for (const page of ["0", "2", "-1", "1.0", "01", "1e0", "x", "999999999999", "%20", "1;"]) {
      const answer = await get(`${pathOf("invoice.pdf")}/pages/${page}/words`);
      assert.deepEqual([answer.status, answer.body.code], [404, "page_not_found"], page);
    }
  });

  test("a document that failed carries its reason, and has no pages", async () => {
    const broken = await corpus.makeAgent();
    const file = Buffer.from("<html>No PDF at all</html>").toString("base64");
    const reference = await corpus.accepted(broken, { filename: "broken.pdf", file });
    await corpus.settled(broken);
    const path = `/v2/agents/${broken}/documents/${reference}`;
    const { data } = (await get(path)).body;
    assert.deepEqual([data.status, data.pages, data.pages_done], ["error", null, 0]);
    assert.deepEqual(data.error, { code: "corrupt", message: "The file is not a PDF." });
    const words = await get(`${path}/pages/1/words`);
    assert.deepEqual([words.status, words.body.code], [409, "document_not_ready"]);
    const ada = await join(service, organization, "administrator");
    const [inApp] = (await ada.send("GET", `/v2/agents/${broken}/documents`)).body.data;
    assert.deepEqual(inApp, data);
    const [inApi] = await corpus.list(broken);
    assert.ok(!("error" in (inApi as object)));
  });

  test("pages are visible to whoever may list the documents, and to nobody else", async () => {
    const stranger = await service.organization("Strangers");
    const ada = await join(service, organization, "administrator");
    const bob = await join(service, organization, "member");
    const paths = ["", "/pages/1/words"];
    const statuses = async (by: Pick<Browser, "send">) =>
      Promise.all(paths.map(async (rest) => (await by.send("GET", pathOf("invoice.pdf") + rest)).status));
    const all = (status: number) => paths.map(() => status);
    assert.deepEqual(await statuses(bob), all(200));
    assert.deepEqual(await statuses(stranger.administrator), all(404));
    // The agent of one organization and the document of another do not add up either.
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

  test("a deleted document is gone at once", async () => {
    const path = pathOf("receipt.jpg");
    assert.equal((await corpus.send("DELETE", path)).status, 200);
    for (const rest of ["", "/pages/1/words"]) {
      const answer = await get(path + rest);
      assert.deepEqual([answer.status, answer.body.code], [404, "document_not_found"]);
    }
  });
});
