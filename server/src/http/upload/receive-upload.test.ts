import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";
import { checkContentLength, maxBodyBytes, receiveUpload, uploadLimits } from "./receive-upload.ts";
import { chunksOf, issuesOf, MemorySink, receive } from "./testing/receive.ts";

const hello = Buffer.from("hello?>~~~\u00ff\u00ff", "latin1"); // The base64 of this text contains both "/" and "+".
const base64 = hello.toString("base64");

/**
 * Receives a body and returns the error as one line, or "accepted" if there is no error. Asserts
 * that the result is the same for every tested chunk size.
 */
async function refusal(body: string | Uint8Array): Promise<string> {
  const lines = new Set<string>();
  for (const chunks of [1, 2, 3, 7, 65_536]) {
    const line = await receive(body, { chunks }).then(
      () => "accepted",
      (error) =>
        issuesOf(error)
          .map(({ path, message }) => `${path}: ${message}`)
          .join("; "),
    );
    lines.add(line);
  }
  assert.equal(lines.size, 1, [...lines].join(" | "));
  return [...lines].join();
}

/**
 * Asserts that receiving the body yields the expected file and fields, for every tested chunk size.
 */
async function assertFile(body: string, expected: Buffer, fields: Record<string, unknown> = {}): Promise<void> {
  for (const chunks of [1, 2, 3, 5, 65_536]) {
    const received = await receive(body, { chunks });
    assert.deepEqual(received.bytes, expected, body);
    assert.deepEqual(received.file, { size: expected.length });
    assert.deepEqual({ ...received.fields }, fields);
  }
}

test("finds the file before, between and after the other members", async () => {
  const file = `"file":"${base64}"`;
  await assertFile(`{${file}}`, hello);
  await assertFile(`{${file},"filename":"a.pdf"}`, hello, { filename: "a.pdf" });
  await assertFile(`{"filename":"a.pdf",${file}}`, hello, { filename: "a.pdf" });
  await assertFile(` \r\n\t{ "a" : 1 , "file" : "${base64}" , "b" : [ 2 ] } \n`, hello, { a: 1, b: [2] });
});

test("reads only the top-level member named file", async () => {
  const body = `{"x":"file","a":{"file":"!"},"b":["file","file",{"file":"?"}],"file":"${base64}","files":"","\\"file":1,"c":"\\\\"}`;
  const nested = Object.assign(Object.create(null), { file: "!" });
  const inArray = Object.assign(Object.create(null), { file: "?" });
  const fields = { x: "file", a: nested, b: ["file", "file", inArray], files: "", '"file': 1, c: "\\" };
  await assertFile(body, hello, fields);
});

