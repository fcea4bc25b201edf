/** Measures how the time of a piece of work grows with the length of its text. */

/** Maximum time of the longer text that passes without a look at its growth, in milliseconds. Quadratic work on 6,000 characters takes 30 and more. */
const fastMs = 12;
/** Maximum ratio of the two times. For a text four times as long linear work takes 4 times as long, quadratic work 16 times. */
const maxGrowth = 9;
const longer = 4;
/**
 * Processor time that a figure is taken from, in milliseconds. The kernel brings that of a running thread up to date at its ticks, every 10 ms
 * where they are slowest, so a figure is a quarter off at most.
 */
const measuredMs = 40;
/** Maximum runs for a figure. */
const maxRuns = 400;
/** Measurements that must agree that work is slow, so that a garbage collection or another process does not count. */
const attempts = 3;

interface Slow {
  growth: number;
  ms: number;
}

/** Returns undefined if `work` takes linear time, as far as `textOf(length)` and `textOf(4 * length)` show. */
function superlinear(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): Slow | undefined {
  const [short, long] = [textOf(length), textOf(longer * length)];
  let slow: Slow | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Processor time is never more than this, and its clock is of no use for a run that is shorter than a tick.
    if (isFast(work, long)) return undefined;
    const ms = millisecondsOf(work, long);
    const growth = ms / millisecondsOf(work, short);
    if (ms < fastMs || growth < maxGrowth) return undefined;
    slow = { growth: Math.round(growth), ms: Math.round(ms) };
  }
  return slow;
}

/** Tries it a few times, since a busy machine interrupts a run. */
function isFast(work: (text: string) => unknown, text: string): boolean {
  return Array.from({ length: attempts }).some(() => wallMillisecondsOf(work, text) < fastMs);
}

function wallMillisecondsOf(work: (text: string) => unknown, text: string): number {
  const startedAt = performance.now();
  work(text);
  return performance.now() - startedAt;
}

/** Returns the processor time of one run on this thread. */
function millisecondsOf(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    work(text);
    const { user, system } = process.threadCpuUsage(before);
    const spent = (user + system) / 1_000;
    if (spent >= measuredMs || runs === maxRuns) return Math.max(spent, 1) / runs;
  }
}

/** Returns the units whose repetition takes `work` more than linear time, up to texts of `4 * length`. */
export function slowUnits(
  work: (text: string) => unknown,
  length: number,
  units: readonly string[] = adversarial,
): (Slow & { unit: string })[] {
  return units.flatMap((unit) => {
    // The last character differs, so that what matches the run must look at it again.
    const textOf = (size: number): string => `${unit.repeat(Math.ceil(size / unit.length))}\u0001`;
    const found = superlinear(work, textOf, length);
    return found ? [{ unit, ...found }] : [];
  });
}

/** Units that are repeated: what expressions and loops commonly stumble over. */
const adversarial: readonly string[] = [
  ...["中", "1", "a", "A", " ", "\n", ".", "-", "\u0301", "('", "[[", "{{", "<<", "#", '"', "\\"],
  ...["A ", "1 ", "1.", "1/", "12.03.", "111 ", ". ", ": ", "a: ", "a-", "a@", "@a.", "一句", "not ", "one of: "],
  ...["Invoice no. ", "num", "de ", "GmbH ", "EUR 1 ", "tax incl. ", "www.", "<think>", "```\n", "<a ", "[$-", "h:"],
  ...["0.", "#,"],
];
