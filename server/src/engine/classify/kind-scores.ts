/** Scores the document kinds on one page from its titles and phrases. */

import { kinds } from "../lexicon/document-kinds/all-kinds.ts";
import { type PageRuns, sizeOf, type TextRun } from "../page/text-runs.ts";
import { kindWeights, titleWeights } from "./kind-weights.ts";
import { type PhraseHit, PhraseTable, stemsOf } from "./phrases.ts";

/** Index into `kinds`. */
export type KindIndex = number;

export const kindCount = kinds.length;
export const kindOf = new Map(kinds.map((kind, index) => [kind.label, index]));

const names = new PhraseTable<KindIndex>();
const cues = new PhraseTable<{ kind: KindIndex; weight: number }>();
const { strongCue, weakCue } = kindWeights;
for (const [index, kind] of kinds.entries()) {
  names.add(kind.names, index);
  for (const phrase of kind.strong?.split(",") ?? []) cues.add(phrase, { kind: index, weight: strongCue });
  for (const phrase of kind.weak?.split(",") ?? []) cues.add(phrase, { kind: index, weight: weakCue });
}

/**
 * Returns the document kinds that a text names. If several names start at one position, only the
 * longest counts. Used for class labels, descriptions and filenames.
 */
export const namedKinds = (stems: readonly string[]): PhraseHit<KindIndex>[] => names.find(stems);

const titledAs = kinds.map(({ titled = "", broader = "" }) =>
  [...titled.split(", "), broader].flatMap((label) => kindOf.get(label) ?? []),
);

export interface PageEvidence {
  /** One score per document kind, in the order of `kinds`. 0 means no evidence. */
  scores: Float64Array;
  /** The most prominent title that names a document kind. */
  title: { run: TextRun; kind: KindIndex; strength: number } | undefined;
}

/** Maximum number of tokens of a page that are searched. Chosen by hand, 2026-11. */
const maxTokens = 2_500;
/** Maximum number of tokens of a title. Chosen by hand, 2026-11. */
const maxTitleTokens = 9;

/**
 * If one of these words follows the name of a document kind, the text is not a title. An example is
 * "date" in "order date".
 */
const notTitles = new Set(
  stemsOf(
    "to address adresse anschrift empfanger date datum amount total betrag by from due terms recipient status information details contact line item type per",
  ),
);
const numberWords = new Set(stemsOf("number no nr num numero nummer n° # № id reference ref code"));
/**
 * If one of these words precedes the name of a document kind, the name refers to another document.
 * An example is "your" in "your order".
 */
const foreign = new Set(
  stemsOf("your our ihre ihr ihrer unsere unser vos votre notre su vuestro vostro uw per zu see siehe this diese"),
);
const articles = new Set(
  stemsOf("the a an die der das le la les l el los il lo de het een copy kopie copie original duplicate"),
);

const prepositions = new Set(
  stemsOf(
    "for of to on about fur von zu zum zur uber pour de du des sur para por sobre per di del della su voor van over",
  ),
);

export interface PageStyle {
  /** Median font size of the text runs. */
  size: number;
  mostlyBold: boolean;
  mostlyCapitals: boolean;
}

export function styleOf(page: PageRuns): PageStyle {
  const sizes = page.runs.map((run) => sizeOf(page, run)).sort((a, b) => a - b);
  const share = (test: (run: TextRun) => boolean) => page.runs.filter(test).length > 0.5 * page.runs.length;
  return {
    size: sizes[sizes.length >> 1] ?? 1,
    mostlyBold: share((run) => run.bold),
    mostlyCapitals: share((run) => isCapitals(run.text)),
  };
}

export const isCapitals = (text: string): boolean => /\p{Lu}{3}/u.test(text) && text === text.toUpperCase();

/** Lower bound, in points, for a font size that is used as a divisor. */
const minSize = 0.1;

/**
 * Returns how much a text run looks like a title (0 to 1), by size, weight, capitals and position.
 */
export function prominence(page: PageRuns, run: TextRun, style: PageStyle): number {
  const w = titleWeights;
  const ratio = sizeOf(page, run) / Math.max(minSize, style.size);
  const larger = Math.min(1, Math.max(0, (ratio - w.largerFrom) / w.largerRange));
  const bold = run.bold && !style.mostlyBold ? w.bold : 0;
  const capitals = !style.mostlyCapitals && isCapitals(run.text) ? w.capitals : 0;
  const alone = (page.rows[run.row]?.length ?? 1) === 1 ? w.alone : 0;
  const set = Math.min(1, w.base + w.larger * larger + bold + capitals + alone);
  return set * (run.box[1] < w.topShare * page.page.height ? 1 : w.ofLower);
}