test("accepts escaped characters in the key `file` and in the base64", async () => {
  await assertFile(`{"\\u0066\\u0069\\u006c\\u0065":"${base64}"}`, hello);
  await assertFile(`{"f\\u0069le":"${base64.replaceAll("/", "\\/")}"}`, hello);
  const escaped = [...base64].map((c) => `\\u00${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
  await assertFile(`{"file":"${escaped}"}`, hello);
  await assertFile(`{"file":"${escaped.toUpperCase().replaceAll("\\U", "\\u")}"}`, hello);
});

test("allows ASCII white space inside the base64", async () => {
  await assertFile(`{"file":"${base64.replace(/.{4}/g, "$&\\r\\n")}"}`, hello);
  await assertFile(`{"file":"${base64.replace(/./g, "$& \\t\\u000a\\u000D")}"}`, hello);
});

test("leaves the file undefined if there is none", async () => {
  const received = await receive('{"filename":"a.pdf"}');
  assert.equal(received.file, undefined);
  assert.equal(received.bytes.length, 0);
  assert.deepEqual({ ...received.fields }, { filename: "a.pdf" });
});

test("refuses base64 that is not strict", async () => {
  const alphabet = "/file: must be base64 of the standard alphabet, without a prefix: it contains a character";
  const table: [text: string, issue: string][] = [
    ["QUJ!", `${alphabet} "!"`],
    ["data:application/pdf;base64,QUJD", `${alphabet} ":"`],
    ["_-8=", `${alphabet} "_"`],
    ["AA-A", `${alphabet} "-"`],
    ["QUJD\\\\", `${alphabet} "\\\\"`],
    ['QUJD\\"', `${alphabet} "\\""`],
    ["QUJD\\f", `${alphabet} "\\f"`],
    ["QUJD\\u0000", `${alphabet} "\\u0000"`],
    ["QUJD\\u00a0", `${alphabet} that is not ASCII`],
    ["QUJD\u00e9", `${alphabet} that is not ASCII`],
    ["QUJD\\ud800", `${alphabet} that is not ASCII`],
    ["QQ", "/file: must be base64 with full padding: the last group is incomplete"],
    ["QQ=", "/file: must be base64 with full padding: the last group is incomplete"],
    ["QUI", "/file: must be base64 with full padding: the last group is incomplete"],
    ["QUJDR", "/file: must be base64 with full padding: the last group is incomplete"],
    ["QQ==QUJD", "/file: must be base64: characters follow the padding"],
    ["QQ=Q", "/file: must be base64: characters follow the padding"],
    ["QQ===", '/file: must be base64: "=" is misplaced'],
    ["=", '/file: must be base64: "=" is misplaced'],
    ["QR==", "/file: must be base64: the last character before the padding has bits set that the padding drops"],
    ["QUJ=", "/file: must be base64: the last character before the padding has bits set that the padding drops"],
    ["", "/file: must not be empty"],
    [" \\r\\n", "/file: must not be empty"],
  ];
  for (const [text, issue] of table) assert.equal(await refusal(`{"filename":"a.pdf","file":"${text}"}`), issue, text);
});

test("refuses a file that is not a JSON string", async () => {
  for (const value of ["null", "1", "true", "{}", '["QUJD"]']) {
    assert.equal(await refusal(`{"file":${value}}`), "/file: must be a string");
  }
  assert.equal(
    await refusal('{"file":"QUJD\r\nQUJD"}'),
    "/file: is not a JSON string: it contains a bare control character",
  );
  assert.equal(
    await refusal('{"file":"QUJD\\x"}'),
    "/file: is not a JSON string: it contains an escape that JSON does not define",
  );
  assert.equal(
    await refusal('{"file":"QUJD\\u00g1"}'),
    "/file: is not a JSON string: it contains an escape that JSON does not define",
  );
});

test("refuses a duplicate key, at every level", async () => {
  assert.equal(await refusal('{"file":"QUJD","file":"QUJD"}'), "/file: is given twice");
  assert.equal(await refusal('{"file":"QUJD","f\\u0069le":"QUJD"}'), "/file: is given twice");
  assert.equal(await refusal('{"file":1,"file":"QUJD"}'), "/file: is given twice");
  assert.equal(await refusal('{"file":"QUJD","file":1}'), "/file: is given twice");
  assert.equal(await refusal('{"a":1,"file":"QUJD","a":1}'), "/a: is given twice");
  assert.equal(await refusal('{"file":"QUJD","params":[{"name":"a","name":"b"}]}'), "/params/0/name: is given twice");
});

test("refuses bodies that are not one JSON object", async () => {
  assert.equal(await refusal(""), ": is empty: a JSON object is expected");
  assert.equal(await refusal(" \n"), ": is empty: a JSON object is expected");
  const wrong = ["[]", '"file"', "null", "1", "file=QUJD", "\0", '\ufeff{"file":"QUJD"}', '\ufffe{"file":"QUJD"}'];
  for (const text of [...wrong, Buffer.from('\ufeff{"file":"QUJD"}', "utf16le")]) {
    assert.equal(await refusal(text), ": is not a JSON object: it must begin with {, without a byte order mark");
  }
  assert.equal(await refusal(Buffer.from('{"a":1}', "utf16le")), ": is not valid JSON");
});

