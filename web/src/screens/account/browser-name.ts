/**
 * Returns the name of a browser and its operating system, such as "Firefox, Linux"; undefined if
 * the user agent is unknown.
 */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return browser === undefined ? undefined : [browser, system].filter(Boolean).join(", ");
}

/** The order matters, because the user agents of newer browsers contain the names of older ones. */
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/^curl\//, "curl"],
];

const systems: readonly [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];
