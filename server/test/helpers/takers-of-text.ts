/** Every function that accepts untrusted text, by area and by type of text. */
import { documentPathIssues, extensionOf, filenameIssues, normalizeFilename } from "@sheaf/contract/filename.ts";
import { builtinAnswerer } from "../../src/engine/answer/answer-question.ts";
import { fieldOf } from "../../src/engine/answer/question-field.ts";
import { readFacts } from "../../src/engine/answer/read-facts.ts";
import { wishesOf } from "../../src/engine/answer/read-wishes.ts";
import type { PassageText } from "../../src/engine/answering.ts";
import { Classifier } from "../../src/engine/classify/classify-pages.ts";
import {
  hasLegalForm,
  isProse,
  legalFormOf,
  looksLikeName,
  withoutRegister,
} from "../../src/engine/extract/candidates/names.ts";
import { extractBuiltin } from "../../src/engine/extract/extract-fields.ts";
import { readAskedFields } from "../../src/engine/extract/labels/asked-fields.ts";
import { defaultConventions } from "../../src/engine/ground/conventions.ts";
import { QuotedText } from "../../src/engine/ground/find-quotes.ts";
import { SourcePassage } from "../../src/engine/ground/source-passage.ts";
import { isPlain, isSupported } from "../../src/engine/ground/support.ts";
import { valueInQuote } from "../../src/engine/ground/value-in-quote.ts";
import { toTerms } from "../../src/engine/lexicon/family-terms.ts";
import { withoutReasoning } from "../../src/engine/model/client/reasoning-output.ts";
import { readJson } from "../../src/engine/model/client/repair-json.ts";
import { promptInjectionsIn } from "../../src/engine/page/prompt-injection.ts";
import { documentOf } from "../../src/engine/testing/document-builder.ts";
import { isAddressLine, isContactLine, isPremisesLine, isStreetLine } from "../../src/engine/values/address-lines.ts";
import {
  findEmails,
  findIbans,
  findIdentifiers,
  findPhones,
  findUrls,
  findVatNumbers,
} from "../../src/engine/values/codes.ts";
import { findCurrencies } from "../../src/engine/values/currencies.ts";
import { findDates } from "../../src/engine/values/dates.ts";
import { findNumbers, markVotes, readDigits } from "../../src/engine/values/numbers.ts";
import { openAddressOf } from "../../src/http/client-address.ts";
import { Base64Decoder } from "../../src/http/upload/base64-decoder.ts";
import { languageOfPassage } from "../../src/language/detection.ts";
import { scanXml } from "../../src/reading/formats/ooxml/xml.ts";
import { numberFormatOf } from "../../src/reading/formats/xlsx/number-format.ts";
import { isAmount, isNumber } from "../../src/reading/layout/number-words.ts";
import { analyzed, queryTermsOf } from "../../src/search/analyzer.ts";
import { passagesOf } from "../../src/search/passages.ts";

export type Work = (text: string) => unknown;

const ask = (query: string, more: Partial<Parameters<typeof builtinAnswerer.understand>[0]> = {}) =>
  builtinAnswerer.understand({ query, instructions: [], consignes: [], historic: [], ...more });
const passage = (text: string): PassageText => ({
  text,
  title: text.slice(0, 200),
  headings: [],
  name: "a.pdf",
  path: "",
  score: 1,
});
const invoice = documentOf([
  ["Invoice No:", "4711-A"],
  ["Total:", "12.00"],
]);
const classify = (filename: string, label: string, description: string) => {
  const classifier = new Classifier({ filename, classes: [{ label, description }], mode: "page" });
  for (const page of invoice.pages) classifier.add(page);
  return classifier.finish();
};
const mill = "The mill was built in 1875.";
const encoder = new TextEncoder();
const ignoring = { open: () => {}, close: () => {}, text: () => {} };

function decode(text: string): void {
  const decoder = new Base64Decoder();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    at = decoder.decodeRun(bytes, at);
    if (at < bytes.length) decoder.accept(bytes[at++] as number);
    decoder.takeOutput();
  }
  decoder.finish();
}

