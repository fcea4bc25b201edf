/**
 * Collects every regular expression that may get untrusted text: literals, expressions built when a
 * module is loaded, and patterns in schemas.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CallExpression, type NewExpression, parseSync, Visitor } from "oxc-parser";

export interface Expression {
  /** Path relative to the repository, and line. */
  place: string;
  /** Path relative to the repository. */
  file: string;
  source: string;
  flags: string;
}

const patterns = ["contract/src/**/*.ts", "client/src/**/*.ts", "server/src/**/*.ts"];
const isTest = (file: string): boolean =>
  file.endsWith(".test.ts") || file.includes("/testing/") || file.includes("/golden/");

interface Found {
  expressions: Expression[];
  problems: string[];
}

/**
 * Returns the expressions. Code that cannot be checked is returned as a problem instead of an
 * exception.
 */
export async function collectExpressions(root: string): Promise<Found> {
  const files = globSync(patterns, { cwd: root }).filter((file) => !isTest(file));
  const literals: Expression[] = [];
  const constructed = new Map<string, string[]>();
  for (const file of files.toSorted()) {
    const { expressions, built } = expressionsIn(file, readFileSync(join(root, file), "utf8"));
    literals.push(...expressions);
    if (built.length > 0) constructed.set(file, built);
  }
  const atLoad = await builtAtLoad(root, [...constructed.keys()]);
  const known = new Set(atLoad.map(({ place }) => place));
  const problems = [...constructed.values()]
    .flat()
    .filter((place) => !known.has(place))
    .map(
      (place) =>
        `${place} is built after its module was loaded, so it can't be checked: build it at the top of the module`,
    );
  const all = [...literals, ...atLoad, ...(await schemaPatterns(root))];
  const each = new Map(
    all.map((expression) => [`${expression.file} /${expression.source}/${expression.flags}`, expression]),
  );
  return { expressions: [...each.values()], problems };
}

/** Returns the regular expression literals of a file, and the places where it calls `RegExp`. */
function expressionsIn(file: string, text: string): { expressions: Expression[]; built: string[] } {
  const expressions: Expression[] = [];
  const built: string[] = [];
  const placeOf = (start: number): string => `${file}:${text.slice(0, start).split("\n").length}`;
  const noteCall = ({ callee, start }: NewExpression | CallExpression): void => {
    if (callee.type === "Identifier" && callee.name === "RegExp") built.push(placeOf(start));
  };
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      const { pattern: source, flags } = node.regex;
      expressions.push({ place: placeOf(node.start), file, source, flags });
    },
    NewExpression: noteCall,
    CallExpression: noteCall,
  }).visit(parseSync(file, text).program);
  return { expressions, built };
}

/** Imports the files, and returns the expressions that they build. */
async function builtAtLoad(root: string, files: readonly string[]): Promise<Expression[]> {
  const Original = globalThis.RegExp;
  const found = new Map<string, Expression>();
  const note = (expression: RegExp): void => {
    for (const [, path = "", line = ""] of (new Error().stack ?? "").matchAll(
      /(?:file:\/\/)?(\/[^\s():]+):(\d+):\d+/gu,
    )) {
      const file = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : "";
      if (!files.includes(file)) continue;
      const { source, flags } = expression;
      found.set(`${file}:${line} ${expression}`, { place: `${file}:${line}`, file, source, flags });
      return;
    }
  };
  const make = (target: typeof RegExp, given: unknown[]): RegExp => {
    const expression = Reflect.construct(target, given) as RegExp;
    note(expression);
    return expression;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, given) => make(target, given),
    apply: (target, _this, given) => make(target, given),
  });
  try {
    for (const file of files) await import(pathToFileURL(join(root, file)).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return [...found.values()];
}

/**
 * Returns the patterns in schemas of the contract. The validator compiles them with the flag `u`.
 */
async function schemaPatterns(root: string): Promise<Expression[]> {
  const file = "server/src/http/openapi.routes.ts";
  const { describeService } = await import(pathToFileURL(join(root, file)).href);
  const found = new Set<string>();
  JSON.stringify(describeService(undefined), (key, value) => {
    if (key === "pattern" && typeof value === "string") found.add(value);
    return value;
  });
  return [...found].map((source) => ({ place: `schema pattern /${source}/u`, file, source, flags: "u" }));
}
