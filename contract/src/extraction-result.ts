/** Result of an extraction: its data, evidence, failed rules, learned values and lists. */
import type { Static } from "typebox";
import { Box, jsonObject, timestamp, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { ruleNames } from "./rules.ts";
import { choice, component } from "./schema.ts";
import Type from "./type.ts";
import { ResultMetadata } from "./upload.ts";

/** One object of a result. Its keys are the names of the params. */
export const ExtractedRecord = Type.Cyclic(
  {
    ExtractedRecord: jsonObject(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(Type.Ref("ExtractedRecord"))]),
      {
        description:
          "The keys are the names of all params. `text` is a string as written in the document, `number` a number, `boolean` true " +
          "or false, `date` a string `YYYY-MM-DD`, `list` an array of objects. A missing value is null, a missing list `[]`.",
        examples: [{ invoice_number: "F-2026-118", total: 1240.5, lines: [{ label: "Paper", quantity: 10 }] }],
      },
    ),
  },
  "ExtractedRecord",
);

/** An extracted value; null if the document does not have it. */
export type ExtractedValueJson = string | number | boolean | null | ExtractedRecordJson[];
export interface ExtractedRecordJson {
  [name: string]: ExtractedValueJson;
}

export const Evidence = component(
  "Evidence",
  Type.Object(
    {
      page: Type.Integer({ minimum: 1, description: "Number of the page, starting at 1." }),
      boxes: Type.Array(Box, {
        description:
          "Boxes of the words: one per line, or one per word if the box of a line would contain other words.",
      }),
      quote: Type.String({
        description:
          "The words of the page inside the boxes, joined by single spaces. Each word of a bar code has the box of the whole code, but the quote contains only the words that belong to the value.",
      }),
      match: choice(["exact", "normalized", "inferred"], {
        description:
          "`exact`: the quote contains the value literally; `normalized`: it contains the value after parsing numbers, dates and white " +
          "space; `inferred`: the value follows from the quote.",
      }),
      confidence: Type.Number({ minimum: 0, maximum: 1, description: "Probability that the value is correct." }),
    },
    { description: "Location of a value in the document." },
  ),
);
export type EvidenceJson = Static<typeof Evidence>;

/** Evidence of one object of a result, with the same keys. */
export const EvidenceRecord = Type.Cyclic(
  {
    EvidenceRecord: jsonObject(Type.Union([Evidence, Type.Null(), Type.Array(Type.Ref("EvidenceRecord"))]), {
      description: "Has the same structure as the data, with null for values without evidence.",
    }),
  },
  "EvidenceRecord",
);

export type EvidenceValueJson = EvidenceJson | null | EvidenceRecordJson[];
export interface EvidenceRecordJson {
  [name: string]: EvidenceValueJson;
}

/** Reasons why a line or row of a list should be checked. */
export const listReasons = [
  "no_row",
  "missing_value",
  "several_values",
  "repeated_row",
  "position_gap",
  "balance_mismatch",
  "product_mismatch",
  "sum_mismatch",
  "blank_gap",
] as const;

export const ListLine = component(
  "ListLine",
  Type.Object({
    page: Type.Integer({ minimum: 1, description: "Number of the page, starting at 1." }),
    boxes: Type.Array(Box),
    quote: Type.String({ description: "The words of the line." }),
    reason: choice(listReasons, {
      description:
        "`no_row`: the line looks like a row, but no row was extracted from it; `missing_value`: the row lacks a value that nearly all rows have; `several_values`: a " +
        "cell contains more values than in the other rows; `repeated_row`: the row equals the previous one; `position_gap`: the numbering skips " +
        "or repeats a number before this row; `balance_mismatch`, `product_mismatch`, `sum_mismatch`: the arithmetic of the other rows does not " +
        "hold for this row; `blank_gap`: there is space for another row before this one.",
    }),
  }),
);

