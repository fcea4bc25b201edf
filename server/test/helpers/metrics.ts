/** Reads the Prometheus text format. */

/**
 * Returns the sum of the samples of a metric that have at least the given labels; undefined if
 * there are none.
 */
export function sample(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const values = text.split("\n").flatMap((line) => {
    const [, found, inBraces = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const given = Object.fromEntries([...inBraces.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]));
    const fits = Object.entries(labels).every(([key, text]) => given[key] === text);
    return found === name && fits ? [Number(value)] : [];
  });
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value);
}
