import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../../lib/errors.ts";
import { receiveUploads, uploadsLimits } from "./receive-uploads.ts";

const small = uploadsLimits({ maxFiles: 3, maxFileBytes: 300_000, maxTotalBytes: 500_000 });

/** Receives a body in chunks of the given size. Returns its fields and files. */
async function received(text: string, chunk = 7, limits = small) {
  const files: Buffer[][] = [];
  async function* body() {
    for (let at = 0; at < text.length; at += chunk) yield Buffer.from(text.slice(at, at + chunk), "latin1");
  }
  const openSink = async (index: number) => {
    assert.equal(index, files.length);
    const parts: Buffer[] = [];
    files.push(parts);
    return { write: async (part: Buffer) => void parts.push(Buffer.from(part)) };
  };
  const { fields, sizes } = await receiveUploads(body(), openSink, limits);
  const written = files.map((parts) => Buffer.concat(parts));
  assert.deepEqual(
    sizes,
    written.map(({ length }) => length),
  );
  return { fields: JSON.parse(JSON.stringify(fields)), files: written };
}

const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64");
const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 251));

test("Each file is written to its own sink, whatever the chunks and the order of members", async () => {
  const large = bytesOf(250_000);
  const text = JSON.stringify({
    lang: "de",
    files: [
      { filename: "a", file: base64("one") },
      { file: base64(large), filename: "b" },
      { filename: "c", more: { file: "kept" }, file: base64("three") },
    ],
    file: "kept",
  });
  for (const chunk of [1_000_000, 65_536, 1_021]) {
    const { fields, files } = await received(text, chunk);
    assert.deepEqual(files, [Buffer.from("one"), large, Buffer.from("three")]);
    assert.deepEqual(fields, {
      lang: "de",
      files: [
        { filename: "a", file: "" },
        { file: "", filename: "b" },
        { filename: "c", more: { file: "kept" }, file: "" },
      ],
      file: "kept",
    });
  }
  const short = text.replace(base64(large), base64("two"));
  for (const chunk of [1, 2, 3, 5])
    assert.deepEqual((await received(short, chunk)).files.map(String), ["one", "two", "three"]);
});

test("Escaped keys are recognized; members named file that are not uploaded files stay unchanged", async () => {
  const escaped = String.raw`{"\u0066iles":[{"\u0066\u0069\u006c\u0065":"${base64("x")}"}]}`;
  assert.deepEqual((await received(escaped)).files.map(String), ["x"]);
  const others = JSON.stringify({
    others: [{ file: "a" }],
    files: [[{ file: "b" }], { file: 1, filename: "c" }, { filename: "file" }],
  });
  const { fields, files } = await received(others);
  assert.deepEqual([files, fields], [[], JSON.parse(others)]);
});

test("Too many files, files that are too large and invalid base64 are refused with a pointer to the file", async () => {
  const body = (...files: string[]) => JSON.stringify({ files: files.map((file) => ({ file })) });
  const refused = async (text: string): Promise<AppError> => {
    const error = await received(text, 65_536).then(
      () => assert.fail("it was accepted"),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AppError);
    return error;
  };
  const place = async (text: string) => {
    const { code, detail } = await refused(text);
    return [code, (detail as { issues: { path: string }[] }).issues[0]?.path];
  };
  const one = base64("one");
  assert.deepEqual(await place(body(one, one, one, one)), ["invalid_request", "/files"]);
  assert.deepEqual(await place(body(one, "%")), ["invalid_request", "/files/1/file"]);
  assert.deepEqual(await place(body(one, "")), ["invalid_request", "/files/1/file"]);
  assert.deepEqual(await place(`{"files":[{"file":"${one}","file":"${one}"}]}`), ["invalid_request", "/files/0/file"]);
  const sizes = async (text: string) => {
    const { code, detail } = await refused(text);
    return [code, (detail as { limit: number }).limit];
  };
  assert.deepEqual(await sizes(body(base64(bytesOf(300_001)))), ["file_too_large", 300_000]);
  const half = base64(bytesOf(250_001));
  assert.deepEqual(await sizes(body(half, half)), ["file_too_large", 500_000]);
});
