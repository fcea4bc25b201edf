/**
 * Fails if a catalog is out of date, or a message has no translation. Leaves the catalogs as they
 * were.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = import.meta.dirname;
const catalogs = () => globSync("src/**/locales/*.po", { cwd: root }).map((path) => join(root, path));
const before = new Map(catalogs().map((path) => [path, readFileSync(path, "utf8")]));
execFileSync("lingui", ["extract", "--clean"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

const withoutDate = (text: string | undefined) => text?.replace(/"POT-Creation-Date:.*\n/, "");
const problems: string[] = [];
for (const path of new Set([...before.keys(), ...catalogs()])) {
  const after = globSync(path).length > 0 ? readFileSync(path, "utf8") : undefined;
  if (withoutDate(after) !== withoutDate(before.get(path))) problems.push(`${path} is out of date`);
  const entries = (after ?? "").split("\n\n").slice(1);
  for (const entry of entries.filter((each) => each.trimEnd().endsWith('msgstr ""')))
    problems.push(`${path} lacks a translation:\n${entry}`);
  const text = before.get(path);
  if (text === undefined) rmSync(path);
  else writeFileSync(path, text);
}
// The key of a message is its text alone, so a text must have the same translation in all catalogs
// of a language.
const translations = new Map<string, string>();
for (const path of catalogs())
  for (const entry of readFileSync(path, "utf8").split("\n\n").slice(1)) {
    const [, message = "", translation = ""] = /^(msg(?:ctxt|id) .*)\nmsgstr (.*)$/ms.exec(entry) ?? [];
    const key = `${basename(path)} ${message}`;
    const other = translations.get(key);
    if (other !== undefined && other.trim() !== translation.trim())
      problems.push(`${path} translates a message differently from another catalog:\n${message}`);
    translations.set(key, translation);
  }
if (problems.length > 0) {
  console.error(`${problems.join("\n")}\nRun "npm run messages -w web" and translate what is missing.`);
  process.exit(1);
}
