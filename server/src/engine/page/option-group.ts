/** The options of a form that answer one question. */
import type { FormField } from "../../reading/document.ts";
import type { OptionBox, Piece } from "./option-rows.ts";
import type { PageRuns } from "./text-runs.ts";

export interface Option {
  mark: OptionBox;
  /** Lines of the option's text. Empty if the option has no text. */
  lines: readonly Piece[];
  text: string;
  /** PDF form field to which the box belongs. */
  field?: FormField;
}

export interface OptionGroup {
  page: PageRuns;
  question: string;
  options: Option[];
}
