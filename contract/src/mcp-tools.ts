/**
 * The tools of the MCP server as data: names, descriptions, input and output schemas, annotations.
 * Every transport offers exactly these tools.
 */
import type { Static, TObject, TSchema } from "typebox";
import { Box } from "./formats.ts";
import { limits } from "./limits.ts";
import { ruleNames } from "./rules.ts";
import { choice } from "./schema.ts";
import Type from "./type.ts";

const id = (description: string) => Type.String({ format: "uuid", minLength: 36, maxLength: 36, description });
const pageNumber = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000, description });
const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: limits.cursorMaxLength,
    description: "`next_cursor` of the previous reply. All other arguments must stay the same.",
  }),
);
const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: "Pass it as `cursor` to get the results omitted from this reply; null if nothing was omitted.",
});
const leftOff = (what: string) => Type.Integer({ minimum: 0, description: `${what} omitted from this reply.` });
const url = Type.String({ description: "Link for people to the page in the web application." });

/** Fields that locate a quote in a document. */
const evidenceFields = {
  corpus: Type.String({ description: "Agent that holds the corpus." }),
  document: Type.String(),
  name: Type.String({ description: "Path and name of the file." }),
  page: Type.Integer({ minimum: 1 }),
  box: Box,
  quote: Type.String({ description: "Words of the page inside the box, verbatim." }),
  url,
};

export const Evidence = Type.Object(evidenceFields);
export type EvidenceJson = Static<typeof Evidence>;

const corpusArgument = id("Reference of the corpus, from `map` or `find`.");
const documentArgument = id("Reference of the document, from `map` or `find`.");

export const FindInput = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: limits.queryMaxLength,
    description: "Words or a question, in the language of the documents.",
  }),
  corpora: Type.Optional(
    Type.Array(id("A corpus."), {
      minItems: 1,
      maxItems: limits.maxCorpora,
      description: "Corpora to search. Default: all corpora that you may search.",
    }),
  ),
  documents: Type.Optional(
    Type.Array(id("A document."), { minItems: 1, maxItems: 100, description: "Searches only these documents." }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, description: "Maximum number of results in this reply. Default: 6." }),
  ),
  cursor,
});
export type FindInputJson = Static<typeof FindInput>;

export const FindOutput = Type.Object({
  results: Type.Array(
    Type.Object({
      ...evidenceFields,
      headings: Type.Array(Type.String(), { description: "Headings above the quote, innermost last." }),
    }),
    { description: "Best first." },
  ),
  corpora_searched: Type.Integer({ minimum: 0 }),
  corpora_left_off: leftOff("Corpora"),
  left_off: leftOff("Ranked results"),
  next_cursor: nextCursor,
});
export type FindOutputJson = Static<typeof FindOutput>;

export const MapInput = Type.Object({
  corpus: Type.Optional(id("Lists the documents of this corpus. Absent: lists corpora and extractor agents.")),
  document: Type.Optional(id("Lists the sections of this document. Requires `corpus`.")),
  cursor,
});
export type MapInputJson = Static<typeof MapInput>;

export const MapOutput = Type.Object({
  corpora: Type.Optional(
    Type.Array(
      Type.Object({
        corpus: Type.String(),
        name: Type.String(),
        description: Type.String(),
        documents: Type.Integer({ description: "Documents that can be read." }),
        pages: Type.Integer(),
        url,
      }),
    ),
  ),
  extractors: Type.Optional(
    Type.Array(
      Type.Object({
        agent: Type.String({ description: "Pass it to `extract`." }),
        name: Type.String(),
        description: Type.String(),
        url,
      }),
    ),
  ),
  documents: Type.Optional(
    Type.Array(
      Type.Object({
        document: Type.String(),
        name: Type.String({ description: "Path and name of the file." }),
        status: Type.String({
          description: "`ready`: the document can be found and read. `pending`, `error`: it cannot.",
        }),
        pages: Type.Union([Type.Integer(), Type.Null()]),
        url,
      }),
    ),
  ),
  document: Type.Optional(
    Type.Object({ document: Type.String(), name: Type.String(), pages: Type.Integer(), passages: Type.Integer(), url }),
  ),
  sections: Type.Optional(
    Type.Array(
      Type.Object({
        headings: Type.Array(Type.String(), { description: "Innermost last; empty before the first heading." }),
        from: Type.Integer({ description: "First page." }),
        to: Type.Integer({ description: "Last page." }),
        words: Type.Integer(),
      }),
      { description: "In reading order." },
    ),
  ),
  total: Type.Object(
    {
      documents: Type.Optional(Type.Integer()),
      pages: Type.Optional(Type.Integer()),
      sections: Type.Optional(Type.Integer()),
    },
    { description: "Total counts, including the results omitted from this reply." },
  ),
  next_cursor: nextCursor,
});
export type MapOutputJson = Static<typeof MapOutput>;

export const ReadInput = Type.Object({
  corpus: corpusArgument,
  document: documentArgument,
  from: Type.Optional(pageNumber("First page. Default: 1.")),
  to: Type.Optional(pageNumber("Last page. Default: the last of the document.")),
  cursor,
});
export type ReadInputJson = Static<typeof ReadInput>;

