/** Tests that a standard parser reads back what the client sends as a form. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { UploadBody } from "./request.ts";
import { Upload } from "./upload-body.ts";

/** Sends the body to the form parser of the platform. */
async function parsed(upload: Upload) {
  const { init } = await upload.body();
  const bytes = Buffer.from(await new Response(init.body).arrayBuffer());
  const form = await new Response(bytes, { headers: init.headers }).formData();
  return { bytes, form, length: init.headers["content-length"] };
}

const open = (body: object) => Upload.open(body as UploadBody, undefined);
const bytesOf = async (part: unknown) => Buffer.from(await (part as File).arrayBuffer());

describe("a form", { timeout: 60_000 }, () => {
  test("has the members first and then the bytes of the file, and declares its exact length", async () => {
    const bytes = fc.uint8Array({ maxLength: 3_000 });
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const check = async (content: Uint8Array, path: string, words: string[], keep: boolean) => {
      const body = { file: content, filename: "a.pdf", path, words, keep, absent: undefined };
      for (let attempt = 0; attempt < 2; attempt++) {
        const { bytes: sent, form, length } = await parsed(await open(body));
        assert.equal(length, String(sent.length));
        assert.deepEqual([...form.keys()], ["path", "words", "keep", "file"]);
        assert.equal(form.get("path"), path);
        assert.deepEqual(JSON.parse(String(form.get("words"))), words);
        assert.equal(form.get("keep"), String(keep));
        assert.deepEqual(await bytesOf(form.get("file")), Buffer.from(content));
      }
    };
    await fc.assert(fc.asyncProperty(bytes, text, fc.array(text), fc.boolean(), check), { numRuns: 200 });
  });

  test("contains the bytes of the file unchanged, whatever the source", async () => {
    const content = Buffer.from(Array.from({ length: 600_001 }, (_, index) => (index * 7) % 256));
    const spaced = content.toString("base64").replace(/.{76}/g, "$&\r\n");
    async function* chunks() {
      // Reuses one buffer for all chunks, as some file readers do.
      const buffer = Buffer.alloc(1_000);
      for (let at = 0; at < content.length; at += buffer.length) {
        const length = content.copy(buffer, 0, at);
        yield buffer.subarray(0, length);
      }
    }
    const sources = [content, content.toString("base64"), spaced, new Blob([content]), chunks()];
    for (const [index, file] of sources.entries()) {
      const { form, bytes, length } = await parsed(await open({ file, filename: "a.pdf" }));
      assert.ok((await bytesOf(form.get("file"))).equals(content), `source ${index}`);
      assert.equal(length, index === 4 ? undefined : String(bytes.length));
    }
  });

  test("contains several files with their names, in order", async () => {
    const files = [
      { file: new File(["one"], "1.pdf") },
      { file: btoa("two"), filename: "2.pdf" },
      { file: { path: import.meta.filename } },
    ];
    const { form } = await parsed(await open({ files, lang: "de" }));
    const parts = form.getAll("files") as File[];
    assert.deepEqual(
      parts.map(({ name }) => name),
      ["1.pdf", "2.pdf", "upload-body.test.ts"],
    );
    assert.deepEqual((await Promise.all(parts.slice(0, 2).map((part) => part.text()))).join(), "one,two");
  });

  test("a hostile file name or member cannot add a header, a part or a member", async () => {
    const { init } = await (
      await open({
        file: new Uint8Array(1),
        filename: 'a"\r\nX-Evil: 1\r\n\r\n.pdf',
        'b"\r\n\r\n': "x",
      })
    ).body();
    const text = await new Response(init.body).text();
    assert.deepEqual(
      text.match(/^[\w-]+:.*$/gm)?.map((line) => line.trimEnd()),
      [
        'Content-Disposition: form-data; name="b\\"%0D%0A%0D%0A"',
        "Content-Type: text/plain; charset=utf-8",
        'Content-Disposition: form-data; name="file"; filename="a\\"%0D%0AX-Evil: 1%0D%0A%0D%0A.pdf"',
        "Content-Type: application/octet-stream",
      ],
    );
  });

  test("can be sent again unless a file is a stream", async () => {
    const stream = new Blob(["x"]).stream();
    assert.equal((await open({ file: btoa("x"), filename: "a" })).isRepeatable, true);
    assert.equal((await open({ file: stream, filename: "a" })).isRepeatable, false);
    assert.equal(
      (await open({ files: [{ file: new File(["x"], "a") }, { file: stream, filename: "b" }] })).isRepeatable,
      false,
    );
  });

  test("a string that is not base64, and a source of another kind, are refused", async () => {
    for (const file of ["invoice.pdf", "AAA", "A=AA", "AA==AA==", "ÄÄÄÄ", 5, null, {}])
      await assert.rejects(open({ file, filename: "a.pdf" }), TypeError, String(file));
    await assert.rejects(open({ file: btoa("x") }), /has no name/);
  });
});
