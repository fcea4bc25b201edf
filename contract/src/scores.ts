/** Scores of extracted values, and changes of values. */
import type { Static } from "typebox";
import { count, uuid } from "./formats.ts";
import { limits } from "./limits.ts";
import { component } from "./schema.ts";
import Type from "./type.ts";

export const Score = component(
  "Score",
  Type.Object(
    {
      f1: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description: "F1 score: 2 × right / (2 × right + wrong + missing); null if all three are 0.",
        examples: [0.97],
      }),
      right: count("Number of values that equal the truth. Missing values are not counted.", 64),
      wrong: count("Number of values that were returned and differ from the truth.", 1),
      missing: count("Number of true values that were not returned, or returned wrong.", 3),
    },
    { description: "Scores of one field, or of all fields, over all documents." },
  ),
);
export type ScoreJson = Static<typeof Score>;

const cellValue = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], { description });

export const ChangedCell = component(
  "ChangedCell",
  Type.Object(
    {
      extraction_id: Type.Optional(uuid("Id of the reviewed extraction. Absent on the command line.")),
      filename: Type.String({ examples: ["invoice-2026-03.pdf"] }),
      path: Type.String({
        description:
          "JSON pointer to the value. List rows are numbered as in the reviewed list; rows that it does not contain are numbered after its last row.",
        examples: ["/lines/2/amount"],
      }),
      before: cellValue("Value with the current configuration."),
      after: cellValue("Value with the proposed configuration."),
      truth: cellValue("The reviewed value."),
    },
    { description: "A value that the proposed configuration changes. Long text is truncated." },
  ),
);
export type ChangedCellJson = Static<typeof ChangedCell>;

/** Schema of a list of changed values. */
export const changes = (description: string) =>
  Type.Array(ChangedCell, { maxItems: limits.maxChangedCells, description });
/** Schema of the paths of fields that become worse. */
export const lostFields = Type.Array(Type.String(), {
  description: "Fields that become worse: their F1 falls, or it stays the same and more of their values are wrong.",
  examples: [["/total"]],
});

/** `detail` of `quality_lost`. */
export const QualityLost = Type.Object({
  documents: count("Number of reviewed extractions that were evaluated. If 0, a change cannot be measured.", 20),
  lost: lostFields,
  changes: changes("Values that the change makes wrong."),
});
export type QualityLostJson = Static<typeof QualityLost>;
