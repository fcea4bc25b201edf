/**
 * Sets of questions about documents. The documents of a set are one corpus: documents of this
 * project (`fit/papers`), the evaluation set papers-a, or articles of squad2, piaf and xquad,
 * printed as PDF.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataFolder } from "../../bench/data.ts";
import { pagesForFacts, passagesRead } from "../../server/src/features/knowledge/corpus-search.ts";
import { countWords } from "../../server/src/language/count-words.ts";
import type { Document } from "../../server/src/reading/document.ts";
import type { AgentHit, PassageIndex } from "../../server/src/search/passage-index.ts";
import { passagesOf } from "../../server/src/search/passages.ts";
import { readFittedPapers, withDocuments } from "../papers/fitted-papers.ts";
import { authorOf, heldOutAuthor, readPapers } from "../papers/papers.ts";
import { printPage, printPaper } from "../papers/print-paper.ts";
import { mulberry32 } from "../random.ts";

export interface PaperQuestion {
  id: string;
  type: string;
  question?: string;
  /** Questions of a conversation. Only the answer to the last one counts. */
  turns?: string[];
  /** Accepted answers. Empty if the corpus does not hold the answer. */
  answers: string[];
  /** Names of the documents that hold the answer. */
  documents: string[];
  /** Words of the document that prove the answer to a yes-or-no question. */
  quote?: string;
  /** Accepted date, as YYYY-MM-DD. */
  date?: string;
  /** Name of the document in which the answer is searched for. If absent, all are searched. */
  within?: string;
}

export interface AskedFile {
  name: string;
  /** Name of the file, with its extension. */
  file: string;
  /** Returns the path of the file. Prints it first if that has not been done. */
  open(): string;
  /** Passages of a document that has no file. */
  texts?: string[];
}

export interface QuestionSet {
  files: AskedFile[];
  questions: PaperQuestion[];
}

const printed = join(import.meta.dirname, "../../bench/out/fit");

/** Authors whose documents in `fit/papers` are the corpus of a set, by the name of the set. */
const authorsOf: Readonly<Record<string, readonly string[]>> = {
  "own-1": ["11", "13", "19"],
  "own-2": ["01", "02", "03", "04", "05", "06"],
  "own-3": ["12", "14", "15", "16"],
  "own-4": ["17", "20", "21", "22"],
  "own-5": ["11", "13", "19"],
  "own-6": ["01", "02", "03", "04", "05", "06"],
  "own-7": ["12", "14", "15", "16", "17", "20"],
  "own-8": ["21", "22"],
  "own-9": ["11", "15", "19"],
  "held-out": ["08", "09", "10", "18", "23"],
  "held-out-2": ["24"],
};

/** Held-out sets, to which nothing is fitted. */
export const heldOutSets: readonly string[] = ["held-out", "held-out-2"];
/** Sets of questions about business documents. */
export const paperQuestionSets = ["papers-a", ...Object.keys(authorsOf)];
/** Sets of questions about articles, with the languages of their questions. */
export const articleSets = ["squad2", "piaf", "xquad/de", "xquad/es", "xquad/ru", "xquad/ar", "xquad/zh"];
/**
 * Sets whose articles are not printed, because printing needs fonts for their scripts. Their
 * documents have passages, but no facts.
 */
const unprinted: readonly string[] = ["xquad/ru", "xquad/ar", "xquad/zh"];

/**
 * Name of the set whose questions are descriptions of fields. Each question is about the document
 * that has the field.
 */
export const fieldSet = "fields";

export function readQuestionSet(name: string): QuestionSet {
  if (name === fieldSet) return fieldQuestions();
  if (name === "papers-a") return papersA();
  const authors = authorsOf[name];
  if (authors) return ownPapers(name, authors);
  if (articleSets.includes(name)) return articles(name);
  throw new Error(`Name a set of questions: ${[...paperQuestionSets, ...articleSets].join(", ")}.`);
}

interface QuestionFile {
  questions: (Omit<PaperQuestion, "documents"> & { documents: (string | { document: string })[] })[];
}

