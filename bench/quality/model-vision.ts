/**
 * `npm run quality -- model-vision`: measures grounding with degraded images of receipts. Values
 * that people transcribed are used in place of the output of a language model. Measures which
 * correct values are found in the words of OCR, and which invented values are accepted. Compares a
 * model that gets the image with a model that does not.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import { groundRecord } from "../../server/src/engine/ground/ground-record.ts";
import { type Ground, openGround } from "../../server/src/engine/ground/open-ground.ts";
import { hasPoorOcr } from "../../server/src/engine/model/poor-pages.ts";
import type { Document } from "../../server/src/reading/document.ts";
import { defaultReadingSettings, openReader } from "../../server/src/reading/open-reader.ts";
import { madePoor } from "../../server/src/reading/testing/page-pictures.ts";
import { type Case, paramsOf, type Quote, quoteFor, same, transcripts } from "./ground.ts";
import { receipts } from "./sroie.ts";

/** Width of a degraded image, as a share of the original width. */
const shrunk = 0.4;
/** Radius of the blur of a degraded image, in pixels. */
const blur = 0.7;

export async function runModelVision(errors: number): Promise<void> {
  const known = new Map((await transcripts()).map((each) => [each.id, each]));
  const params = await paramsOf("sroie");
  const cases = await poorReceipts(known);
  const rows: Record<string, object> = {};
  for (const way of ["without the picture", "with the picture"] as const)
    rows[way] = score(cases, params, [...known.values()], way === "with the picture", errors);
  console.log(`${cases.length} of the receipts have poor OCR`);
  console.table(rows);
}

interface PoorCase {
  /** The words as people transcribed them. */
  seen: Case;
  recognized: Document;
}

async function poorReceipts(known: ReadonlyMap<string, Case>): Promise<PoorCase[]> {
  const folder = await mkdtemp(join(tmpdir(), "poor-receipts-"));
  const reader = openReader(defaultReadingSettings);
  try {
    const cases = await Promise.all(
      (await receipts()).map(async ({ id, path }): Promise<PoorCase[]> => {
        const poor = join(folder, `${id}.jpg`);
        await writeFile(poor, await madePoor(path, { shrunk, blur }));
        const recognized = await reader.read(poor, "jpg");
        const seen = known.get(id);
        return seen && recognized.pages.some(hasPoorOcr) ? [{ seen, recognized }] : [];
      }),
    );
    return cases.flat();
  } finally {
    await reader.close();
    await rm(folder, { recursive: true });
  }
}

function score(
  cases: readonly PoorCase[],
  params: readonly ExtractionParam[],
  all: readonly Case[],
  isShown: boolean,
  errors: number,
): object {
  const counts = { true: 0, right: 0, other: 0, invented: 0, passed: 0 };
  const misses: string[] = [];
  for (const { seen, recognized } of cases) {
    const ground = openGround(recognized, isShown ? [1] : []);
    for (const param of params) {
      const value = seen.fields[param.name] ?? null;
      const quote = value === null || value === "" ? undefined : quoteFor(seen, value, param);
      if (!quote) continue;
      counts.true++;
      const said = say(ground, param, value, quote);
      const isRight = said !== null && same(said, value, param, seen);
      counts.right += Number(isRight);
      counts.other += Number(said !== null && !isRight);
      if (said !== null && !isRight) misses.push(`other ${seen.id} ${JSON.stringify([value, said])}`);
      for (const { value: invented, quote: words } of inventedFor(seen, param, value, quote, all)) {
        counts.invented++;
        const passed = say(ground, param, invented, { quote: words, page: 1 });
        if (passed === null || same(passed, value, param, seen)) continue;
        counts.passed++;
        misses.push(`passed ${seen.id} ${JSON.stringify([invented, words, passed])}`);
      }
    }
  }
  for (const miss of misses.slice(0, errors)) console.log(isShown ? "shown" : "not shown", miss);
  return {
    "true values": counts.true,
    kept: counts.right,
    "returned with other letters": counts.other,
    invented: counts.invented,
    "invented and said": counts.passed,
  };
}

function say(ground: Ground, param: ExtractionParam, value: LeafValue, quote: Quote): LeafValue {
  const { data } = groundRecord([param], { [param.name]: { value, ...quote } }, ground);
  return data[param.name] as LeafValue;
}

interface Invented {
  value: LeafValue;
  quote: string;
}

/**
 * Returns invented values with their quotes. For the values of five other receipts, the quote is
 * only the value itself. For numbers and dates, also returns the correct value with one digit
 * changed, once for each digit. Its quote is the correct quote with the same digit changed, or only
 * the changed value if the correct quote does not contain the value literally.
 */
function inventedFor(
  seen: Case,
  { name, format }: ExtractionParam,
  value: LeafValue,
  { quote }: Quote,
  all: readonly Case[],
) {
  const at = all.indexOf(seen);
  const others = Array.from({ length: 5 }, (_, step) => all[(at + step + 1) % all.length]?.fields[name] ?? null);
  const invented = others
    .filter((other) => other !== null && other !== "" && other !== value)
    .flatMap((other): Invented[] => [{ value: other, quote: String(other) }]);
  if (format === "text") return invented;
  const digits = [...String(value)].flatMap((char, index) => (/\d/.test(char) ? [index] : []));
  for (const index of digits) {
    const changed = changedAt(String(value), index);
    const words = quote.includes(String(value)) ? quote.replace(String(value), changed) : changed;
    invented.push({ value: format === "number" ? Number(changed) : changed, quote: words });
  }
  return invented;
}

const changedAt = (text: string, index: number): string =>
  `${text.slice(0, index)}${(Number(text[index]) + 3) % 10}${text.slice(index + 1)}`;
