import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { ReadingError } from "../../reader.ts";
import { makeZip } from "../../testing/make-office.ts";
import { defaultZipLimits, openZip } from "./zip.ts";

const refuses = (reason: string, act: () => unknown) => assert.throws(act, { name: "ReadingError", reason });
const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

/** Returns the position of the directory entry of a file, by its index. */
function directoryEntry(zip: Buffer, index = 0): number {
  let at = -1;
  for (let found = 0; found <= index; found++) at = zip.indexOf(Buffer.of(0x50, 0x4b, 1, 2), at + 1);
  return at;
}

const changed = (bytes: Uint8Array, change: (zip: Buffer) => void): Buffer => {
  const zip = Buffer.from(bytes);
  change(zip);
  return zip;
};

describe("reads", () => {
  it("deflated and stored entries, whatever the case of their names", () => {
    const zip = openZip(
      zipSync({ "a/B.xml": strToU8("deflated ".repeat(50)), "c.bin": [strToU8("stored"), { level: 0 }] }),
    );
    assert.deepEqual(zip.names, ["a/B.xml", "c.bin"]);
    assert.equal(textOf(zip.read("A/b.XML")), "deflated ".repeat(50));
    assert.equal(textOf(zip.read("c.bin")), "stored");
    assert.equal(zip.read("none"), undefined);
  });

  it("archives preceded by other bytes and followed by a comment", () => {
    const zip = changed(makeZip({ "a.xml": "x" }), (bytes) => bytes.writeUInt16LE(4, bytes.length - 2));
    assert.equal(textOf(openZip(Buffer.concat([Buffer.from("prefix"), zip, Buffer.from("note")])).read("a.xml")), "x");
  });

  it("sizes in the 64-bit extension", () => {
    const plain = Buffer.from(makeZip({ "a.xml": "x".repeat(100) }));
    const entry = directoryEntry(plain);
    const extra = Buffer.alloc(20);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(16, 2);
    extra.writeUInt32LE(100, 4);
    extra.writeUInt32LE(plain.readUInt32LE(entry + 20), 12);
    plain.writeUInt32LE(0xffffffff, entry + 20);
    plain.writeUInt32LE(0xffffffff, entry + 24);
    plain.writeUInt16LE(20, entry + 30);
    const end = plain.length - 22;
    const zip = Buffer.concat([plain.subarray(0, end), extra, plain.subarray(end)]);
    zip.writeUInt32LE(plain.readUInt32LE(end + 12) + 20, end + 20 + 12);
    assert.equal(openZip(zip).read("a.xml")?.length, 100);
  });

  it("names as keys, never as paths", () => {
    const zip = openZip(makeZip({ "../../etc/x.xml": "up", "/abs.xml": "abs", "w\\d.xml": "back" }));
    assert.deepEqual(zip.names, ["../../etc/x.xml", "abs.xml", "w/d.xml"]);
    assert.equal(textOf(zip.read("w/d.xml")), "back");
  });
});

describe("refuses", () => {
  it("empty files and files that are not archives", () => {
    refuses("empty", () => openZip(new Uint8Array()));
    refuses("corrupt", () => openZip(strToU8("%PDF-1.7 and so on")));
    refuses("corrupt", () => openZip(makeZip({ "a.xml": "x".repeat(500) }).subarray(0, 100)));
  });

  it("old formats, and reports files that need a password", () => {
    const mark = Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
    refuses("corrupt", () => openZip(Buffer.concat([mark, Buffer.from("WordDocument", "utf16le")])));
    refuses("encrypted", () => openZip(Buffer.concat([mark, Buffer.from("EncryptedPackage", "utf16le")])));
  });

  it("encrypted entries", () => {
    const zip = changed(makeZip({ "a.xml": "x" }), (bytes) => bytes.writeUInt16LE(1, directoryEntry(bytes) + 8));
    refuses("encrypted", () => openZip(zip).read("a.xml"));
  });

  it("zip bombs because of their declared size, without inflating them", () => {
    const limits = { ...defaultZipLimits, maxEntryBytes: 1000, maxTotalBytes: 1500, ratioFromBytes: 500, maxRatio: 20 };
    refuses("too_complex", () => openZip(makeZip({ "a.xml": "x".repeat(1001) }), limits));
    refuses("too_complex", () => openZip(makeZip({ "a.xml": "x".repeat(900) }), limits));
    refuses("too_complex", () => openZip(zipSync({ a: new Uint8Array(800), b: new Uint8Array(800) }), limits));
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`${index}.xml`, "x"]));
    refuses("too_complex", () => openZip(makeZip(many), { ...limits, maxEntries: 10 }));
  });

  it("entries that hold more, or less, than they declare", () => {
    const declare = (size: number) =>
      changed(makeZip({ "a.xml": "x".repeat(5000) }), (bytes) => bytes.writeUInt32LE(size, directoryEntry(bytes) + 24));
    refuses("too_complex", () => openZip(declare(10)).read("a.xml"));
    refuses("corrupt", () => openZip(declare(6000)).read("a.xml"));
  });

  it("entries that overlap, and duplicate names", () => {
    const two = makeZip({ "a.xml": "x".repeat(100), "b.xml": "y".repeat(100) });
    refuses("too_complex", () =>
      openZip(
        changed(two, (bytes) => {
          const place = bytes.readUInt32LE(directoryEntry(bytes) + 42);
          bytes.writeUInt32LE(place, directoryEntry(bytes, 1) + 42);
        }),
      ),
    );
    refuses("corrupt", () => openZip(changed(two, (bytes) => bytes.write("A", directoryEntry(bytes, 1) + 46))));
  });

  it("damaged content", () => {
    const zip = changed(makeZip({ "a.xml": "some text" }), (bytes) => bytes.writeUInt8(0xff, 30 + 5));
    refuses("corrupt", () => openZip(zip).read("a.xml"));
  });
});

it("throws only its own errors on any bytes", () => {
  const sound = makeZip({ "a.xml": "<a>text</a>".repeat(20), "b/c.xml": "<b/>" });
  const readAll = (bytes: Uint8Array) => {
    try {
      const zip = openZip(bytes);
      for (const name of zip.names) zip.read(name);
    } catch (error) {
      assert.ok(error instanceof ReadingError, String(error));
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), readAll));
  const edits = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(edits, (list) => {
      const bytes = sound.slice();
      for (const [at, value] of list) bytes[at] = value;
      readAll(bytes);
    }),
    { numRuns: 1000 },
  );
});
