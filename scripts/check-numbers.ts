/**
 * Fails if a number in the engine, in search, in `language/` or in the layout of pages has no
 * stated origin. Checks only numbers that are not integers, because most of those are weights or
 * thresholds. Each of these numbers must have a name, a meaning, a unit and an origin. A number is
 * accepted if it is
 *
 * - in a file `*-weights.ts`, which states the origin of all its numbers;
 * - in the data of the lexicon, whose weights `lexicon/concept.ts` explains; or
 * - in a module-level constant with a doc comment, or right below such a constant.
 *
 * 0.5 is not checked, because it mostly means a middle, a half or rounding. Integers are not
 * checked either, because most of them are counts or indexes.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Comment, type Program, parseSync, Visitor } from "oxc-parser";

const root = resolve(import.meta.dirname, "..");
const folders = ["engine", "reading/layout", "language", "search"].map((folder) => `server/src/${folder}`);

const isChecked = (file: string): boolean =>
  !/\.test\.ts$|-weights\.ts$|\/(?:testing|golden|lexicon\/concepts)\//.test(file);

interface Span {
  start: number;
  end: number;
}

/** Returns the positions of module-level constants whose numbers are documented. */
function documentedIn({ body }: Program, comments: readonly Comment[], text: string): Span[] {
  const found: Span[] = [];
  for (const statement of body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration" || declared.kind !== "const") continue;
    const comment = comments.find(({ end }) => end <= statement.start && !/\S/.test(text.slice(end, statement.start)));
    const above = found.at(-1);
    const continues = above !== undefined && /^\n?$/.test(text.slice(above.end, statement.start));
    if (continues || (comment?.type === "Block" && comment.value.startsWith("*")))
      found.push({ start: statement.start, end: statement.end });
  }
  return found;
}

const holds = ({ start, end }: Span, inner: Span): boolean => start <= inner.start && inner.end <= end;

function problemsIn(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const { program, comments } = parseSync(file, text);
  const documented = documentedIn(program, comments, text);
  const functions: Span[] = [];
  const numbers: (Span & { raw: string })[] = [];
  const noteFunction = ({ start, end }: Span): void => void functions.push({ start, end });
  new Visitor({
    ArrowFunctionExpression: noteFunction,
    FunctionDeclaration: noteFunction,
    FunctionExpression: noteFunction,
    Literal({ value, raw, start, end }) {
      if (typeof value === "number" && !Number.isInteger(value) && value !== 0.5)
        numbers.push({ start, end, raw: raw ?? String(value) });
    },
  }).visit(program);
  return numbers
    .filter(
      (number) => functions.some((each) => holds(each, number)) || !documented.some((each) => holds(each, number)),
    )
    .map(({ start, raw }) => {
      const line = text.slice(0, start).split("\n").length;
      return `${file}:${line}: ${raw} has no origin: name it in a *-weights.ts beside this file, or in a module-level constant whose doc comment says what it means, its unit and where it comes from`;
    });
}

const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).filter(isChecked);
const problems = files.toSorted().flatMap(problemsIn);
for (const problem of problems) console.error(problem);
if (files.length === 0 || problems.length > 0) process.exitCode = 1;
else console.log(`The numbers of ${files.length} files have an origin.`);
