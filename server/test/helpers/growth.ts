/** Measures how the processing time of a text grows with its length. */

/**
 * Time of the longer text, in milliseconds, below which its growth is not measured. Quadratic work
 * on 6,000 characters takes at least 30 ms. Chosen by hand, 2026-11.
 */
const fastMs = 12;
/**
 * Maximum ratio of the two times. For a text four times as long, linear work takes 4 times as long
 * and quadratic work 16 times. Chosen by hand, 2026-11.
 */
const maxGrowth = 9;
const longer = 4;
/**
 * Target processor time per measurement, in milliseconds. The operating system updates the
 * processor time of a running thread at ticks, which are at most 10 ms apart. So the error of a
 * measurement is at most a quarter.
 */
const measuredMs = 40;
/** Maximum runs per measurement. Chosen by hand, 2026-11. */
const maxRuns = 400;
/**
 * Number of measurements that must all find the work slow, so that a garbage collection or another
 * process does not count. Chosen by hand, 2026-11.
 */
const attempts = 3;

interface Slow {
  growth: number;
  ms: number;
}

/**
 * Compares the times for `textOf(length)` and `textOf(4 * length)`. Returns undefined if they
 * indicate linear time.
 */
function superlinear(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): Slow | undefined {
  const [short, long] = [textOf(length), textOf(longer * length)];
  let slow: Slow | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Wall time is used first: it is at least the processor time, whose clock is too coarse for
    // short runs.
    if (isFast(work, long)) return undefined;
    const ms = millisecondsOf(work, long);
    const growth = ms / millisecondsOf(work, short);
    if (ms < fastMs || growth < maxGrowth) return undefined;
    slow = { growth: Math.round(growth), ms: Math.round(ms) };
  }
  return slow;
}

/** Returns whether any of a few runs is fast. A busy machine interrupts some of them. */
function isFast(work: (text: string) => unknown, text: string): boolean {
  return Array.from({ length: attempts }).some(() => wallMillisecondsOf(work, text) < fastMs);
}

function wallMillisecondsOf(work: (text: string) => unknown, text: string): number {
  const startedAt = performance.now();
  work(text);
  return performance.now() - startedAt;
}

/** Returns the processor time of one run on this thread, in milliseconds. */
function millisecondsOf(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    work(text);
    const { user, system } = process.threadCpuUsage(before);
    const spent = (user + system) / 1_000;
    if (spent >= measuredMs || runs === maxRuns) return Math.max(spent, 1) / runs;
  }
}

/**
 * Returns the units whose repetition takes `work` more than linear time, for texts of up to about
 * `4 * length` characters.
 */
export function slowUnits(
  work: (text: string) => unknown,
  length: number,
  units: readonly string[] = adversarial,
): (Slow & { unit: string })[] {
  return units.flatMap((unit) => {
    // After the different last character, a pattern that matched the repetitions fails and
    // backtracks.
    const textOf = (size: number): string => `${unit.repeat(Math.ceil(size / unit.length))}\u0001`;
    const found = superlinear(work, textOf, length);
    return found ? [{ unit, ...found }] : [];
  });
}

/**
 * Units to repeat: inputs for which regular expressions and loops commonly take superlinear time.
 */
const adversarial: readonly string[] = [
  ...["中", "1", "a", "A", " ", "\n", ".", "-", "\u0301", "('", "[[", "{{", "<<", "#", '"', "\\"],
  ...["A ", "1 ", "1.", "1/", "12.03.", "111 ", ". ", ": ", "a: ", "a-", "a@", "@a.", "一句", "not ", "one of: "],
  ...["Invoice no. ", "num", "de ", "GmbH ", "EUR 1 ", "tax incl. ", "www.", "<think>", "```\n", "<a ", "[$-", "h:"],
  ...["0.", "#,"],
];
