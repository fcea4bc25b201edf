/**
 * Interprets a requested field: converts name, format and description into an `AskedField`, which
 * can be matched with documents.
 */
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import { spellOut } from "../../../language/label-tokens.ts";
import concepts, { type Concept, lineConcepts, type Party, type ValueKind } from "../../lexicon/all-concepts.ts";
import { type LabelTerm, toTerms } from "../../lexicon/family-terms.ts";
import { descriptionLabels, namingWeights } from "./asked-field-weights.ts";
import { type AskedSign, askedSignOf } from "./asked-sign.ts";
import { type FieldMeaning, fieldMeaningOf } from "./field-meaning.ts";
import {
  type LabelPhrase,
  type LabelScorer,
  makeScorer,
  phrasesOf,
  rivalLabelTest,
  scoreWhole,
} from "./label-scores.ts";
import { meaningScorer } from "./meaning-scores.ts";

export interface AskedField {
  name: string;
  description: string;
  format: ParamFormat;
  kind: ValueKind;
  concept?: Concept;
  party?: Party;
  /** Phrases that name the field, best first. */
  phrases: readonly LabelPhrase[];
  /** Keys of the concepts that the field may stand for. */
  means: ReadonlySet<string>;
  meaning: FieldMeaning;
  /** 0 to 1: how well a label names the field. */
  score: LabelScorer;
  /**
   * 0 to 1: how well a label names the field, judged only by shared words and not by similar
   * meaning.
   */
  scoreByWords: LabelScorer;
  /** True for a label that clearly names another concept. */
  namesAnother: (label: string) => boolean;
  /** Word families of the significant words in the description. */
  asks: ReadonlySet<string>;
  /** Values that the description allows, if it lists them. */
  allowed: readonly string[];
  /** True if the description asks for the value without spaces. */
  withoutSpaces: boolean;
  /** Says whether a deduction is asked for as a positive number, or with its sign. */
  sign: AskedSign;
  items: readonly AskedField[];
}

/** Value kinds that each format can have. */
const kindsOf: Record<ParamFormat, readonly ValueKind[]> = {
  text: ["code", "iban", "bic", "vat", "email", "phone", "url", "currency", "name", "address", "text", "boolean"],
  number: ["money", "number", "percent"],
  date: ["date"],
  boolean: ["boolean"],
  list: ["text"],
};

/**
 * Words in the name or description that show that a text field asks for a date or an amount. For
 * example, a text field "invoice date" asks for a date, but the value is still returned as printed.
 * A text field "billing period" remains an ordinary text field, because its name contains none of
 * these words.
 */
export const printedKinds: ReadonlyMap<ValueKind, readonly string[]> = new Map<ValueKind, readonly string[]>([
  ["date", ["date"]],
  ["money", ["amount", "total", "price", "fee", "balance"]],
]);

/** Minimum similarity, 0 to 1, of a concept to a field. Chosen by hand, 2026-11. */
const minConceptSimilarity = 0.7;
/** Maximum number of phrases that are read from a description. Chosen by hand, 2026-11. */
const maxDescriptionPhrases = 8;
/**
 * Factor for the match of a vague field name, such as "amount" or "date", so that the description
 * decides. Chosen by hand, 2026-11.
 */
const vagueName = 0.6;
/**
 * Bonus for a concept that fits the field's position. A field inside a list fits concepts of list
 * columns; a field outside of lists fits all other concepts. Chosen by hand, 2026-11.
 */
const inListBonus = 0.2;
/**
 * A description may name further concepts in addition to the field's main concept. This is the
 * minimum score of a further concept. Chosen by hand, 2026-11.
 */
const minAlsoMeant = 0.6;
/**
 * If a description names further concepts in addition to the field's main concept, the weights of
 * their phrases are multiplied by this factor. Chosen by hand, 2026-11.
 */
const ofAlsoMeant = 0.75;

export function readAskedFields(params: readonly ExtractionParam[]): AskedField[] {
  return params.map((param) => readAskedField(param, false));
}

/** Makes a number field that the engine itself needs, whether or not the user requested it. */
export const amountField = (name: string): AskedField =>
  readAskedFields([{ name, format: "number", description: "" }])[0] as AskedField;

