/**
 * Reconciles the classification of the built-in engine with that of a language model. A claim of
 * the model about some pages is accepted if its quote was found. Otherwise the built-in result for
 * these pages is kept.
 */

import { limits } from "@sheaf/contract/limits.ts";
import { foldLabel } from "../../language/folding.ts";
import { itemAt } from "../../lib/item-at.ts";
import type { PageAssessment } from "../classify/page-assessment.ts";
import type { Classification, ClassifiedSegment, ClassifyRequest, FoundClass } from "../engine.ts";
import type { QuotePlace } from "../ground/segment-quotes.ts";
import { isPlain } from "../ground/support.ts";
import { promptInjectionsIn } from "../page/prompt-injection.ts";
import { type Claim, likeliestBegin, type Saying } from "./class-claims.ts";
import { type Doubts, firstOf, sureOfLabel } from "./class-doubts.ts";

/**
 * An accepted statement of the model about some pages. Its quote was found, and its label is
 * allowed.
 */
interface Believed {
  saying: Saying;
  label: string;
  /** Description of a discovered class. Undefined for a given class. */
  description: string | undefined;
  place: QuotePlace;
}

export function reconcile(
  { builtin, pages }: PageAssessment,
  claims: readonly Claim[],
  /**
   * Where the quotes were found: one entry per saying, in the order of the claims and their
   * sayings.
   */
  places: readonly (QuotePlace | undefined)[],
  doubts: Doubts,
  classes: ClassifyRequest["classes"],
): Omit<Classification, "tokens"> {
  const labels = new Labels(classes, builtin.discoveredClasses);
  let at = 0;
  const judged = claims.map((claim): JudgedClaim => {
    const believed = claim.sayings.flatMap((saying): Believed[] => {
      const place = places[at++];
      const label = place && labels.of(saying);
      return label ? [{ saying, ...label, place }] : [];
    });
    return { ...claim, believed };
  });
  const begins = beginsOf({ builtin, pages }, judged, doubts);
  const segments: ClassifiedSegment[] = [];
  const discovered = new Map<string, FoundClass>();
  // Segments, claims and first pages are all in page order.
  let [ownAt, claimAt] = [0, 0];
  for (const [index, start] of begins.entries()) {
    const end = (begins[index + 1] ?? Math.max(1, pages.length) + 1) - 1;
    while ((builtin.segments[ownAt + 1]?.start ?? Infinity) <= start) ownAt++;
    while ((judged[claimAt]?.end ?? Infinity) < start) claimAt++;
    const own = itemAt(builtin.segments, ownAt);
    const stands = own.start === start && !doubts.label(own);
    const behind = judged.slice(claimAt, claimAt + end - start + 2);
    const inside = behind.filter((claim) => claim.start <= end);
    const [said] = inside
      .flatMap(({ believed }) => (stands ? [] : believed))
      .filter(({ place }) => start <= place.page && place.page <= end)
      .filter(({ description }) => description === undefined || !labels.isSurelyGiven(own));
    const denied = inside.some(({ sayings }) => sayings.some((saying) => !isSameLabel(saying.label, own.label)));
    const title = pages[firstOf({ start, end }, pages) - 1]?.title ?? "";
    const label = said?.label ?? own.label;
    const confidence = said ? confidenceOf(said, own) : own.confidence * (denied && !stands ? unverified : 1);
    segments.push({ start, end, label, title, confidence: Math.round(confidence * 1000) / 1000 });
    const description = said ? said.description : labels.descriptionOf(own.label);
    if (description === undefined) continue;
    const found = discovered.get(label) ?? { label, description, pages: [] };
    for (let page = start; page <= end; page++) found.pages.push(page);
    discovered.set(label, found);
  }
  return { segments, discoveredClasses: [...discovered.values()] };
}

interface JudgedClaim extends Claim {
  believed: Believed[];
}

/**
 * Returns the first page of each segment. Starts from the boundaries that the built-in engine
 * found. A boundary is changed only if it is doubtful and an accepted claim contradicts it.
 */
