import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { dropColorProfiles } from "./color-profiles.ts";

const fileOf = (...parts: string[]): Buffer => Buffer.from(["%PDF-1.7", ...parts].join("\n"), "latin1");
const profileOf = (object: string, data: string): string =>
  `${object} obj\n<< /N 3 /Length ${data.length} >>\nstream\n${data}endstream\nendobj`;

function dropped(file: Buffer): string {
  const copy = Buffer.from(file);
  dropColorProfiles(copy);
  return copy.toString("latin1");
}

test("the header of a profile is overwritten, in every version of it, and nothing else", () => {
  const colors = "5 0 obj\n[ /ICCBased 12 0 R ]\nendobj";
  const [long, short] = ["x".repeat(100), "x".repeat(9)];
  const file = fileOf(colors, profileOf("12 0", long), profileOf("112 0", long), profileOf("12 0", short));
  const gone = "\0".repeat(64) + "x".repeat(36);
  const rest = [profileOf("12 0", gone), profileOf("112 0", long), profileOf("12 0", "\0".repeat(9))];
  assert.equal(dropped(file), fileOf(colors, ...rest).toString("latin1"));
});

test("other data stays: other streams, words about profiles, missing objects", () => {
  const contents = "4 0 obj\n<< /Length 30 >>\nstream\nBT (/ICCBased 4 0 R) Tj ET\nendstream\nendobj";
  for (const file of [fileOf("[/ICCBased 4 0 R]", contents), fileOf("[/ICCBased 9 0 R] /ICCBased", contents), fileOf()])
    assert.equal(dropped(file), file.toString("latin1"));
});

test("any bytes are accepted and keep their length", () => {
  const piece = fc.oneof(
    fc.constantFrom("/ICCBased ", "1 0 R", "1 0 obj", "<<", "/N 3", ">>", "stream\n", "endstream", "endobj", " "),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const file = fileOf(pieces.join(""));
      assert.equal(dropped(file).length, file.length);
    }),
  );
});
