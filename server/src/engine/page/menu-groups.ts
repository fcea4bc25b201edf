/**
 * Reads the menus of a PDF form. A menu is a form field that offers several options and shows only
 * the chosen one.
 */
import type { Box, FormField } from "../../reading/document.ts";
import type { Option, OptionGroup } from "./option-group.ts";
import { type OptionBox, type Piece, pieceOf } from "./option-rows.ts";
import { centreX, centreY, type PageRuns, type TextRun, wordAt } from "./text-runs.ts";

/** Maximum number of menus that are read per page. Chosen by hand, 2026-11. */
const maxMenus = 200;
/**
 * Maximum gap between a menu and the label above it, in heights of the label. Chosen by hand,
 * 2026-11.
 */
const maxAbove = 2.5;

export function menuGroupsOf(page: PageRuns): OptionGroup[] {
  const menus = (page.page.fields ?? []).filter(({ type, options }) => type === "choice" && options !== undefined);
  return menus.slice(0, maxMenus).flatMap((field) => {
    const label = labelOf(page, field.box);
    const shown = shownIn(page, field.box) ?? label;
    const options = field.options ?? [];
    if (!shown || (field.value && !options.includes(field.value))) return [];
    return [
      {
        page,
        question: label?.text ?? field.tooltip ?? "",
        options: options.map((text) => optionOf(field, text, shown)),
      },
    ];
  });
}

function optionOf(field: FormField, text: string, shown: Piece): Option {
  const mark: OptionBox = { ...shown, checked: field.value === text };
  return { mark, lines: [], text, field };
}

const isInside = ([x0, y0, x1, y1]: Box, box: Box): boolean =>
  x0 <= centreX(box) && centreX(box) <= x1 && y0 <= centreY(box) && centreY(box) <= y1;

/** Returns the text inside a box. If several text runs are inside, returns only the first. */
function shownIn(page: PageRuns, box: Box): Piece | undefined {
  for (const run of page.runs) {
    const inside = run.words.flatMap((word, at) => (isInside(box, wordAt(page.page, word).box) ? [at] : []));
    const [first, last] = [inside[0], inside.at(-1)];
    if (first !== undefined && last !== undefined) return pieceOf(page, run, run.starts[first] ?? 0, endOf(run, last));
  }
  return undefined;
}

const endOf = (run: TextRun, at: number): number => (run.starts[at + 1] ?? run.text.length + 1) - 1;

/** Returns the text to the left of a box. If there is none, returns the text above it. */
function labelOf(page: PageRuns, box: Box): Piece | undefined {
  let [left, above]: (Piece | undefined)[] = [];
  for (const run of page.runs) {
    if (run.box[1] > box[3]) continue;
    const piece = before(page, run, box);
    const isBeside = centreY(run.box) >= box[1] && centreY(run.box) <= box[3];
    if (isBeside && piece && piece.box[2] > (left?.box[2] ?? 0)) left = piece;
    const gap = box[1] - run.box[3];
    const isAbove =
      gap > -0.5 * run.height && gap < maxAbove * run.height && run.box[0] < box[2] && run.box[2] > box[0];
    if (isAbove && !isBeside && run.box[1] > (above?.box[1] ?? 0)) above = pieceOf(page, run, 0, run.text.length);
  }
  return left ?? above;
}

/** Returns the part of a text run that is to the left of a box. */
function before(page: PageRuns, run: TextRun, box: Box): Piece | undefined {
  const first = run.words.findIndex((word) => centreX(wordAt(page.page, word).box) > box[0]);
  return pieceOf(page, run, 0, first < 0 ? run.text.length : endOf(run, first - 1));
}
