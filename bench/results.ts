/** Parses the tables of `RESULTS.md`, so that the figures are stored only there. */

export interface Figure {
  name: string;
  value: number;
  /** Unit, as in the rows that the measurements print. */
  unit: string;
  /** Commit at which the figure was measured. */
  commit: string;
  /** Index of the line in `RESULTS.md`. */
  line: number;
}

const commitPattern = /^[0-9a-f]{7}$/;
const endsWithCommit = /\([0-9a-f]{7}\)$/;

const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Splits a text at empty lines. Returns the blocks, each with the index of its first line. */
function blocksOf(text: string): { at: number; lines: string[] }[] {
  const blocks: { at: number; lines: string[] }[] = [];
  text.split("\n").forEach((line, at) => {
    const last = blocks.at(-1);
    if (line.trim() === "") blocks.push({ at: at + 1, lines: [] });
    else if (last) last.lines.push(line);
    else blocks.push({ at, lines: [line] });
  });
  return blocks.filter(({ lines }) => lines.length > 0);
}

/**
 * Returns the figures of all tables with the columns "What", "Value", "Against", "Ratio" and
 * "Commit".
 */
export function figuresOf(results: string): Figure[] {
  const tables = blocksOf(results).filter(({ lines }) => /^\| What \| Value \|.*\| Commit \|$/.test(lines[0] ?? ""));
  return tables.flatMap(({ at, lines }) =>
    lines.slice(2).flatMap((line, index) => {
      const cells = cellsOf(line);
      const [, number = "", unit = ""] = /^([+-]?[\d.,]+) ?(.*)$/.exec(cells[1] ?? "") ?? [];
      const value = Number(number.replaceAll(",", ""));
      if (number === "" || Number.isNaN(value)) return [];
      return [{ name: cells[0] ?? "", value, unit, commit: cells.at(-1) ?? "", line: at + 2 + index }];
    }),
  );
}

/** Returns a message for each line of `RESULTS.md` that has figures but no commit. */
export function figuresWithoutCommit(results: string): string[] {
  return blocksOf(results).flatMap(({ at, lines }) => {
    const [first = ""] = lines;
    if (first.startsWith("|"))
      return lines.flatMap((line, index) =>
        index < 2 || commitPattern.test(cellsOf(line).at(-1) ?? "") ? [] : [`line ${at + index + 1}: no commit`],
      );
    const ends = first.startsWith("- ") ? itemsOf(lines) : [lines];
    return ends
      .filter((part) => isMeasured(part.join(" ")) && !endsWithCommit.test(part.at(-1) ?? ""))
      .map((part) => `line ${at + lines.indexOf(part.at(-1) ?? "") + 1}: no commit`);
  });
}

/**
 * Returns true if a text contains measured figures. Headings, the first paragraph, and sentences
 * that introduce a table do not.
 */
const isMeasured = (text: string): boolean =>
  /\d/.test(text) && !/^(#|Each figure has)/.test(text) && !text.endsWith(":");

function itemsOf(lines: readonly string[]): string[][] {
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push([line]);
    else items.at(-1)?.push(line);
  }
  return items;
}