const readQuestions = (path: string): PaperQuestion[] => {
  const { questions }: QuestionFile = JSON.parse(readFileSync(path, "utf8"));
  return questions.map(({ documents, ...question }) => ({
    ...question,
    documents: documents.map((each) => (typeof each === "string" ? each : each.document)),
  }));
};

const ownPapers = (name: string, authors: readonly string[]): QuestionSet => ({
  files: readPapers()
    .filter((paper) => authors.includes(authorOf(paper)))
    .map((paper) => ({ name: paper.name, file: `${paper.name}.pdf`, open: () => printPaper(paper, printed) })),
  questions: readQuestions(join(import.meta.dirname, `../questions/${name}.json`)),
});

function papersA(): QuestionSet {
  const folder = join(dataFolder, "papers-a/docs");
  return {
    files: readdirSync(folder)
      .sort()
      .map((file) => ({ name: file.replace(/\.\w+$/, ""), file, open: () => join(folder, file) })),
    questions: readQuestions(join(dataFolder, "papers-a/questions.json")),
  };
}

/** Number of fields per document whose descriptions become questions. */
const fieldsOfPaper = 3;
/** Minimum number of words in a description that becomes a question. */
const minWords = 2;

/**
 * Returns the set whose questions are descriptions that users wrote for fields. A description does
 * not say which document is meant, so only the document that has the field is searched.
 */
function fieldQuestions(): QuestionSet {
  const random = mulberry32(5);
  const papers = readFittedPapers().filter(({ author }) => author !== heldOutAuthor);
  return {
    files: papers.map(({ name, open }) => ({ name, file: `${name}.pdf`, open })),
    questions: papers.flatMap(({ name, params, fields }) =>
      params
        .filter(
          ({ format, description }) => format !== "list" && format !== "boolean" && countWords(description) >= minWords,
        )
        .map((param) => ({ param, at: random() }))
        .toSorted((a, b) => a.at - b.at)
        .slice(0, fieldsOfPaper)
        .flatMap(({ param: { name: field, format, description } }): PaperQuestion[] => {
          const values = fields.get(field) ?? [];
          const isAbsent = values[0] === null;
          return [
            {
              id: `${name} ${field}`,
              type: isAbsent ? "unanswerable" : "field",
              question: description,
              answers: isAbsent ? [] : values.flatMap((value) => (value === null ? [] : [String(value)])),
              documents: isAbsent ? [] : [name],
              ...(format === "date" && typeof values[0] === "string" && { date: values[0] }),
              within: name,
            },
          ];
        }),
    ),
  };
}

interface GoldQuestion {
  question: string;
  answers: string[];
  unanswerable: boolean;
  /** Id of the paragraph: title of the article and number. */
  doc: string;
}

/** Maximum number of printed paragraphs per article. */
const maxParagraphs = 12;
/** Maximum number of questions per set. */
const maxQuestions = 400;

/** Returns the questions about every other article. Each article is one document. */
function articles(set: string): QuestionSet {
  const folder = join(dataFolder, set);
  const lines = readFileSync(join(folder, "corpus.jsonl"), "utf8").split("\n").filter(Boolean);
  const paragraphs: { id: string; title: string; text: string }[] = lines.map((line) => JSON.parse(line));
  const titles = [...new Set(paragraphs.map(({ title }) => title))].filter((_, at) => at % 2 === 0);
  const fileOf = (title: string): string => `${set.replace("/", "-")}-${titles.indexOf(title)}`;
  const kept = new Map<string, string>();
  const files = titles.map((title): AskedFile => {
    const own = paragraphs.filter((paragraph) => paragraph.title === title).slice(0, maxParagraphs);
    for (const { id } of own) kept.set(id, fileOf(title));
    const name = fileOf(title);
    const texts = own.map(({ text }) => text);
    return {
      name,
      file: `${title}.pdf`,
      ...(unprinted.includes(set) && { texts }),
      open: () => printArticle(name, title, texts),
    };
  });
  const truth: Record<string, GoldQuestion> = JSON.parse(readFileSync(join(folder, "qa_truth.json"), "utf8"));
  const asked = Object.entries(truth).filter(([, { doc }]) => kept.has(doc));
  const step = Math.max(1, asked.length / maxQuestions);
  const chosen = Array.from({ length: Math.min(maxQuestions, asked.length) }, (_, at) => asked[Math.floor(at * step)]);
  return {
    files,
    questions: chosen.flatMap((each) => {
      if (!each) return [];
      const [id, { question, answers, unanswerable, doc }] = each;
      const documents = unanswerable ? [] : [kept.get(doc) ?? ""];
      return [{ id, type: "article", question, answers: unanswerable ? [] : answers, documents }];
    }),
  };
}

