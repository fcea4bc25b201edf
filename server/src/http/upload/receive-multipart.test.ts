import assert from "node:assert/strict";
import { test } from "node:test";
import { Busboy } from "@fastify/busboy";
import { StartExtractionRequest } from "@sheaf/contract/extraction.ts";
import fc from "fast-check";
import { AppError } from "../../lib/errors.ts";
import { memberKinds } from "./form-members.ts";
import { boundaryOf } from "./multipart-scanner.ts";
import { type MultipartLimits, receiveMultipart } from "./receive-multipart.ts";
import { chunksOf, issuesOf, MemorySink } from "./testing/receive.ts";

const boundary = "----boundary7";
const kinds = memberKinds(StartExtractionRequest);
const one: MultipartLimits = { maxFileBytes: 1000 };
const several: MultipartLimits = { maxFileBytes: 1000, several: { maxFiles: 3, maxTotalBytes: 1500 } };

interface Part {
  head: string;
  content: string | Buffer;
}

const part = (name: string, content: string | Buffer, filename?: string): Part => ({
  head: `Content-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}`,
  content,
});
const form = (...parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

async function receive(body: Buffer, { limits = one, chunks = 65_536 } = {}) {
  const sinks: MemorySink[] = [];
  const openSink = () => {
    const sink = new MemorySink();
    sinks.push(sink);
    return sink;
  };
  // The scanner may keep references to a chunk, and the sink overwrites chunks. So each call
  // receives a copy of the bytes.
  const received = await receiveMultipart(chunksOf(Buffer.from(body), chunks), openSink, { boundary, kinds, limits });
  return { ...received, fields: { ...received.fields }, files: sinks.map(({ bytes }) => bytes) };
}

/**
 * Receives a body and returns the error as one line, or "accepted" if there is no error. Asserts
 * that the result is the same for every tested chunk size.
 */
async function refusal(body: Buffer, limits = one): Promise<string> {
  const lines = new Set<string>();
  for (const chunks of [1, 2, 3, 7, 65_536])
    lines.add(
      await receive(body, { limits, chunks }).then(
        () => "accepted",
        (error) => {
          if (error instanceof AppError && error.code === "file_too_large") return JSON.stringify(error.detail);
          return issuesOf(error)
            .map(({ path, message }) => `${path}: ${message}`)
            .join("; ");
        },
      ),
    );
  assert.equal(lines.size, 1, [...lines].join(" | "));
  return [...lines].join();
}

test("parts become the members of the JSON body, and the part `file` becomes the file, whatever the order of the parts", async () => {
  const file = Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n\0\xff--`, "latin1");
  const parts = [
    part("params", ' [{"name":"total"}] '),
    part("include", "evidence"),
    part("keep", "true"),
    part("callback", "https://example.com/é"),
  ];
  for (const order of [
    [...parts, part("file", file, "a.pdf")],
    [part("file", file, "a.pdf"), ...parts],
  ])
    for (const chunks of [1, 2, 5, 64, 65_536]) {
      const { fields, files, sizes } = await receive(form(...order), { chunks });
      assert.deepEqual([files, sizes], [[file], [file.length]]);
      assert.equal(
        JSON.stringify(fields),
        '{"params":[{"name":"total"}],"keep":true,"callback":"https://example.com/é","include":["evidence"],"filename":"a.pdf"}',
      );
    }
});

test("a list of strings may be sent as one JSON array or as several parts with the same name; a part `filename` sets the file name", async () => {
  const file = part("file", "x", "a.pdf");
  const included = async (...parts: Part[]) => (await receive(form(...parts, file))).fields.include;
  assert.deepEqual(await included(part("include", '["a","b"]')), ["a", "b"]);
  assert.deepEqual(await included(part("include", "a"), part("include", "b")), ["a", "b"]);
  assert.deepEqual((await receive(form(part("filename", "b.pdf"), file))).fields, { filename: "b.pdf" });
  assert.deepEqual((await receive(form(file, part("filename", "b.pdf")))).fields, { filename: "b.pdf" });
  assert.deepEqual((await receive(form(part("file", "x")))).fields, {});
  // A member may be sent as a file, as with curl -F params=@params.json.
  assert.deepEqual((await receive(form(file, part("params", "[]", "params.json")))).fields.params, []);
});

test("each of several files becomes an object in `files`, with its file name", async () => {
  const body = form(part("files", "one", "1.pdf"), part("lang", "de"), part("files", "three"));
  const { fields, files, sizes } = await receive(body, { limits: several });
  assert.equal(JSON.stringify(fields), '{"lang":"de","files":[{"filename":"1.pdf","file":""},{"file":""}]}');
  assert.deepEqual(
    [files.map(String), sizes],
    [
      ["one", "three"],
      [3, 5],
    ],
  );
});

test("file names may be quoted, escaped, non-ASCII, or sent as an extended value (RFC 8187)", async () => {
  const named = async (parameters: string) => {
    const head = `content-disposition:form-data ;name=file;${parameters}\r\nContent-Type: application/pdf`;
    return (await receive(form({ head, content: "x" }))).fields.filename;
  };
  assert.equal(await named('filename="a; b=\\"c\\".pdf"'), 'a; b="c".pdf');
  assert.equal(await named('filename="C:\\dir\\a.pdf"'), "C:\\dir\\a.pdf");
  assert.equal(await named('filename="Lösung 漢.pdf"'), "Lösung 漢.pdf");
  assert.equal(await named("filename=a.pdf"), "a.pdf");
  assert.equal(await named("filename=\"L.pdf\"; filename*=UTF-8''L%C3%B6.pdf"), "Lö.pdf");
});

test("refuses malformed bodies, unknown members and exceeded limits, with the reason", async () => {
  const file = part("file", "x", "a.pdf");
  const whole = form(file).toString("latin1");
  const raw = (text: string) => refusal(Buffer.from(text, "latin1"));
  const table: [Promise<string>, string][] = [
    [raw(""), ": ends before the closing boundary"],
    [raw("{}"), ": does not begin with its boundary"],
    [raw("--other\r\n"), ": does not begin with its boundary"],
    [raw(whole.slice(0, 20)), ": ends before the closing boundary"],
    [raw(whole.slice(0, 60)), ": ends before the closing boundary"],
    [raw(whole.slice(0, -4)), ": ends before the closing boundary"],
    [raw(`${whole}--${boundary}\r\n`), ": continues after its closing boundary"],
    [raw(whole.replace(`${boundary}\r`, `${boundary} x\r`)), ": has text after a boundary"],
    [raw(`--${boundary}\r\n${"a".repeat(9000)}`), ": the header of a part has more than 8192 bytes"],
    [raw(`--${boundary}\r\n\r\nx\r\n--${boundary}--`), ": the header of a part is malformed"],
    [raw(whole.replace("form-data", "attachment")), ": a part has no Content-Disposition: form-data with a name"],
    [raw(whole.replace('name="file"', 'name=""')), ": a part has no Content-Disposition: form-data with a name"],
    [
      raw(whole.replace('name="file"', 'name="file"; name="x"')),
      ": a part has no Content-Disposition: form-data with a name",
    ],
    [raw(whole.replace("a.pdf", "\xff.pdf")), ": the header of a part is malformed"],
    [
      raw(whole.replace("\r\n\r\n", "\r\nContent-Transfer-Encoding: base64\r\n\r\n")),
      "/file: must be sent as it is, without Content-Transfer-Encoding",
    ],
    [refusal(form(file, file)), "/file: is given twice"],
    [refusal(form(part("keep", "true"), part("keep", "true"), file)), "/keep: is given twice"],
    [refusal(form(part("include", "a"), part("include", "[]"), file)), "/include: is given twice"],
    [refusal(form(part("params", '[],"file":1'), file)), "/params: is not valid JSON"],
    [refusal(form(part("params", '{"a":1,"a":2}'), file)), "/params/a: is given twice"],
    [refusal(form(part("params", "[".repeat(70) + "]".repeat(70)), file)), ": nests deeper than 64 levels"],
    [refusal(form(part("callback", Buffer.from([0xff])), file)), "/callback: is not valid UTF-8"],
    [refusal(form(part("document", "x", "a.pdf"))), '/document: is not a member of the body: a file belongs to "file"'],
    [refusal(form(part("file", "", "a.pdf"))), "/file: must not be empty"],
    [refusal(form(...Array.from({ length: 102 }, (_, index) => part(`x${index}`, "")))), ": has more than 101 parts"],
    [refusal(form(part("file", "x".repeat(1200), "a.pdf"))), '{"limit":1000,"size":1200}'],
    [
      refusal(form(...["a", "b", "c", "d"].map((name) => part("files", "x", name))), several),
      "/files: must not have more than 3 items",
    ],
    [refusal(form(part("files", "", "a.pdf")), several), "/files/0/file: must not be empty"],
  ];
  for (const [given, expected] of table) assert.equal(await given, expected);
  const large = form(part("callback", "x".repeat(6 * 1024 * 1024)), file);
  await assert.rejects(receive(large), (error) => issuesOf(error)[0]?.message.startsWith("takes more than") ?? false);
  for (const type of [
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary="a b "',
    `multipart/form-data; boundary=${"a".repeat(71)}`,
    "multipart/form-data; boundary=a; boundary=b",
  ])
    assert.throws(() => boundaryOf(type), { code: "invalid_request" }, type);
  assert.equal(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b"'), "a b");
});

test("gives the same result as another parser for well-formed bodies", async () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .string({ unit: fc.constantFrom("\r", "\n", "-", boundary, `\r\n--${boundary.slice(0, 5)}`, "x") })
      .map(Buffer.from),
  );
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 1, max: 400 }), async (bytes, chunks) => {
      fc.pre(
        bytes.length > 0 && !bytes.includes(`\r\n--${boundary}`) && !bytes.subarray(0, 20).includes(`--${boundary}`),
      );
      const body = form(part("callback", "é\r\n"), part("file", bytes, "a.pdf"));
      const { files, fields } = await receive(body, { chunks });
      const other = await busboy(body);
      assert.deepEqual([files, fields.callback, fields.filename], [other.files, other.callback, "a.pdf"]);
    }),
    { numRuns: 200 },
  );
});

test("every mutated body is accepted or refused with `invalid_request`; no other error occurs", async () => {
  const whole = form(part("params", "[]"), part("file", "content", "a.pdf"), part("include", "evidence"));
  const piece = fc.constantFrom(
    "\r\n",
    "--",
    `--${boundary}`,
    `\r\n--${boundary}--`,
    ":",
    '"',
    ";",
    "\0",
    "\xff",
    "name=",
    "=",
  );
  const change = fc.record({ at: fc.nat(whole.length), remove: fc.nat(30), insert: fc.array(piece, { maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 200 }),
      async (changes, chunks) => {
        let text = whole.toString("latin1");
        for (const { at, remove, insert } of changes)
          text = text.slice(0, at) + insert.join("") + text.slice(at + remove);
        await receive(Buffer.from(text, "latin1"), { chunks }).catch((error) => issuesOf(error));
      },
    ),
    { numRuns: 1000 },
  );
});

test("takes linear time for bodies full of text that is almost a boundary", async () => {
  const almost = `\r\n--${boundary.slice(0, -1)}`;
  const milliseconds = async (repeats: number) => {
    const body = form(part("file", almost.repeat(repeats), "a.pdf"));
    const startedAt = process.cpuUsage().user;
    await receive(body, { limits: { maxFileBytes: body.length }, chunks: 4096 });
    return (process.cpuUsage().user - startedAt) / 1000;
  };
  await milliseconds(20_000);
  const [short, long] = [await milliseconds(20_000), await milliseconds(160_000)];
  assert.ok(long < 30 * Math.max(short, 5), `${short} ms, ${long} ms`);
});

function busboy(body: Buffer): Promise<{ files: Buffer[]; callback: string }> {
  return new Promise((resolve, reject) => {
    const parser = new Busboy({ headers: { "content-type": `multipart/form-data; boundary=${boundary}` } });
    const files: Promise<Buffer>[] = [];
    let callback = "";
    parser.on("file", (_name, stream) => {
      files.push(stream.toArray().then((chunks) => Buffer.concat(chunks)));
    });
    parser.on("field", (_name, value) => {
      callback = value;
    });
    parser.on("error", reject);
    parser.on("finish", async () => resolve({ files: await Promise.all(files), callback }));
    parser.end(body);
  });
}