export function pageEvidence(page: PageRuns, style: PageStyle): PageEvidence {
  const w = kindWeights;
  const scores = new Float64Array(kindCount);
  const cueSums = new Float64Array(kindCount);
  const mentions = new Float64Array(kindCount);
  const numbered = new Float64Array(kindCount);
  const titles = new Float64Array(kindCount);
  const seen = new Set<object>();
  let best: PageEvidence["title"];
  let left = maxTokens;
  for (const run of page.runs) {
    if (left <= 0) break;
    const stems = stemsOf(run.text);
    left -= stems.length;
    for (const { value } of cues.find(stems)) {
      if (seen.has(value)) continue;
      seen.add(value);
      cueSums[value.kind] = (cueSums[value.kind] ?? 0) + value.weight;
    }
    const hits = names.find(stems);
    if (hits.length === 0) continue;
    const rank = prominence(page, run, style);
    const right = page.rows[run.row]?.[run.column + 1]?.text ?? "";
    const labels = /(?<!\D)[^\d:]*:\D+$/.test(run.text);
    for (const hit of hits) {
      // "Invoice to: Acme", for example, is a label with its value, not a title.
      const use = labels ? "other" : useOf(hit, stems, right);
      const kind = hit.value;
      if (use === "numbered") numbered[kind] = 1;
      if (use !== "other" && stems.length <= maxTitleTokens) {
        const strength = rank * placeOf(hit, stems) * (use === "numbered" ? titleWeights.ofNumbered : 1);
        if (strength > (titles[kind] ?? 0)) titles[kind] = strength;
        if (strength > (best?.strength ?? 0)) best = { run, kind, strength };
      } else if (use === "title") mentions[kind] = (mentions[kind] ?? 0) + w.mention;
    }
  }
  for (let kind = 0; kind < kindCount; kind++) {
    const referred = kinds[kind]?.referred === true;
    const cue = w.maxCues * (1 - Math.exp(-(cueSums[kind] ?? 0) / w.maxCues));
    // A document of one kind may have the title of another kind: a broadcast schedule may be headed
    // "Order". Because of the third power, such a title counts little unless it is the most
    // prominent one.
    const lent = Math.max(0, ...(titledAs[kind] ?? []).map((other) => titles[other] ?? 0));
    const borrowed = lent ** 3 / Math.max(w.leastStrength, best?.strength ?? 0) ** 2;
    scores[kind] =
      w.title * Math.max(titles[kind] ?? 0, borrowed * Math.min(1, cue / w.cuesToBorrow)) +
      (numbered[kind] ?? 0) * (referred ? w.numberedWhereReferred : w.numbered) +
      Math.min(w.maxMentions, mentions[kind] ?? 0) +
      cue;
  }
  return { scores, title: best };
}

/**
 * Returns the weight of a name by its position in the title. "Request for check" is a request, so a
 * name after a preposition counts less.
 */
function placeOf(hit: PhraseHit<KindIndex>, stems: readonly string[]): number {
  const before = stems.slice(Math.max(0, hit.start - 2), hit.start);
  if (hit.start > 1 && before.some((word) => prepositions.has(word))) return titleWeights.behindPreposition;
  return hit.start <= 1 ? 1 : titleWeights.behindWords;
}

function useOf(hit: PhraseHit<KindIndex>, stems: readonly string[], right: string): "title" | "numbered" | "other" {
  const before = stems[hit.start - 1];
  if (before !== undefined && foreign.has(before)) return "other";
  const after = stems[hit.end];
  if (after !== undefined && numberWords.has(after)) return hit.start === 0 ? "numbered" : "other";
  // A number in the next column belongs to the name: "Contract" and "4711" read like "Contract no.
  // 4711".
  if (after === undefined && hit.start === 0 && /^#?[\p{L}-]{0,4}\d[\d\p{L}/-]*$/u.test(right)) return "numbered";
  if (after !== undefined && notTitles.has(after)) return "other";
  const leads = stems.slice(0, hit.start).every((word) => articles.has(word) || word.length > 2);
  return leads ? "title" : "other";
}