function readAskedField(param: ExtractionParam, inList: boolean): AskedField {
  const name = toTerms(spellOut(param.name));
  const description = phrasesOfDescription(param.description);
  const concept = conceptOf(param.format, name, description, inList);
  const kind = concept?.kind ?? kindOf(param.format, name, param.description, inList);
  const others = concept ? alsoMeant(concept, description) : [];
  const phrases = fieldPhrases(name, description, concept, concept?.kind === "code" ? others : []);
  const own = new Set(concept ? [...sameMeaning(concept), ...others.map((other) => other.key)] : []);
  const meaning = fieldMeaningOf(param.name, param.description);
  const byWords = makeScorer(phrases, kind, own, inList ? lineConcepts : undefined);
  return {
    name: param.name,
    description: param.description,
    format: param.format,
    kind,
    ...(concept ? { concept } : {}),
    ...partyOf(concept, name),
    phrases,
    means: own,
    meaning,
    score: either(byWords, meaningScorer(meaning)),
    scoreByWords: byWords,
    namesAnother: rivalLabelTest(kind, own),
    asks: new Set(description.flatMap((terms) => terms.flatMap((term) => (term.weight >= 1 ? term.texts : [])))),
    allowed: allowedValues(param.description),
    withoutSpaces:
      /\b(?:without|no) (?:any )?(?:white ?)?spaces?\b|ohne leerzeichen|sans espaces?|sin espacios|senza spazi|zonder spaties/i.test(
        param.description,
      ),
    sign: askedSignOf(param.description),
    items: (param.items ?? []).map((item) => readAskedField(item, true)),
  };
}

const either =
  (byWords: LabelScorer, byMeaning: LabelScorer): LabelScorer =>
  (label) =>
    Math.max(byWords(label), byMeaning(label));

/**
 * Groups of concepts that have labels in common. "Period", for example, is a label of both the
 * start and the end of a period.
 */
const sharedLabels: readonly (readonly string[])[] = [
  ["period_start", "period_end"],
  ["seller_vat_id", "buyer_vat_id", "seller_tax_number"],
  ["seller_address", "buyer_address"],
  ["seller_name", "buyer_name"],
  ["flight_start", "period_start"],
  ["flight_end", "period_end"],
];

function sameMeaning(concept: Concept): string[] {
  return [concept.key, ...sharedLabels.filter((keys) => keys.includes(concept.key)).flat()];
}

/**
 * Returns the concepts of the same kind that the description names in addition to the field's main
 * concept, as in "contract, order or invoice number".
 */
function alsoMeant(concept: Concept, description: readonly LabelTerm[][]): Concept[] {
  const sharing = sharingFamilies(conceptsByLabelFamily, description);
  const others = concepts.filter((other) => other.kind === concept.kind && other !== concept && sharing.has(other));
  return others.filter((other) => description.some((terms) => scoreWhole(phrasesOf(other), terms) >= minAlsoMeant));
}

/**
 * Maps each word family to the concepts whose phrases contain it. A concept that shares no word
 * family with a field cannot match the field.
 */
type ConceptsByFamily = ReadonlyMap<string, readonly Concept[]>;

function byFamily(phrasesOf: (concept: Concept) => readonly LabelPhrase[]): ConceptsByFamily {
  const found = new Map<string, Concept[]>();
  for (const concept of concepts)
    for (const family of new Set(phrasesOf(concept).flatMap(({ terms }) => terms.flat())))
      found.set(family, [...(found.get(family) ?? []), concept]);
  return found;
}

const conceptsByLabelFamily = byFamily(phrasesOf);

const sharingFamilies = (byFamily: ConceptsByFamily, phrases: readonly (readonly LabelTerm[])[]): Set<Concept> =>
  new Set(phrases.flatMap((terms) => terms.flatMap(({ texts }) => texts.flatMap((text) => byFamily.get(text) ?? []))));

