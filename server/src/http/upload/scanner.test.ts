/**
 * Compares the scanner with a simple reference implementation, on valid and nearly valid bodies.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AppError } from "../../lib/errors.ts";
import { uploadLimits } from "./receive-upload.ts";
import { type Received, receive } from "./testing/receive.ts";

const limits = { ...uploadLimits(2000), maxDepth: 8 };

/** Generates white space that JSON allows between tokens. In half of the cases it is empty. */
const gap = fc.constantFrom("", "", "", " ", "\n", "\t \r");

/**
 * Generates the text of a JSON string. Some of its characters may be escaped, in different ways.
 */
function stringText(content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const odd = fc.tuple(content, fc.infiniteStream(fc.nat(11))).map(([text, choices]) => {
    const units = Array.from({ length: text.length }, (_, at) => text.charAt(at));
    return `"${units.map((unit) => spell(unit, choices.next().value ?? 0)).join("")}"`;
  });
  const escaped = fc.tuple(
    content.map((text) => JSON.stringify(text)),
    fc.constantFrom(["/", "\\/"], ["+", "\\u002B"], ["/", "/"]),
  );
  return fc.oneof(
    odd,
    escaped.map(([text, [character, sequence]]) => text.replaceAll(character as string, sequence as string)),
  );
}

function spell(unit: string, choice: number): string {
  if (choice === 0 || /[\ud800-\udfff]/.test(unit)) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  if (choice === 1 && unit === "/") return "\\/";
  return JSON.stringify(unit).slice(1, -1);
}

const breaks = fc.constantFrom("", "", "\r\n", "\n", " ", "\t");
const base64 = fc
  .tuple(
    fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 200 })),
    breaks,
    fc.integer({ min: 1, max: 30 }),
  )
  .map(([bytes, lineBreak, width]) =>
    Buffer.from(bytes)
      .toString("base64")
      .replace(new RegExp(`.{${width}}`, "g"), `$&${lineBreak}`),
  );
const nearlyBase64 = fc
  .tuple(base64, fc.nat(60), fc.constantFrom("=", "A", "-", "!", "\f", "\0", "\u00e9", ""))
  .map(([text, at, odd]) => text.slice(0, at) + odd + text.slice(at + 1));
const key = fc.oneof(
  fc.constantFrom("file", "File", "files", "a", "__proto__", "constructor", "0", ""),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const numberText = fc.constantFrom("0", "-0", "1.5", "1E5", "1e999", "-1e999", "1e-999", "9007199254740993");
const odds = fc.constantFrom("01", "+1", "NaN", "", "undefined", "'a'", "[1,]", "{", "]", '"\t"', '"\\x"', "/**/1");

const { value: valueText } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 10, depthSize: "small" },
    fc.constantFrom("true", "false", "null"),
    numberText,
    stringText(fc.oneof(base64, fc.string({ unit: "binary", maxLength: 5 }))),
    tie("array"),
    tie("object"),
  ),
  array: fc.array(tie("value"), { maxLength: 3 }).map((values) => `[${values.join(",")}]`),
  object: membersText(fc.tuple(stringText(key), tie("value"))),
}));

function membersText(member: fc.Arbitrary<[string, string]>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(member, { maxLength: 4 }), gap)
    .map(
      ([members, space]) =>
        `{${members.map(([name, value]) => `${space}${name}${space}:${value}`).join(`${space},`)}${space}}`,
    );
}

const fileMember = fc.tuple(
  stringText(fc.constant("file")),
  fc.oneof(stringText(base64), stringText(base64), stringText(nearlyBase64)),
);
const otherMember = fc.tuple(
  stringText(key),
  fc.oneof({ arbitrary: valueText, weight: 20 }, { arbitrary: odds, weight: 1 }),
);
const bodyText = fc
  .tuple(gap, membersText(fc.oneof(fileMember, otherMember)), gap)
  .map(([before, object, after]) => before + object + after);

interface Expected {
  fields: unknown;
  bytes: Buffer | undefined;
}

/**
 * Returns the content of a body, or undefined if it must be refused. The function is slow and
 * simple, and shares no code with the scanner.
 */
function reference(body: Uint8Array): Expected | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    let members = 0;
    const parsed: unknown = JSON.parse(text, (_, value) => {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) members += Object.keys(value).length;
      return value;
    });
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    const structure = text.replace(/"(\\.|[^"\\])*"/g, "");
    if (structure.replaceAll(/[^:]/g, "").length !== members) return undefined;
    if (depthOf(structure) > limits.maxDepth || !isSound(parsed)) return undefined;
    const { file, ...fields } = parsed as Record<string, unknown>;
    if (!Object.hasOwn(parsed, "file")) return { fields, bytes: undefined };
    return typeof file === "string" && isBase64(file) ? { fields, bytes: Buffer.from(file, "base64") } : undefined;
  } catch {
    return undefined;
  }
}

