/** Options of a form that answer one question. */
import type { FormField } from "../../reading/document.ts";
import type { OptionBox, Piece } from "./option-rows.ts";
import type { PageRuns } from "./text-runs.ts";

export interface Option {
  mark: OptionBox;
  /** Lines of its text; empty if it has none. */
  lines: readonly Piece[];
  text: string;
  /** Field of the form behind the box. */
  field?: FormField;
}

export interface OptionGroup {
  page: PageRuns;
  question: string;
  options: Option[];
}
