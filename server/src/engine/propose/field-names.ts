/** Makes names for proposed fields. */
import { limits } from "@sheaf/contract/limits.ts";

/** Maximum number of words of a name that is made from a label. Chosen by hand, 2026-11. */
const maxWords = 6;
const maxLength = Math.min(60, limits.paramNameMaxLength);

const atEnd = /[\s:：;,.*?–—_-]/u;

/** Returns a label without its colon, brackets and numbering. */
export function plainLabel(label: string): string {
  const text = label.replace(/\([^()]*\)/g, " ").replace(/^[\s\d.)(•·*–-]+(?=\p{L})/u, "");
  let end = text.length;
  while (end > 0 && atEnd.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end).replace(/\s+/g, " ").trim();
}

/**
 * Returns a label as a name in snake case, without accents. Returns undefined if it has no letters.
 * @example snakeCase("Fällig bis:") // "faellig_bis"
 */
export function snakeCase(label: string): string | undefined {
  const words = plainLabel(label)
    .toLowerCase()
    .replace(/ä/g, "ae")
    .replace(/ö/g, "oe")
    .replace(/ü/g, "ue")
    .replace(/ß/g, "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const name = words.slice(0, maxWords).join("_").slice(0, maxLength);
  return /\p{L}{2}/u.test(name) ? name : undefined;
}

/**
 * Returns the name if it is not taken. Otherwise appends the lowest number that makes it unique.
 */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}