function depthOf(structure: string): number {
  let depth = 0;
  return Math.max(...Array.from(structure, (c) => (depth += "[{".includes(c) ? 1 : "]}".includes(c) ? -1 : 0)));
}

function isSound(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isSound(member));
}

function isBase64(text: string): boolean {
  const characters = text.replace(/[ \t\r\n]/g, "");
  const strict = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;
  return characters !== "" && strict.test(characters);
}

/** Receives a body. Returns undefined if the body is refused; any other error fails the test. */
async function outcome(body: Uint8Array, chunks: number[]): Promise<Received | undefined> {
  return receive(body, { limits, chunks }).catch((error: unknown) => {
    assert.ok(error instanceof AppError, `not an AppError: ${error}`);
    assert.equal(error.code, "invalid_request");
    return undefined;
  });
}

async function assertAsReference(body: Uint8Array, chunks: number[]): Promise<boolean> {
  const received = await outcome(body, chunks);
  const expected = reference(body);
  assert.equal(received === undefined, expected === undefined, received === undefined ? "refused" : "accepted");
  if (received === undefined || expected === undefined) return false;
  assert.equal(JSON.stringify(received.fields), JSON.stringify(expected.fields));
  assert.equal(received.file?.size, expected.bytes?.length);
  assert.deepEqual(received.bytes, expected.bytes ?? Buffer.alloc(0));
  return true;
}

const cuts = fc.array(fc.nat(300), { maxLength: 12 });

test("accepts what the reference accepts, with the same result wherever the body is cut", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(bodyText, cuts, async (text, chunks) => {
      if (await assertAsReference(Buffer.from(text), chunks)) accepted++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(accepted > 150, `only ${accepted} of 1500 bodies were accepted`);
});

/** Generates bytes that change the state of the scanner, and arbitrary bytes. */
const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\{}[]:,/=u0 \n')), fc.nat(255));
const mutation = fc.record({
  at: fc.nat(300),
  removed: fc.nat(3),
  inserted: fc.array(byte, { maxLength: 3 }),
  copied: fc.nat(8),
});

test("refuses every mutated body that the reference refuses", async () => {
  await fc.assert(
    fc.asyncProperty(
      bodyText,
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      cuts,
      async (text, mutations, chunks) => {
        let body = Buffer.from(text);
        for (const { at, removed, inserted, copied } of mutations) {
          const place = at % (body.length + 1);
          const copy = body.subarray(place, place + copied);
          body = Buffer.concat([body.subarray(0, place), Buffer.from(inserted), copy, body.subarray(place + removed)]);
        }
        await assertAsReference(body, chunks);
      },
    ),
    { numRuns: 1500 },
  );
});

/**
 * Generates pieces of a file string. Most pieces are valid alone. When joined, some pieces complete
 * an escape sequence, and others break one.
 */
const piece = fc.oneof(
  {
    arbitrary: fc.constantFrom("QUJD", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\\r\\n", "\\n", "\\/", "\\u002B", "\\u000a"),
    weight: 20,
  },
  { arbitrary: fc.constantFrom("A", "\\r", "2B", "n", "r", "/", "+", " ", "\\u002b", "\\t", "\\u0041"), weight: 4 },
  { arbitrary: fc.constantFrom("=", "-", "_", "\\", "\\\\", "\\u00", "\\b", '"', '\\"', "\n", "\u00e9"), weight: 1 },
);

test("decodes exactly the escape sequences that the reference decodes, even in long strings", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 5, maxLength: 40 }), cuts, async (pieces, chunks) => {
      if (await assertAsReference(Buffer.from(`{"file":"${pieces.join("")}"}`), chunks)) accepted++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(accepted > 50, `only ${accepted} of 1500 strings were accepted`);
});

test("accepts or refuses any bytes without crashing", async () => {
  const soup = fc
    .array(byte, { maxLength: 60 })
    .map((bytes) => Buffer.concat([Buffer.from('{"file":"'), Buffer.from(bytes)]));
  await fc.assert(
    fc.asyncProperty(fc.oneof(soup, fc.uint8Array({ maxLength: 60 })), cuts, async (body, chunks) => {
      await assertAsReference(body, chunks);
    }),
    { numRuns: 1000 },
  );
});