export const ListLedger = component(
  "ListLedger",
  Type.Object(
    {
      path: Type.String({ description: "JSON Pointer to the list in `data`.", examples: ["/0/lines"] }),
      rows_seen: Type.Integer({
        minimum: 0,
        description: "Number of lines that look like rows: the extracted rows and `rows_unreadable`.",
      }),
      rows_given: Type.Integer({ minimum: 0, description: "Number of rows in `data`." }),
      lines_skipped: Type.Object(
        {
          heading: Type.Integer({ minimum: 0, description: "Repeated headings." }),
          sum: Type.Integer({ minimum: 0, description: "Sums and subtotals." }),
          carried: Type.Integer({ minimum: 0, description: "Lines with sums carried forward from page to page." }),
          note: Type.Integer({
            minimum: 0,
            description: "Other lines, such as headings of groups, notes and page numbers.",
          }),
        },
        { description: "Numbers of lines among the rows that are not rows themselves, by kind." },
      ),
      rows_unreadable: Type.Array(ListLine, {
        description: "Lines that look like rows, but from which no row was extracted.",
      }),
      doubts: Type.Array(ListLine, {
        description: "Extracted rows that do not fit the other rows, such as a row that appears twice.",
      }),
    },
    { description: "Overview of the lines of one list." },
  ),
);
export type ListLedgerJson = Static<typeof ListLedger>;

export const FailedRule = component(
  "FailedRule",
  Type.Object(
    {
      path: Type.String({ description: "JSON pointer into `data` to the value.", examples: ["/0/total"] }),
      rule: choice(ruleNames),
      message: Type.String({
        description: "Description of the problem, in English.",
        examples: ["1240.5 is not the sum of lines/amount, which is 1204.5"],
      }),
      evidence: Type.Optional(
        Type.Array(Evidence, {
          description:
            "Location of the value and, for `sum_of`, the locations of the summands. Present only if evidence is requested. Has at most " +
            `${limits.maxRuleEvidence} locations.`,
        }),
      ),
    },
    { description: "A rule of a field that its value does not satisfy." },
  ),
);
export type FailedRuleJson = Static<typeof FailedRule>;

export const LearnedValue = component(
  "LearnedValue",
  Type.Object(
    {
      path: Type.String({ description: "JSON pointer into `data` to the value or list.", examples: ["/0/total"] }),
      learned_id: uuid("Id of the entry in the list of what the extractor has learned. It may no longer exist."),
      filename: Type.String({
        description: "Name of the file from which the extractor learned.",
        examples: ["invoice-2026-03.pdf"],
      }),
      learned_at: timestamp("When it was learned."),
    },
    {
      description: "A value that depends on what the extractor learned from an earlier document of the same layout.",
    },
  ),
);
export type LearnedValueJson = Static<typeof LearnedValue>;

/** Schema of the member `from_memory`. `condition` describes when the member is present. */
export const fromMemory = (condition: string) =>
  Type.Optional(
    Type.Array(LearnedValue, {
      description: `Values that would be different if the extractor had not learned from earlier documents. A value may be null because documents of this layout do not have it. ${condition}`,
    }),
  );

/** Schema of the data of a result. */
export const extractedData = Type.Unsafe<ExtractedRecordJson[]>(
  Type.Array(ExtractedRecord, { description: "One object per file; empty if the result could not be read." }),
);

export const ExtractionMetadata = component(
  "ExtractionMetadata",
  Type.Object({
    ...ResultMetadata.properties,
    evidence: Type.Optional(
      Type.Unsafe<EvidenceRecordJson[]>(
        Type.Array(EvidenceRecord, { description: 'Present only if requested with `include: ["evidence"]`.' }),
      ),
    ),
    needs_review: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "JSON pointers into `data` to the values that need a review. Present only if the agent has a `wanted_precision`. Lists values whose confidence is below the threshold of their field " +
          "(see the coverage of the extractor), values of fields without a threshold, and values without evidence.",
        examples: [["/0/total"]],
      }),
    ),
    from_memory: fromMemory("Present only if there are such values."),
    failed_rules: Type.Optional(
      Type.Array(FailedRule, {
        maxItems: limits.maxFailedRules,
        description:
          "Rules that the values do not satisfy, in the order of the fields. Present only if a field has rules.",
      }),
    ),
    lists: Type.Optional(
      Type.Array(ListLedger, {
        description:
          'One per list that the built-in engine read. Present only if requested with `include: ["evidence"]`, and if there is such a list.',
      }),
    ),
    extraction_id: Type.Optional(
      uuid(
        "Id of the kept extraction, with which it can be reviewed in `/v2/extractions`. Absent if the extraction is not kept.",
      ),
    ),
  }),
);
export type ExtractionMetadataJson = Static<typeof ExtractionMetadata>;