test("refuses truncated JSON and data after its end", async () => {
  const body = `{"a":["\\n",{}],"file":"${base64}","b":"c"}`;
  for (let length = 1; length < body.length; length++) {
    const issue = await refusal(body.slice(0, length));
    assert.match(issue, /^: ends before its JSON is complete$/, body.slice(0, length));
  }
  for (const rest of ["x", "{}", ",", '"', "}", "]", "\0", '{"file":"QUJD"}', ',"file":"QUJD"']) {
    assert.notEqual(await refusal(body + rest), "accepted", rest);
  }
  assert.equal(await refusal(`${body} \r\n\t`), "accepted");
});

test("refuses malformed JSON around the file member", async () => {
  for (const body of [
    '{"file" "QUJD"}',
    '{"file"::"QUJD"}',
    '{"file":"QUJD""QUJD"}',
    '{"a":"file":"QUJD"}',
    '{"file":x"QUJD"}',
    '{"file":[]"QUJD"}',
    '{:"QUJD"}',
    '{,"file":"QUJD"}',
    '{"file":"QUJD",}',
    '{]["file":"QUJD"}',
    '{}["file":"QUJD"}',
  ]) {
    assert.notEqual(await refusal(body), "accepted", body);
  }
});

test("refuses invalid UTF-8, unpaired surrogates and numbers out of range", async () => {
  assert.equal(await refusal(Buffer.from('{"a":"\u00e9","file":"QUJD"}', "latin1")), ": is not valid UTF-8");
  assert.equal(await refusal('{"a":"\\ud800","file":"QUJD"}'), "/a: contains an unpaired surrogate");
  assert.equal(await refusal('{"a":1e999,"file":"QUJD"}'), "/a: is a number out of range");
});

test("refuses deep nesting without deep recursion", async () => {
  const levels = (count: number) => `{"file":"QUJD","a":${"[".repeat(count)}${"]".repeat(count)}}`;
  assert.equal(await refusal(levels(63)), "accepted");
  assert.equal(await refusal(levels(64)), ": nests deeper than 64 levels");
  assert.equal(await refusal(levels(100_000)), ": nests deeper than 64 levels");
  assert.equal(await refusal(`{"a":${'{"a":'.repeat(100_000)}`), ": nests deeper than 64 levels");
});

test("refuses too many bytes and too many values besides the file", async () => {
  const limits = { ...uploadLimits(1000), maxFieldsBytes: 100, maxValues: 10 };
  const accepted = (body: string) =>
    receive(body, { limits, chunks: 7 }).then(
      () => "",
      (error) => issuesOf(error)[0]?.message,
    );
  const around = '{"a":"","file":""}'.length;
  assert.equal(await accepted(`{"a":"${"x".repeat(100 - around)}","file":"${base64}"}`), "");
  assert.equal(
    await accepted(`{"a":"${"x".repeat(101 - around)}","file":"${base64}"}`),
    "takes more than 100 bytes besides the file",
  );
  assert.equal(await accepted(`{"file":"${base64}"}${" ".repeat(100)}`), "takes more than 100 bytes besides the file");
  assert.equal(await accepted(`{"a":[${"1,".repeat(7)}1]}`), "");
  assert.equal(await accepted(`{"a":[${"1,".repeat(9)}1]}`), "contains more than 10 values");
});

test("accepts exactly the maximum size and reports the exact size beyond it", async () => {
  const limits = uploadLimits(1_000_000);
  for (const size of [999_999, 1_000_000]) {
    const bytes = Buffer.alloc(size, "0123456789abcdefg");
    const received = await receive(JSON.stringify({ file: bytes.toString("base64") }), { limits });
    assert.ok(received.bytes.equals(bytes));
    assert.equal(received.file?.size, size);
  }
  for (const size of [1_000_001, 1_000_002, 1_000_003, 1_100_000]) {
    const body = JSON.stringify({ file: Buffer.alloc(size, 1).toString("base64"), filename: "a.pdf" });
    await assert.rejects(receive(body, { limits }), { code: "file_too_large", detail: { limit: 1_000_000, size } });
  }
});