export const ReadOutput = Type.Object({
  document: Type.String(),
  name: Type.String(),
  pages: Type.Integer({ description: "Number of pages of the whole document." }),
  content: Type.Array(
    Type.Object({
      page: Type.Integer({ minimum: 1 }),
      text: Type.String({ description: "Lines in reading order." }),
      start: Type.Integer({ minimum: 0, description: "Position of `text` in the page, in characters." }),
      length: Type.Integer({ minimum: 0, description: "Number of characters of the whole page." }),
      source: choice(["text", "ocr"], { description: "`ocr`: read from an image, so words may be misread." }),
    }),
  ),
  url,
  left_off: leftOff("Requested pages, whole or in part,"),
  next_cursor: nextCursor,
});
export type ReadOutputJson = Static<typeof ReadOutput>;

export const VerifyInput = Type.Object({
  corpus: corpusArgument,
  document: documentArgument,
  quote: Type.String({
    minLength: 1,
    maxLength: 8_000,
    description: "Words to look for in the document, verbatim.",
  }),
  page: Type.Optional(pageNumber("Page that should contain the quote. Absent: any page.")),
  boxes: Type.Optional(
    Type.Array(Box, {
      maxItems: 100,
      description:
        "Boxes of the words, as `extract` returns them. Required if the words of the quote are not consecutive on the page.",
    }),
  ),
});
export type VerifyInputJson = Static<typeof VerifyInput>;

export const VerifyOutput = Type.Object({
  verified: Type.Boolean({ description: "True if the document contains the quote word for word." }),
  evidence: Type.Optional(Evidence),
  message: Type.String({ description: "The outcome in words." }),
});
export type VerifyOutputJson = Static<typeof VerifyOutput>;

export const ExtractInput = Type.Object({
  agent: Type.Optional(id("Extractor agent, from `map`. Required unless `extraction` is given.")),
  corpus: Type.Optional(id("Corpus of `document`.")),
  document: Type.Optional(id("Document to extract from. Give this or `file`.")),
  file: Type.Optional(
    Type.Object({
      filename: Type.String({ minLength: 1, maxLength: limits.filenameMaxLength, description: "With extension." }),
      content: Type.String({ minLength: 1, description: "The file as base64, at most 3 MB." }),
    }),
  ),
  background: Type.Optional(
    Type.Boolean({ description: "Returns at once with `extraction`, an id to poll with. Only if writing is allowed." }),
  ),
  extraction: Type.Optional(id("Id of an extraction that was started in the background: returns its result.")),
  cursor,
});
export type ExtractInputJson = Static<typeof ExtractInput>;

export const ExtractOutput = Type.Object({
  status: choice(["done", "started"]),
  extraction: Type.Optional(Type.String({ description: "Id to poll with." })),
  thread: Type.Optional(Type.String({ description: "Thread that records the extraction." })),
  values: Type.Array(
    Type.Object({
      path: Type.String({ description: "Field as a JSON pointer; rows of lists are counted from 0." }),
      value: Type.Unknown(),
      is_cut: Type.Optional(Type.Boolean({ description: "True if this is only the beginning of a long text." })),
      page: Type.Optional(Type.Integer({ minimum: 1 })),
      boxes: Type.Optional(Type.Array(Box, { description: "Location of the words." })),
      quote: Type.Optional(Type.String({ description: "Words that the value was read from." })),
      confidence: Type.Optional(Type.Number()),
      failed_rules: Type.Optional(
        Type.Array(Type.Object({ rule: choice(ruleNames), message: Type.String() }), {
          description: "Rules of the field that the value does not satisfy. Absent if there are none.",
        }),
      ),
    }),
    { description: "Values in the order of the fields. Fields without a value are null." },
  ),
  rules_failed: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Number of failed rules, also of omitted values. Absent if no field of the agent has rules.",
    }),
  ),
  url: Type.Optional(url),
  pages: Type.Optional(Type.Integer({ description: "Pages of the document." })),
  left_off: leftOff("Values"),
  next_cursor: nextCursor,
});
export type ExtractOutputJson = Static<typeof ExtractOutput>;

export const toolNames = ["find", "map", "read", "extract", "verify"] as const;
export type ToolName = (typeof toolNames)[number];

export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface ToolDefinition {
  title: string;
  description: string;
  input: TObject;
  output: TSchema;
  annotations: ToolAnnotations;
}

const readsOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const tools: Readonly<Record<ToolName, ToolDefinition>> = {
  find: {
    title: "Find passages",
    description:
      "Searches the documents for a query and returns ranked quotes, each with document, page, box and link. Start here for a question.",
    input: FindInput,
    output: FindOutput,
    annotations: readsOnly,
  },
  map: {
    title: "Map corpora and documents",
    description:
      "Lists what is available, at three levels: without arguments, the corpora and extractor agents; with `corpus`, its documents; with `document`, its sections and pages. Use it to plan what to read.",
    input: MapInput,
    output: MapOutput,
    annotations: readsOnly,
  },
  read: {
    title: "Read pages",
    description:
      "Returns the text of pages in reading order, as much as fits into one reply. Continue with the cursor, or ask only for the pages that `find` and `map` name.",
    input: ReadInput,
    output: ReadOutput,
    annotations: readsOnly,
  },
  extract: {
    title: "Extract fields",
    description:
      "Runs an extractor agent over a document of a corpus or a small file and returns its fields, each with page, box and quote, and with the rules that its value does not satisfy. Stores nothing unless `background` is set.",
    input: ExtractInput,
    output: ExtractOutput,
    annotations: readsOnly,
  },
  verify: {
    title: "Verify a quote",
    description:
      "Checks whether a document, or the given page of it, contains a quote word for word. Use it before you cite: a quote with a changed digit or a missing word is not verified.",
    input: VerifyInput,
    output: VerifyOutput,
    annotations: readsOnly,
  },
};