function beginsOf({ builtin, pages }: PageAssessment, claims: readonly JudgedClaim[], doubts: Doubts): number[] {
  const begins = new Set(builtin.segments.map(({ start }) => start));
  const within = (first: number, last: number): number[] =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  for (const [at, claim] of claims.entries()) {
    if (claim.believed.length > 0)
      for (const page of within(claim.start + 1, claim.end)) if (doubts.boundary(page)) begins.delete(page);
    const before = claims[at - 1];
    if (!before) continue;
    // A document begins between two consecutive claims. If there are pages between the claims, the
    // document begins at the most likely of these pages.
    const gap = within(before.end + 1, claim.start);
    const all = gap
      .slice(0, -1)
      .every((page) => pages[page - 1]?.identifyingText !== undefined && doubts.shown.includes(page));
    const [left, right] = [before.believed.length > 0, claim.believed.length > 0];
    const isSaid = gap.length === 1 ? left || right : left && right && all && !gap.some((page) => begins.has(page));
    const begin = likeliestBegin(before.end + 1, claim.start, pages);
    if (isSaid && doubts.boundary(begin)) begins.add(begin);
  }
  return [...begins].sort((a, b) => a - b);
}

/**
 * Confidence of a label, depending on how its quote matches the text. It is later combined with the
 * confidence of the built-in result. Chosen by hand, 2026-11.
 */
const ofQuote = { exact: 0.85, normalized: 0.85, fuzzy: 0.75 };
/**
 * Factor for the confidence of the built-in result if the model contradicts it without evidence.
 * Chosen by hand, 2026-11.
 */
const unverified = 0.8;
/** Maximum confidence of a label on which both engines agree. Chosen by hand, 2026-11. */
const most = 0.99;

function confidenceOf({ label, place }: Believed, own: ClassifiedSegment): number {
  const chance = ofQuote[place.match];
  if (isSameLabel(label, own.label))
    return Math.max(own.confidence, Math.min(most, 1 - (1 - chance) * (1 - own.confidence)));
  return chance * (1 - own.confidence / 2);
}

const isSameLabel = (a: string, b: string): boolean => nameOf(a) === nameOf(b);
const nameOf = (label: string): string => foldLabel(label.trim()).replace(/[\s_-]+/gu, " ");

/**
 * Allowed labels: those of given classes as the request spells them, and those of discovered
 * classes.
 */
class Labels {
  readonly #given: ReadonlyMap<string, string>;
  readonly #exact: ReadonlySet<string>;
  /** Discovered classes by normalized name. The first spelling is kept. */
  readonly #discovered = new Map<string, { label: string; description: string }>();

  constructor(classes: ClassifyRequest["classes"], discovered: readonly FoundClass[]) {
    this.#exact = new Set(classes.map(({ label }) => label));
    this.#given = new Map(classes.map(({ label }) => [nameOf(label), label]));
    for (const { label, description } of discovered) this.#discovered.set(nameOf(label), { label, description });
  }

  of({ label, description }: Saying): Pick<Believed, "label" | "description"> | undefined {
    const name = nameOf(label);
    const given = this.#exact.has(label) ? label : this.#given.get(name);
    if (given !== undefined) return { label: given, description: undefined };
    const known = this.#discovered.get(name);
    if (known) return known;
    const [said, told] = [label, description ?? ""].map((text) => text.replace(/\s+/gu, " ").trim()) as [
      string,
      string,
    ];
    if (!isSayable(said, limits.classLabelMaxLength) || !isSayable(told, limits.classDescriptionMaxLength))
      return undefined;
    const found = { label: said, description: told };
    this.#discovered.set(name, found);
    return found;
  }

  /**
   * Returns true if the built-in engine is sure that the segment has one of the given classes. In
   * that case, a discovered class that the model names is ignored.
   */
  isSurelyGiven({ label, confidence }: ClassifiedSegment): boolean {
    return this.#exact.has(label) && confidence >= sureOfLabel;
  }

  /** Returns the description of a discovered class, or undefined for a given class. */
  descriptionOf(label: string): string | undefined {
    return this.#exact.has(label) ? undefined : this.#discovered.get(nameOf(label))?.description;
  }
}

/**
 * Returns true if a label or description that a model wrote may be shown although no quote supports
 * its words. It must be short, and contain no markup, URL or prompt injection.
 */
const isSayable = (text: string, maxLength: number): boolean =>
  /\p{L}/u.test(text) &&
  text.length <= maxLength &&
  !/[\p{Cc}\p{Cf}]/u.test(text) &&
  isPlain(text, "") &&
  promptInjectionsIn(text).length === 0;
