/** Measures how the time to process a text grows with the length of the text. */

/**
 * Growth is measured only if the longer text takes at least this time, in milliseconds. Faster work
 * cannot be quadratic, because quadratic work takes at least 30 ms on 6,000 characters. Chosen by
 * hand, 2026-11.
 */
const fastMs = 12;
/**
 * Maximum ratio of the times for the longer and the shorter text. The longer text is four times as
 * long, so linear work takes 4 times as long and quadratic work 16 times. Chosen by hand, 2026-11.
 */
const maxGrowth = 9;
const longer = 4;
/**
 * Target processor time per measurement, in milliseconds. The operating system updates the
 * processor time of a running thread at ticks, which are at most 10 ms apart. So the error of a
 * measurement is at most a quarter.
 */
const measuredMs = 40;
/** Maximum number of runs per measurement. Chosen by hand, 2026-11. */
const maxRuns = 400;
/**
 * Number of measurements. The shortest time counts, because a garbage collection or another process
 * can only slow a measurement down. Chosen by hand, 2026-11.
 */
const attempts = 3;
/**
 * If a measurement shows less growth than this, it is not repeated. To hide quadratic work, another
 * process would have to slow down the shorter text by a factor of 2.5. Chosen by hand, 2026-11.
 */
const clearlyLinearGrowth = 6;

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
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Measures wall time first, because it is precise for short runs, unlike the processor-time
    // clock. Processor time is never more than wall time, so work with a short wall time is fast.
    if (isFast(work, long)) return undefined;
    longMs = Math.min(longMs, millisecondsOf(work, long));
    shortMs = Math.min(shortMs, millisecondsOf(work, short));
    if (longMs < fastMs || longMs / shortMs < clearlyLinearGrowth) return undefined;
  }
  const growth = longMs / shortMs;
  return growth < maxGrowth ? undefined : { growth: Math.round(growth), ms: Math.round(longMs) };
}

/**
 * Returns whether at least one of a few runs is fast. On a busy machine, other processes interrupt
 * some runs.
 */
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
 * Returns the units (short strings such as `"1."`) for which `work` takes more than linear time.
 * Each unit is repeated to form texts of up to about `4 * length` characters.
 */
export function slowUnits(
  work: (text: string) => unknown,
  length: number,
  units: readonly string[] = adversarial,
): (Slow & { unit: string })[] {
  return units.flatMap((unit) => {
    // The last character differs, so a pattern that has matched all repetitions fails there and
    // backtracks.
    const textOf = (size: number): string => `${unit.repeat(Math.ceil(size / unit.length))}\u0001`;
    const found = superlinear(work, textOf, length);
    return found ? [{ unit, ...found }] : [];
  });
}

/**
 * Units to repeat. On repetitions of these strings, regular expressions and loops often take
 * superlinear time.
 */
const adversarial: readonly string[] = [
  ...["中", "1", "a", "A", " ", "\n", ".", "-", "\u0301", "('", "[[", "{{", "<<", "#", '"', "\\"],
  ...["A ", "1 ", "1.", "1/", "12.03.", "111 ", ". ", ": ", "a: ", "a-", "a@", "@a.", "一句", "not ", "one of: "],
  ...["Invoice no. ", "num", "de ", "GmbH ", "EUR 1 ", "tax incl. ", "www.", "<think>", "```\n", "<a ", "[$-", "h:"],
  ...["0.", "#,"],
];