/** Returns the concept that the name or the description denotes. The name has priority. */
function conceptOf(
  format: ParamFormat,
  name: readonly LabelTerm[],
  description: readonly LabelTerm[][],
  inList: boolean,
): Concept | undefined {
  if (format === "list" || format === "boolean") return undefined;
  const w = namingWeights;
  const telling = name.some((term) => term.weight >= 1);
  // "flight_from" described as "start of the flight" repeats the word "flight". Such a description
  // explains the name, so concepts that match only the description are ignored.
  const specific = name.some(
    (term) => term.weight >= 1 && description.some((phrase) => phrase.some((other) => overlaps(term, other))),
  );
  const hint = formHint(name);
  const kinds = [...kindsOf[format], ...(format === "text" && !inList ? saidKinds(name, description) : [])];
  let best: Concept | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  const sharing = sharingFamilies(conceptsByNameFamily, [name, ...description.slice(0, maxNamingPhrases)]);
  for (const concept of concepts) {
    if (!sharing.has(concept) || !kinds.includes(concept.kind)) continue;
    if (hint && format === "text" && concept.kind !== hint) continue;
    const named = nameSimilarity(concept, name, description);
    const known = named.byName >= minConceptSimilarity;
    if (!known && (specific || named.byDescription < minConceptSimilarity)) continue;
    const byName = named.byName * (telling ? 1 : vagueName);
    const both =
      Math.max(byName, w.description * named.byDescription) + w.weaker * Math.min(byName, named.byDescription);
    const inPlace = lineConcepts.has(concept.key) === inList ? inListBonus : 0;
    const score = both + w.anyDescription * named.byDescription + inPlace;
    if (score > bestScore) [best, bestScore] = [concept, score];
  }
  return best;
}

function saidKinds(name: readonly LabelTerm[], description: readonly LabelTerm[][]): ValueKind[] {
  const said = new Set([...name, ...(description[0] ?? [])].flatMap((term) => term.texts));
  return [...printedKinds].filter(([, words]) => words.some((word) => said.has(word))).map(([kind]) => kind);
}

const conceptNames = new Map<Concept, LabelPhrase[]>(
  concepts.map((concept) => [
    concept,
    concept.names.map((text, at) => ({
      terms: text.split(" ").map((family) => [family]),
      weight: 1 - Math.min(at, 10) * namingWeights.laterName,
    })),
  ]),
);

const conceptsByNameFamily = byFamily((concept) => conceptNames.get(concept) ?? []);

/**
 * Only this many phrases at the start of a description are searched for the name of a concept.
 * Chosen by hand, 2026-11.
 */
const maxNamingPhrases = 3;

/**
 * Scores how well the concept's names match the field's name and the first phrases of its
 * description.
 */
function nameSimilarity(
  concept: Concept,
  name: readonly LabelTerm[],
  description: readonly LabelTerm[][],
): { byName: number; byDescription: number } {
  const names = conceptNames.get(concept) ?? [];
  const phrases = description
    .slice(0, maxNamingPhrases)
    .map((phrase, at) => scoreWhole(names, phrase) * (1 - namingWeights.laterPhrase * at));
  return { byName: scoreWhole(names, name), byDescription: Math.max(0, ...phrases) };
}

function partyOf(concept: Concept | undefined, name: readonly LabelTerm[]): { party?: Party } {
  if (concept?.party) return { party: concept.party };
  const families = new Set(name.flatMap((term) => term.texts));
  if (families.has("seller") || families.has("supplier")) return { party: "seller" };
  if (families.has("buyer") || families.has("customer")) return { party: "buyer" };
  if (families.has("consignee")) return { party: "consignee" };
  if (families.has("payee")) return { party: "payee" };
  return {};
}

/** Derives the kind of value from the field's wording. Used if the field's concept is unknown. */
function kindOf(format: ParamFormat, name: readonly LabelTerm[], description: string, inList: boolean): ValueKind {
  if (format === "number") return numberKind(name, description);
  if (format === "date") return "date";
  if (format === "boolean") return "boolean";
  const families = new Set(name.flatMap((term) => term.texts));
  const plain: readonly [string, ValueKind][] = [
    ["currency", "currency"],
    ["address", "address"],
    ["number", "code"],
    ["id", "code"],
    ["serial", "code"],
    ["plate", "code"],
  ];
  if (!inList && families.has("date")) return "date";
  return formHint(name) ?? plain.find(([family]) => families.has(family))?.[1] ?? "text";
}

const strictForms: readonly [string, ValueKind][] = [
  ["iban", "iban"],
  ["bic", "bic"],
  ["vat_id", "vat"],
  ["email", "email"],
  ["website", "url"],
  ["phone", "phone"],
  ["fax", "phone"],
];

/** Returns the kind that a word of the name states: a "bank account IBAN" is an IBAN. */
const formHint = (name: readonly LabelTerm[]): ValueKind | undefined =>
  strictForms.find(([family]) => name.some((term) => term.texts.includes(family)))?.[1];

