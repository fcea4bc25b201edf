/**
 * Reads the figures of `RESULTS.md` from its tables, so that each figure is stored in one place.
 */

export interface Figure {
  name: string;
  value: number;
  /** A row of a table, with the columns of a `BenchRow`. */
  unit: string;
  /** Commit at which the figure was measured. */
  commit: string;
  /** Index of the line. */
  line: number;
}

const commitPattern = /^[0-9a-f]{7}$/;
const endsWithCommit = /\([0-9a-f]{7}\)$/;

const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns blocks of lines between empty ones, with the index of their first line. */
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
 * Returns the rows of the tables that a measurement prints: "What", "Value", "Against", "Ratio",
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

/** Returns a problem for each line of `RESULTS.md` that has figures without a commit. */
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

/** Excludes headings, the first paragraph, and sentences followed by a table. */
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
