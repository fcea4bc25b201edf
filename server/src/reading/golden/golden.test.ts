import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Document } from "../document.ts";
import { openReader } from "../open-reader.ts";
import { patientSettings } from "../testing/patient-settings.ts";
import { goldenFolder, goldenText } from "./golden-text.ts";
import { type GoldenInput, goldenInputs } from "./inputs.ts";

/**
 * Tolerances for measured numbers. OCR uses floating-point numbers, which differ a little between
 * processors. All other numbers are identical from run to run on one machine, and differ only by
 * rounding between machines.
 */
const tolerances: Readonly<Record<string, number>> = { box: 3, size: 2, confidence: 0.3 };

/**
 * Asserts that members, texts and counts are equal, and that measured numbers differ at most by
 * their tolerance.
 */
function assertNear(actual: unknown, expected: unknown, path: string, tolerance = 0): void {
  if (typeof actual === "number" && typeof expected === "number") {
    assert.ok(Math.abs(actual - expected) <= tolerance, `${path} is ${actual}, was ${expected}`);
  } else if (typeof actual === "object" && typeof expected === "object" && actual && expected) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), path);
    for (const [key, value] of Object.entries(expected)) {
      assertNear((actual as Record<string, unknown>)[key], value, `${path}.${key}`, tolerances[key] ?? tolerance);
    }
  } else assert.equal(actual, expected, path);
}

let folder: string;
let inputs: GoldenInput[];
const [first, second] = [new Map<string, Document>(), new Map<string, Document>()];
const fileOf = ({ name, extension }: GoldenInput): string => `${name}.${extension}`;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "golden-"));
  inputs = await goldenInputs();
  for (const input of inputs) await writeFile(join(folder, fileOf(input)), input.bytes);
  for (const [documents, order] of [
    [first, inputs],
    [second, inputs.toReversed()],
  ] as const) {
    const reader = openReader({ ...patientSettings, processes: 1 });
    for (const input of order) {
      documents.set(fileOf(input), await reader.read(join(folder, fileOf(input)), input.extension));
    }
    await reader.close();
  }
});
after(() => rm(folder, { recursive: true }));

test("reading a file of each format produces the stored Document", async () => {
  for (const input of inputs) {
    const file = fileOf(input);
    const kept: unknown = JSON.parse(await readFile(join(goldenFolder, `${file}.json`), "utf8"));
    // JSON has no undefined members, so the stored Document has none either.
    assertNear(JSON.parse(JSON.stringify(first.get(file))), kept, file);
  }
});

test("two processes produce the same bytes for each format, whatever they read before", () => {
  for (const input of inputs)
    assert.equal(JSON.stringify(second.get(fileOf(input))), JSON.stringify(first.get(fileOf(input))));
});

test("the golden text of a Document is equivalent to its JSON", () => {
  for (const document of first.values()) {
    assert.deepEqual(JSON.parse(goldenText(document)), JSON.parse(JSON.stringify(document)));
  }
});