function numberKind(name: readonly LabelTerm[], description: string): ValueKind {
  if (unitPattern.test(description)) return "number";
  const named = new Set(name.flatMap((term) => term.texts));
  const families = new Set([...named, ...toTerms(description).flatMap((term) => term.texts)]);
  if (named.has("rate") || (families.has("rate") && !measures.some((family) => named.has(family)))) return "percent";
  if (measures.some((family) => named.has(family))) return "number";
  return amounts.some((family) => families.has(family)) ? "money" : "number";
}

/**
 * Matches a unit of measurement in a description, such as "in kWh" or "in square feet". Currencies
 * are not matched.
 */
const unitPattern =
  /\b(?:in|en) (?:kwh|mwh|kw|km|kg|g|mg|t|tons?|tonnes?|[µmn]g\/l|m[²³23]|cm|mm|sq\.? ?(?:ft|m)|square \p{L}+|lit(?:er|re)s?|l|miles|hours?|stunden|heures|days|tagen?|jours|months?|monaten?|mois|years?|jahren?|pieces|stück)(?!\p{L})/iu;
const measures = ["quantity", "consumption", "reading", "area", "weight", "mileage", "days", "package", "result"];
const amounts =
  "amount total price net gross tax fee payable discount currency premium salary rent balance excess instalment surcharge payment paid deposit interest freight cost".split(
    " ",
  );

/**
 * Splits a description into phrases. A phrase of one word is also completed with the last word of
 * the first longer phrase: "contract, order or invoice number" also yields "contract number".
 */
function phrasesOfDescription(description: string): LabelTerm[][] {
  const parts = description
    .slice(0, 400)
    .split(/[.;:,()/"„“”«»]|\s[-–]\s|\b(?:or|oder|ou|e\.g\.|z\.B\.|i\.e\.|such as|also called|auch|aka|bzw)\b/iu)
    .map((part) => toTerms(part).filter((term) => term.weight > 0))
    .filter((terms) => terms.length > 0 && terms.length <= 6);
  const head = parts.find((terms) => terms.length > 1)?.at(-1);
  const shared = parts.flatMap((terms) =>
    terms.length === 1 && head && terms[0] !== head && !overlaps(terms[0], head) ? [[...terms, head]] : [],
  );
  return [...parts, ...shared].slice(0, maxDescriptionPhrases);
}

const overlaps = (a: LabelTerm | undefined, b: LabelTerm): boolean =>
  a?.texts.some((text) => b.texts.includes(text)) ?? false;

function fieldPhrases(
  name: readonly LabelTerm[],
  description: readonly LabelTerm[][],
  concept: Concept | undefined,
  others: readonly Concept[],
): LabelPhrase[] {
  const phrases: LabelPhrase[] = concept ? [...phrasesOf(concept)] : [];
  const own = name.filter((term) => term.weight > 0);
  if (own.length > 0 && !(concept && own.length === 1))
    phrases.unshift({ terms: own.map((term) => term.texts), weight: 1 });
  const weight = concept ? descriptionLabels.withConcept : descriptionLabels.alone;
  for (const terms of description)
    if (terms.length <= 4 && !(concept && terms.length < 2))
      phrases.push({ terms: terms.map((term) => term.texts), weight });
  for (const phrase of others.flatMap(phrasesOf)) phrases.push({ ...phrase, weight: phrase.weight * ofAlsoMeant });
  return phrases;
}

/**
 * Returns the values listed after "one of:" or its equivalents in other languages. Empty if the
 * description lists none.
 */
function allowedValues(description: string): string[] {
  const match =
    /(?:one of|either|allowed values?|possible values?|eine[rs]? von|entweder|mögliche Werte|l'une? des valeurs|parmi|uno de|uno tra|een van)\s*(?::\s*)?(.{1,300})/iu.exec(
      description,
    );
  if (!match) return [];
  const listed = (match[1] ?? "").split(/[.;\n]/)[0] ?? "";
  const values = listed
    .split(/,|\/|\||\bor\b|\boder\b|\bou\b|\bo\b|\bof\b/iu)
    .map((value) => value.replace(/^[\s"'„“«(]+/u, "").replace(/(?<![\s"'”“»)])[\s"'”“»)]+$/u, ""));
  return values.filter((value) => value.length > 0 && value.length <= 40).slice(0, 50);
}