function printArticle(name: string, title: string, texts: readonly string[]): string {
  mkdirSync(printed, { recursive: true });
  const [page, pdf] = [join(printed, `${name}.html`), join(printed, `${name}.pdf`)];
  if (existsSync(pdf)) return pdf;
  const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const body = texts.map((text) => `<p>${escaped(text)}</p>`).join("");
  writeFileSync(
    page,
    `<!DOCTYPE html><meta charset="utf-8"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${body}`,
  );
  printPage(page, pdf);
  return pdf;
}

const agent = "papers";

export interface AskedCorpus {
  /**
   * Returns the best passages. If only one document is searched and none of its passages match,
   * returns an empty passage of that document, as the service does for a small corpus.
   */
  findPassages(text: string, within?: string): Promise<AgentHit[]>;
  /** Returns the document of the passages, with only the pages from which facts are read. */
  pagesOf(passages: readonly AgentHit[]): Document | undefined;
}

/** Adds the documents of a set to an empty index. */
export async function indexFiles(files: readonly AskedFile[], index: PassageIndex): Promise<AskedCorpus> {
  const documents = new Map<string, Document>();
  for (const { name, file, texts } of files) {
    if (!texts) continue;
    const passages = texts.map((text, at) => ({ page: at + 1, start: 0, end: 1, text, title: file, headings: [] }));
    await index.put(agent, { reference: name, name: file, path: "" }, passages);
  }
  const printedFiles = files.filter(({ texts }) => texts === undefined);
  for await (const [{ name, file }, document] of withDocuments(printedFiles)) {
    const about = { reference: name, name: file, path: "" };
    documents.set(name, document);
    await index.put(agent, about, passagesOf(document, about));
  }
  return {
    pagesOf: (hits) => {
      const document = documents.get(hits[0]?.document ?? "");
      const numbers = pagesForFacts(hits);
      return document && { ...document, pages: document.pages.filter(({ number }) => numbers.has(number)) };
    },
    findPassages: async (text, within) => {
      const hits = await index.search(agent, { text, limit: passagesRead, ...(within && { documents: [within] }) });
      if (hits.length > 0 || within === undefined) return hits.map((hit) => ({ ...hit, agent }));
      const empty = { page: 1, start: 0, end: 0, text: "", title: "", headings: [], score: 0, path: "" };
      return [{ ...empty, agent, document: within, name: `${within}.pdf` }];
    },
  };
}

/**
 * Maximum length, in characters, of an answer that counts as correct because it contains an
 * accepted answer.
 */
const longest = 300;

/**
 * Returns true if the text is or contains an accepted answer. Uses the same rule as the scorer of
 * papers-a.
 */
export function isAccepted(text: string, answers: readonly string[]): boolean {
  const folded = fold(text);
  return answers.some((accepted) => {
    if (isNumber.test(accepted))
      return numbersIn(text).some((number) => Math.abs(number - numberIn(accepted)) < 0.0051);
    const wanted = fold(accepted);
    return wanted === folded || (wanted.length > 2 && folded.includes(wanted) && text.length <= longest);
  });
}

const isNumber = /^-?[\d.,'’ ]+$/;

const numbersIn = (text: string): number[] => (text.match(/-?\d[\d.,'’\u202f\u00a0 ]*\d|\d/g) ?? []).map(numberIn);

/**
 * Parses a number in any notation. A last separator followed by one or two digits is the decimal
 * separator.
 */
function numberIn(text: string): number {
  const digits = text.replace(/[^\d.,-]/g, "");
  const decimal = /[.,](\d{1,2})$/.exec(digits);
  const whole = (decimal ? digits.slice(0, decimal.index) : digits).replace(/[.,]/g, "");
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
}

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
