/**
 * Detects questions about a field of a business document ("What is the total of invoice 4711?").
 * Their answer is usually in the page layout, not in a sentence, so it is extracted from the
 * retrieved documents.
 */
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import { isStopWord } from "../../language/function-words.ts";
import type { AnswerLanguage } from "../../language/question-languages.ts";
import { wordTokensOf } from "../../language/word-tokens.ts";
import type { QuestionField } from "../answering.ts";
import { readAskedFields } from "../extract/labels/asked-fields.ts";
import type { Concept } from "../lexicon/concept.ts";
import { toTerms } from "../lexicon/family-terms.ts";
import type { AnswerType } from "../lexicon/questions/focus-nouns.ts";
import { families } from "../lexicon/word-families.ts";
import { analyse } from "./analyze-question.ts";
import { documentNamesIn, isDocumentNoun } from "./document-names.ts";

/**
 * Maximum number of words of a field name. Longer phrases are descriptions. Chosen by hand,
 * 2026-11.
 */
const maxNameWords = 5;
const withDigits = /(?<!\S)[^\s\p{Nd}]*\p{Nd}\S*/gu;
const longestName = 100;

/**
 * Returns the field that the question asks for, or undefined if the lexicon does not know the
 * field.
 */
export function fieldOf(query: string, language: AnswerLanguage): QuestionField | undefined {
  const { kind, type } = analyse(query, language);
  if (kind === "reason" || kind === "manner" || kind === "definition" || kind === "yesno") return undefined;
  // A code or a number says which document is meant. It is not part of the field name.
  const codes = query.match(withDigits) ?? [];
  const words = wordTokensOf(query.replace(withDigits, " "))
    .filter((token) => token.folded.length > 1 && !isStopWord(token.folded, language))
    .map((token) => token.word);
  const names = documentNamesIn(query, language);
  const isName = new Set(names.map(({ word }) => word));
  const withNames = paramNamed(words, type);
  const withoutNames =
    names.length === 0
      ? withNames
      : paramNamed(
          words.filter((word) => !isName.has(word)),
          type,
        );
  // A capitalized word may be a part of the field name. It stays in the name if, without it, the
  // lexicon finds a different concept or none.
  const areOwners =
    withNames === undefined || (withoutNames !== undefined && conceptOf(withNames) === conceptOf(withoutNames));
  const [param, owners] = areOwners ? [withoutNames, names] : [withNames, []];
  if (param === undefined) return undefined;
  return {
    param,
    widerText: [...codes, ...owners.map(({ word }) => word), widerText(param)].join(" "),
    owners: owners.map(({ folded }) => folded),
  };
}

function paramNamed(words: readonly string[], type: AnswerType | undefined): ExtractionParam | undefined {
  for (const named of [words, words.filter((word) => !isDocumentNoun(word))]) {
    if (named.length === 0 || named.length > maxNameWords) continue;
    const param = paramOf(named.join(" ").slice(0, longestName), type);
    if (param !== undefined) return param;
  }
  return undefined;
}

/** Word that the question phrase adds to the field name. "When … due" asks for a due date. */
const completed: Partial<Record<AnswerType, string>> = { time: "date", person: "name" };

function paramOf(name: string, type: AnswerType | undefined): ExtractionParam | undefined {
  const names = type !== undefined && completed[type] !== undefined ? [`${name} ${completed[type]}`, name] : [name];
  return names
    .flatMap((each) =>
      formatsOf(type, name).map((format): ExtractionParam => ({ name: each, format, description: "" })),
    )
    .find((param) => conceptOf(param) !== undefined);
}

const conceptOf = (param: ExtractionParam): Concept | undefined => readAskedFields([param])[0]?.concept;

const amounts = new Set([
  "amount",
  "total",
  "price",
  "net",
  "gross",
  "tax",
  "fee",
  "rent",
  "premium",
  "payable",
  "discount",
  "quantity",
]);

function formatsOf(type: AnswerType | undefined, name: string): ParamFormat[] {
  if (type === "time") return ["date"];
  if (type === "money" || type === "number" || type === "percent") return ["number", "text"];
  if (type !== undefined) return ["text"];
  // The order of these checks matters: "numéro de TVA" is a code, not an amount.
  const named = toTerms(name).flatMap((term) => term.texts);
  if (named.includes("number") || named.includes("id")) return ["text", "number"];
  if (named.includes("date") || named.includes("due")) return ["date"];
  return named.some((family) => amounts.has(family)) ? ["number", "text"] : ["text", "number"];
}

/**
 * Minimum weight in the lexicon (0 to 1) of a label whose words are used in the second search.
 * Chosen by hand, 2026-11.
 */
const minLabelWeight = 0.5;
/** Maximum number of label words in the text for the second search. Chosen by hand, 2026-11. */
const maxWiderWords = 60;

/** Returns the label words of the field in all languages. */
function widerText(param: ExtractionParam): string {
  const labels = Object.entries(conceptOf(param)?.labels ?? {}).filter(([, weight]) => weight >= minLabelWeight);
  const named = new Set(labels.flatMap(([label]) => label.split(" ")));
  const words = [...named].flatMap((family) => (families[family] ?? family).split(" "));
  return [...new Set(words.map((word) => word.replaceAll("_", " ")))].slice(0, maxWiderWords).join(" ");
}
