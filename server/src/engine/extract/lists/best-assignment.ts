/**
 * Finds the best one-to-one assignment of rows to columns. Lists use it to assign item fields
 * (rows) to the columns of a table.
 */

/**
 * Bonus, in logits, for a row that is assigned to a column right of the previous row's column.
 * Users mostly list fields in the order of the printed columns. Chosen on the documents of
 * `npm run fit -- lists`, 2026-11.
 */
const inOrder = 0.5;
/**
 * Additional bonus, in logits, if the row's column directly follows the previous row's column.
 * Users mostly list fields without gaps between their columns. Chosen on the documents of
 * `npm run fit -- lists`, 2026-11.
 */
const adjacent = 0.5;

/**
 * Returns the better of two assignments: the best one without regard to order, and the best one in
 * which the columns have the same order as the rows.
 * @param scores one array per row, with the score of each column; negative scores are never
 * assigned
 * @returns the column of each row, or -1
 */
export function bestAssignment(scores: readonly (readonly number[])[]): number[] {
  const [free, ordered] = [freeAssignment(scores), orderedAssignment(scores)];
  return sumOf(free, scores) > sumOf(ordered, scores) ? free : ordered;
}

const bonus = (from: number, to: number): number => (to === from + 1 ? inOrder + adjacent : to > from ? inOrder : 0);

function sumOf(assigned: readonly number[], scores: readonly (readonly number[])[]): number {
  let sum = 0;
  let last = -1;
  for (const [row, column] of assigned.entries()) {
    if (column < 0) continue;
    sum += (scores[row]?.[column] ?? 0) + bonus(last, column);
    last = column;
  }
  return sum;
}

/** An assigned row, linked to the assigned rows before it. */
interface Step {
  /**
   * Serial number of the step. Ties between steps with equal sums are broken by the lower number.
   */
  number: number;
  row: number;
  column: number;
  sum: number;
  before: Step | undefined;
}

const better = (a: Step | undefined, b: Step | undefined): Step | undefined =>
  !a || (b && (b.sum > a.sum || (b.sum === a.sum && b.number < a.number))) ? b : a;

/** Returns the best assignment in which the columns have the same order as the rows. */
function orderedAssignment(scores: readonly (readonly number[])[]): number[] {
  // For each column, the best step so far that ends in it.
  const ends: (Step | undefined)[] = [];
  let number = 0;
  let best: Step | undefined;
  for (const [row, own] of scores.entries()) {
    const added: Step[] = [];
    let left: Step | undefined;
    for (const [column, score] of own.entries()) {
      if (column > 0) left = better(left, ends[column - 1]);
      if (score <= 0) continue;
      const step: Step = { number: number++, row, column, sum: score + bonus(-1, column), before: undefined };
      // The previous step is the best one that ends in any column further left, or the best one
      // that ends in the adjacent column on the left, which earns a bonus.
      for (const before of [left, ends[column - 1]]) {
        const sum = before ? before.sum + score + bonus(before.column, column) : 0;
        if (sum > step.sum) [step.sum, step.before] = [sum, before];
      }
      added.push(step);
      if (step.sum > (best?.sum ?? 0)) best = step;
    }
    for (const step of added) ends[step.column] = better(ends[step.column], step);
  }
  const assigned = scores.map(() => -1);
  for (let step = best; step; step = step.before) assigned[step.row] = step.column;
  return assigned;
}

/**
 * Returns the one-to-one assignment of rows to columns with the greatest sum of scores. Negative
 * scores are never assigned.
 */
function freeAssignment(scores: readonly (readonly number[])[]): number[] {
  const width = Math.max(0, ...scores.map((row) => row.length));
  if (scores.length <= width) return hungarian(scores);
  // The time grows with the square of the number of matrix rows. Because there may be hundreds of
  // item fields, the columns become the matrix rows.
  const rowOf = hungarian(Array.from({ length: width }, (_, column) => scores.map((row) => row[column] ?? 0)));
  const assigned = scores.map(() => -1);
  for (const [column, row] of rowOf.entries()) if (row >= 0) assigned[row] = column;
  return assigned;
}

/**
 * Assigns rows to columns by the Hungarian method. A row may stay without a column and then adds 0
 * to the sum.
 * @param scores one array per row, with the score of each column; negative scores are never
 * assigned
 * @returns the column of each row, or -1
 */
function hungarian(scores: readonly (readonly number[])[]): number[] {
  const rows = scores.length;
  const width = Math.max(0, ...scores.map((row) => row.length));
  // One extra column per row means "assigned to no column".
  const columns = width + rows;
  const cost = (row: number, column: number): number =>
    column >= width ? 0 : -Math.max(0, scores[row]?.[column] ?? 0);
  const rowPrices = new Float64Array(rows + 1);
  const columnPrices = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    const least = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const seen = new Uint8Array(columns + 1);
    const before = new Int32Array(columns + 1);
    rowOf[0] = row;
    let at = 0;
    do {
      seen[at] = 1;
      const own = rowOf[at] ?? 0;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let column = 1; column <= columns; column++) {
        if (seen[column]) continue;
        const reduced = cost(own - 1, column - 1) - (rowPrices[own] ?? 0) - (columnPrices[column] ?? 0);
        if (reduced < (least[column] ?? 0)) {
          least[column] = reduced;
          before[column] = at;
        }
        if ((least[column] ?? 0) < delta) {
          delta = least[column] ?? 0;
          next = column;
        }
      }
      for (let column = 0; column <= columns; column++) {
        if (seen[column]) {
          const owner = rowOf[column] ?? 0;
          rowPrices[owner] = (rowPrices[owner] ?? 0) + delta;
          columnPrices[column] = (columnPrices[column] ?? 0) - delta;
        } else least[column] = (least[column] ?? 0) - delta;
      }
      at = next;
    } while (rowOf[at] !== 0);
    do {
      const previous = before[at] ?? 0;
      rowOf[at] = rowOf[previous] ?? 0;
      at = previous;
    } while (at !== 0);
  }
  const assigned = Array.from({ length: rows }, () => -1);
  for (let column = 1; column <= width; column++) {
    const row = (rowOf[column] ?? 0) - 1;
    if (row >= 0 && (scores[row]?.[column - 1] ?? 0) > 0) assigned[row] = column - 1;
  }
  return assigned;
}
