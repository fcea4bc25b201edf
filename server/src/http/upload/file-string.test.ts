import assert from "node:assert/strict";
import { test } from "node:test";
import { FileString } from "./file-string.ts";

/** Returns the number of bytes of the file read so far, or "refused". */
function sizeRead(text: string, cut: number): number | "refused" {
  const file = new FileString();
  const chunks = [Buffer.from(text.slice(0, cut), "latin1"), Buffer.from(text.slice(cut), "latin1")];
  try {
    for (const chunk of chunks) assert.equal(file.read(chunk, 0), chunk.length);
  } catch {
    return "refused";
  }
  return file.decoder.size;
}

function sizeExpected(text: string): number | "refused" {
  let content: string;
  try {
    content = JSON.parse(`"${text}"`);
  } catch {
    return "refused";
  }
  const characters = content.replace(/[ \t\r\n]/g, "");
  return /^[A-Za-z0-9+/]*$/.test(characters) ? Math.floor(characters.length / 4) * 3 : "refused";
}

const tokens = [
  "\\\\",
  "n",
  "r",
  "/",
  "\\n",
  "\\r",
  "\\r\\n",
  "\\/",
  "\\u00",
  "2B",
  "\\u002B",
  "\\u002b",
  "\\",
  "u",
  "\\t",
  " ",
];

test("reads every mixture of escapes as JSON.parse does, within a long string and wherever it is cut", () => {
  for (const first of tokens) {
    for (const second of tokens) {
      for (const third of tokens) {
        const text = `${"A".repeat(100)}${first}${second}${third}${"A".repeat(101)}`;
        for (const at of [0, 101]) assert.equal(sizeRead(text, at), sizeExpected(text), text);
      }
    }
  }
});

test("reads a long string as JSON.parse does, wherever it is cut", () => {
  for (const line of ["\\r\\n", "\\n", "\\/", "\\u002B", "\\u002b", "\\r\\n\\/", "\\u000d\\u000a"]) {
    const text = `${"A".repeat(76)}${line}`.repeat(3);
    for (let cut = 0; cut <= text.length; cut++)
      assert.equal(sizeRead(text, cut), sizeExpected(text), `${line} ${cut}`);
  }
});

test("stops after the closing quote", () => {
  for (const length of [4, 400]) {
    const file = new FileString();
    const chunk = Buffer.from(`xx${"A".repeat(length)}","b":1}`);
    assert.equal(file.read(chunk, 2), length + 3);
    assert.ok(file.ended);
  }
});

test("stops when the decoder is full and continues from there", () => {
  const line = `${"A".repeat(76)}\\r\\n`;
  const chunk = Buffer.from(`${line.repeat(10_000)}"`);
  const file = new FileString();
  let taken = 0;
  for (let at = 0; !file.ended; taken += file.decoder.takeOutput().length) at = file.read(chunk, at);
  assert.equal(taken, (10_000 * 76 * 3) / 4);
});
