/**
 * Learning by correction: an extractor agent learns where values are in a layout. It learns this
 * from documents whose correct values a person has provided. In identifiers, such a document is
 * called a paper.
 */
import type { Static } from "typebox";
import { defineEndpoint } from "./endpoint.ts";
import { success } from "./envelope.ts";
import { count, jsonObject, text, timestamp, uuid } from "./formats.ts";
import { Correction } from "./kept-extractions.ts";
import { limits } from "./limits.ts";
import { list, pageQuery } from "./paging.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";

export const learnedRules = ["label_left", "label_above", "label_before", "position", "column", "absent"] as const;
export const learnedSources = ["correction", "review", "import"] as const;

const learnedText = text({ maxLength: limits.learnedTextMaxLength });

export const LearnedFact = component(
  "LearnedFact",
  Type.Object(
    {
      field: text({ maxLength: limits.learnedTextMaxLength, description: "Name of the field.", examples: ["total"] }),
      item: Type.Optional(
        text({
          maxLength: limits.learnedTextMaxLength,
          description: "Name of the field in `items`, for a column of a list.",
        }),
      ),
      rule: choice(learnedRules, {
        description:
          "Position of the value: to the right of a label, below a label, after certain words of the same line, at a certain place relative to the fixed texts, or " +
          "in a column of a table. `absent`: documents of this layout do not have the value.",
      }),
      label: text({
        maxLength: limits.learnedTextMaxLength,
        description: "The label, or the heading of the column, as it is printed; empty if there is none.",
        examples: ["Gesamtbetrag"],
      }),
    },
    { description: "Position of a value in documents of the layout." },
  ),
);

const learnedFields = {
  id: uuid("Id of the entry."),
  filename: Type.String({
    description: "Name of the file from which the agent learned.",
    examples: ["invoice-2026-03.pdf"],
  }),
  source: choice(learnedSources, {
    description: "`correction`: taught through the API; `review`: a kept extraction was reviewed; `import`: imported.",
  }),
  extraction_id: Type.Union([uuid("The kept extraction."), Type.Null()], {
    description:
      "The kept extraction from which the agent learned. It may no longer exist. Null for an imported entry.",
  }),
  learned: Type.Array(LearnedFact, { description: "What was learned." }),
  times_used: count("Number of later extractions from documents with this layout.", 3),
  last_used_at: Type.Union([timestamp("Time at which the entry was last used."), Type.Null()], {
    description: "Time at which the entry was last used; null if never.",
  }),
  created_at: timestamp("When it was learned."),
};

export const LearnedPaper = component(
  "LearnedPaper",
  Type.Object(learnedFields, { description: "A document from which an extractor has learned." }),
);
export type LearnedPaperJson = Static<typeof LearnedPaper>;

export const TaughtPaper = component(
  "TaughtPaper",
  Type.Object({
    ...learnedFields,
    not_found: Type.Array(Type.String(), {
      description: "Names of given fields whose value was not found in the document. Nothing is learned about them.",
      examples: [[]],
    }),
  }),
);
export type TaughtPaperJson = Static<typeof TaughtPaper>;

export const TeachRequest = component(
  "TeachRequest",
  Type.Object({
    extraction_id: uuid("A kept extraction of the agent."),
    corrections: Type.Array(Correction, {
      minItems: 1,
      maxItems: limits.maxCorrections,
      description:
        "The correct values of the document, as corrections of the extraction's `data`: `confirmed` for values that are already correct, null for those that " +
        "the document does not have. Only the fields named here are learned. A list is learned as a whole, with the rows that it has after the corrections.",
    }),
  }),
);
export type TeachRequestJson = Static<typeof TeachRequest>;

const key = text({ maxLength: 100 });
const keys = Type.Array(key, { maxItems: 10 });
const number = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 });
const box = Type.Unsafe<readonly [number, number, number, number]>(
  Type.Array(number, { minItems: 4, maxItems: 4, description: "Coordinates in thousandths of the page width." }),
);
const reading = choice(["text", "compact", "number", "negative", "date", "dmy", "mdy", "currency", "said"]);

const anchor = Type.Object({
  page: number,
  box,
  fromBottom: number,
  before: keys,
  after: keys,
  left: key,
  above: key,
  below: key,
  lines: Type.Integer({ minimum: 0, maximum: 100 }),
  words: Type.Integer({ minimum: 1, maximum: 200 }),
  atStart: Type.Boolean(),
  atEnd: Type.Boolean(),
  cut: Type.Boolean(),
  shape: text({ maxLength: 200 }),
  bold: Type.Boolean(),
  reading,
  quote: key,
  said: Type.Optional(
    Type.Union([text({ maxLength: limits.correctedTextMaxLength }), Type.Number(), Type.Boolean(), Type.Null()]),
  ),
  joint: text({ maxLength: 2 }),
  prior: Type.Number({ minimum: 0, maximum: 1 }),
  beside: key,
  label: key,
});

const column = Type.Object({
  item: Type.Optional(learnedText),
  heading: key,
  headingBox: Type.Optional(box),
  left: number,
  right: number,
  align: choice(["left", "right"]),
  line: number,
  reading,
  group: number,
  skipFirst: Type.Integer({ minimum: 0, maximum: 1_000 }),
  skipLast: Type.Integer({ minimum: 0, maximum: 1_000 }),
  key: Type.Boolean(),
  wraps: Type.Boolean(),
});

