/** Short name of a browser and its system, such as "Firefox, Linux"; undefined if not recognized. */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return browser === undefined ? undefined : [browser, system].filter(Boolean).join(", ");
}

/** The order matters: the user agents of later browsers contain the names of earlier ones. */
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