const questions: Record<string, Work> = {
  "an instruction": (text) => wishesOf([text], [], "en"),
  "an instruction in Chinese": (text) => wishesOf([`用${text}`], [], "zh"),
  "a consigne": (text) => wishesOf([], [text], "de"),
  "a query": (text) => ask(text),
  "a query for a field": (text) => fieldOf(`What is the total of invoice ${text}`, "en"),
  "a conversation": (text) =>
    ask("And in 2019?", {
      historic: [
        { role: "user", content: text },
        { role: "assistant", content: text },
      ],
    }),
  "the terms of a query": (text) => queryTermsOf(text, ["en", "de", "zh", "th"], "de"),
  "a passage": (text) => builtinAnswerer.answer(ask("Who built the mill in 1875?"), [passage(text)]),
  "a passage and a query of its words": (text) =>
    builtinAnswerer.likelySpans(ask(text.slice(0, 8_000)), [passage(text)]),
  "a question to a document": (text) => readFacts(invoice, ask(text)),
  "a document and a question of its words": (text) =>
    readFacts(documentOf(text.split("\n").map((line) => [line])), ask(text.slice(0, 8_000))),
  "a question for a document": (text) =>
    // A passage has at most 220 words.
    builtinAnswerer.answer(ask(`Which document mentions ${text.slice(0, 4_000)}?`), [passage(text.slice(0, 2_000))]),
  "a passage for a field": (text) =>
    builtinAnswerer.documentsToRead(ask("What is the total of invoice 4711?"), [passage(text)]),
};

const definitions: Record<string, Work> = {
  "the name of a param": (text) => readAskedFields([{ name: text, format: "text", description: "" }]),
  "the description of a param": (text) => readAskedFields([{ name: "total", format: "number", description: text }]),
  "a list of allowed values": (text) =>
    readAskedFields([{ name: "kind", format: "text", description: `one of: ${text}` }]),
  "an extraction by a param": (text) =>
    extractBuiltin({ document: invoice, params: [{ name: text.slice(0, 100), format: "text", description: text }] }),
  "the label of a class": (text) => classify("a.pdf", text, "An invoice."),
  "the description of a class": (text) => classify("a.pdf", "Invoice", text),
  "a name of a file to classify": (text) => classify(`${text}.pdf`, "Invoice", ""),
  "the name of a file": (text) => [normalizeFilename(text), extensionOf(text), filenameIssues(text)],
  "the path of a document": (text) => documentPathIssues(text),
  "the terms of a label": (text) => toTerms(text),
};

const lines: Record<string, Work> = {
  names: (text) => [hasLegalForm(text), legalFormOf(text), isProse(text), looksLikeName(text), withoutRegister(text)],
  addresses: (text) => [isAddressLine(text), isContactLine(text), isPremisesLine(text), isStreetLine(text)],
  dates: (text) => [findDates(text, "dmy"), findDates(text, "mdy")],
  numbers: (text) => [
    findNumbers(text, ",", new Set()),
    markVotes(text),
    readDigits(text, "."),
    isNumber(text),
    isAmount(text),
  ],
  currencies: (text) => findCurrencies(text),
  "codes of banks and taxes": (text) => [findIbans(text), findVatNumbers(text)],
  "mail, web, telephone": (text) => [findEmails(text), findUrls(text), findPhones(text)],
  identifiers: (text) => findIdentifiers(text),
};

const files: Record<string, Work> = {
  "a number format": (text) => [numberFormatOf(text).number(1234.5, false), numberFormatOf(text).text("a")],
  "XML elements": (text) => attempt(() => scanXml(encoder.encode(`<a>${text}</a>`), ignoring)),
  "an XML attribute": (text) => attempt(() => scanXml(encoder.encode(`<a b='${text}'/>`), ignoring)),
  base64: (text) => attempt(() => decode(text)),
  "terms of a passage": (text) => [analyzed(text, "en"), analyzed(text, "zh"), languageOfPassage(text, 1_000, "en")],
  "passages of a page": (text) => passagesOf(documentOf([[text]]), { name: text.slice(0, 200), path: "" }),
  "an address of a client": (text) => openAddressOf(["10.0.0.0/8"])("10.0.0.1", text),
};

const models: Record<string, Work> = {
  "JSON of a model": (text) => readJson(text),
  "JSON in a fence": (text) => readJson(`\`\`\`json\n${text}`),
  "reasoning output": (text) => withoutReasoning(text),
  "prompt injection": (text) => promptInjectionsIn(text),
  "a quote": (text) => new QuotedText("The mill was built in 1875 … by Ada.").spansOf(text),
  "a quoted passage": (text) => new QuotedText(text).spansOf("built in 1875 … by Ada"),
  "a sentence": (text) => [isPlain(text, "The mill."), isSupported(text, new SourcePassage(passage(mill)), 0)],
  "the source of a sentence": (text) => isSupported(mill, new SourcePassage(passage(text)), 0),
  "a value": (text) => valueInQuote(text, "text", mill, defaultConventions),
  "the quote of a value": (text) => valueInQuote("1875", "text", text, defaultConventions),
};

export const takersOfText: Readonly<Record<string, Readonly<Record<string, Work>>>> = {
  questions,
  definitions,
  lines,
  files,
  models,
};

/**
 * Runs `work` and ignores errors, because input that is refused must be processed in linear time,
 * too.
 */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