const learnedField = Type.Union([
  Type.Object({ anchors: Type.Array(anchor, { maxItems: 10 }) }),
  Type.Object({ absent: Type.Literal(true) }),
  Type.Object({
    list: Type.Object({
      columns: Type.Array(column, { maxItems: 200 }),
      ends: keys,
      start: key,
      skips: Type.Boolean(),
    }),
  }),
]);

export const ExportedPaper = component(
  "ExportedPaper",
  Type.Object(
    {
      id: text({ maxLength: 36, description: "Id of the entry in the agent from which it was exported." }),
      filename: text({ maxLength: limits.filenameMaxLength }),
      created_at: timestamp("When it was learned."),
      learned: Type.Array(LearnedFact, { maxItems: limits.maxLearnedFacts }),
      skeleton: text({
        maxLength: limits.learnedSkeletonMaxLength,
        description: "Hashes of the document's fixed texts, with their positions.",
      }),
      fields: Type.Unsafe<Record<string, Static<typeof learnedField>>>(
        jsonObject(learnedField, {
          description: "For each field, the positions of its values relative to the fixed texts.",
          maxProperties: limits.maxLearnedFacts,
        }),
      ),
      checks: Type.Unsafe<Record<string, Record<string, boolean>>>(
        jsonObject(jsonObject(Type.Boolean(), { maxProperties: limits.maxLearnedFacts }), {
          description:
            "Results of applying earlier lessons to this document. For the id of each earlier document: true for each field that its lesson read correctly, false for each field that it read wrongly.",
          maxProperties: limits.maxLearnedPapers,
        }),
      ),
    },
    { description: "What was learned from one document, for import into another agent or installation." },
  ),
);
export type ExportedPaperJson = Static<typeof ExportedPaper>;

const papers = Type.Array(ExportedPaper, { maxItems: limits.maxLearnedPapers, description: "Oldest first." });

export const ExportedMemory = component("ExportedMemory", Type.Object({ papers }));
export type ExportedMemoryJson = Static<typeof ExportedMemory>;

const agentReference = Type.String({ description: "Reference of the extractor agent." });
const ofAgent = { tag: "Extraction", pathParameters: Type.Object({ agentReference }) } as const;
const removed = Type.Object({ removed: count("Number of removed entries.", 1) });

const teachExtractor = defineEndpoint({
  ...ofAgent,
  auth: "administrator",
  app: "member",
  operationId: "teachExtractor",
  method: "POST",
  path: "/v2/extractor/{agentReference}/corrections",
  summary: "Teach an extractor by correction",
  description:
    "The agent learns the positions of these values, and uses them for documents of the same layout. Documents of other layouts are read as " +
    "before. Teaching the same extraction again replaces what was learned from it. Marking a kept extraction of the agent as reviewed " +
    "teaches all its values.",
  body: TeachRequest,
  responses: { 201: { description: "What was learned.", body: success(TaughtPaper) } },
  errors: ["agent_not_found", "not_found", "invalid_config", "invalid_request", "extraction_failed"],
});

const listLearned = defineEndpoint({
  ...ofAgent,
  auth: "administrator",
  app: "member",
  operationId: "listLearned",
  method: "GET",
  path: "/v2/extractor/{agentReference}/corrections",
  summary: "List what an extractor has learned",
  description: "Lists the documents from which the agent has learned, oldest first.",
  query: pageQuery,
  responses: { 200: { description: "The documents.", body: list(LearnedPaper) } },
  errors: ["agent_not_found", "invalid_request"],
});

const deleteLearned = defineEndpoint({
  ...ofAgent,
  auth: "administrator",
  operationId: "deleteLearned",
  method: "DELETE",
  path: "/v2/extractor/{agentReference}/corrections/{correctionId}",
  pathParameters: Type.Object({ agentReference, correctionId: Type.String({ description: "Id of the entry." }) }),
  summary: "Undo what an extractor has learned from a document",
  description: "The agent then extracts as if it had never learned from this document.",
  responses: {
    200: { description: "The entry was removed.", body: success(Type.Object({ id: uuid("Id of the entry.") })) },
  },
  errors: ["agent_not_found", "not_found"],
});

const deleteAllLearned = defineEndpoint({
  ...ofAgent,
  auth: "administrator",
  operationId: "deleteAllLearned",
  method: "DELETE",
  path: "/v2/extractor/{agentReference}/corrections",
  summary: "Undo everything that an extractor has learned",
  responses: { 200: { description: "All entries were removed.", body: success(removed) } },
  errors: ["agent_not_found"],
});

const exportLearned = defineEndpoint({
  ...ofAgent,
  auth: "administrator",
  operationId: "exportLearned",
  method: "GET",
  path: "/v2/extractor/{agentReference}/corrections/export",
  summary: "Export what an extractor has learned",
  description:
    "Fixed texts of the documents are exported as hashes. Labels are exported as text, and so are values that differ from the printed text.",
  responses: { 200: { description: "The documents.", body: success(ExportedMemory) } },
  errors: ["agent_not_found"],
});

const importLearned = defineEndpoint({
  ...ofAgent,
  auth: "administrator",
  operationId: "importLearned",
  method: "POST",
  path: "/v2/extractor/{agentReference}/corrections/import",
  summary: "Import what another extractor has learned",
  description: "Adds the documents to those from which the agent has learned. Their entries get new ids.",
  body: ExportedMemory,
  responses: {
    201: {
      description: "The entries were imported.",
      body: success(Type.Object({ imported: count("Number of imported documents.", 12) })),
    },
  },
  errors: ["agent_not_found", "invalid_request"],
});

export const correctionsEndpoints = {
  teachExtractor,
  listLearned,
  deleteLearned,
  deleteAllLearned,
  exportLearned,
  importLearned,
};