test("writes no more than the maximum size to the sink", async () => {
  const sink = new MemorySink();
  const body = Buffer.from(JSON.stringify({ file: Buffer.alloc(1_100_000).toString("base64") }));
  await assert.rejects(receiveUpload(chunksOf(body, 65_536), sink, uploadLimits(300_000)), { code: "file_too_large" });
  assert.ok(sink.bytes.length <= 300_000);
});

test("stops reading a body that is longer than `maxBodyBytes`", async () => {
  const limits = uploadLimits(1000);
  let read = 0;
  async function* endless(text: string) {
    yield Buffer.from('{"file":"');
    for (;;) {
      read += text.length;
      yield Buffer.from(text);
    }
  }
  const sink = new MemorySink();
  await assert.rejects(receiveUpload(endless("QUJD".repeat(1000)), sink, limits), (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, "file_too_large");
    assert.deepEqual(error.detail, { limit: 1000, size: (read / 4) * 3 });
    return true;
  });
  assert.ok(read <= maxBodyBytes(limits) + 4000);
  await assert.rejects(receiveUpload(endless(" ".repeat(4000)), sink, limits), (error: unknown) => {
    assert.deepEqual(issuesOf(error), [
      { path: "/file", message: "contains too much white space or too many escapes" },
    ]);
    return true;
  });
});

test("checks Content-Length before the body is read", () => {
  const limits = uploadLimits(36 * 1024 * 1024);
  const plain = Math.ceil(limits.maxFileBytes / 3) * 4;
  checkContentLength(plain + 1000, limits);
  checkContentLength(maxBodyBytes(limits), limits);
  assert.throws(() => checkContentLength(200_000_000, limits), {
    code: "file_too_large",
    detail: { limit: 37_748_736, size: 150_000_000 },
  });
});

test("accepts a file of the maximum size whose base64 has line breaks and escaped characters", () => {
  const limits = uploadLimits(60 * 1024 * 1024);
  const plain = Math.ceil(limits.maxFileBytes / 3) * 4;
  const lineBreaks = (plain / 76) * 4;
  const escapes = (plain / 64) * 5;
  assert.ok(plain + lineBreaks + escapes + 10_000 < maxBodyBytes(limits));
});

test("waits for the sink and rejects with its error", async () => {
  const body = Buffer.from(JSON.stringify({ file: Buffer.alloc(900_000, 7).toString("base64") }));
  let writing = 0;
  const slow = {
    async write() {
      assert.equal(++writing, 1);
      await setImmediate();
      writing--;
    },
  };
  await receiveUpload(chunksOf(body, 10_000), slow, uploadLimits(1_000_000));
  const failure = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const full = { write: () => Promise.reject(failure) };
  await assert.rejects(
    receiveUpload(chunksOf(body, 10_000), full, uploadLimits(1_000_000)),
    (error) => error === failure,
  );
});

test("rejects with the error of the body stream", async () => {
  const failure = new Error("aborted");
  async function* broken() {
    yield Buffer.from('{"file":"QUJD');
    throw failure;
  }
  await assert.rejects(receiveUpload(broken(), new MemorySink(), uploadLimits(1000)), (error) => error === failure);
});

test("accepts a body that arrives as plain byte arrays, some of them empty", async () => {
  async function* body() {
    yield new Uint8Array(0);
    const bytes = new TextEncoder().encode(`__{"file":"${base64}"}`);
    yield bytes.subarray(2, 9);
    yield new Uint8Array(0);
    yield bytes.subarray(9);
  }
  const sink = new MemorySink();
  await receiveUpload(body(), sink, uploadLimits(1000));
  assert.deepEqual(sink.bytes, hello);
});
