/**
 * Reads the corpus: labels as they are printed on documents, and questions that ask for the
 * labelled values. See README.md.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { foldLabel } from "../../server/src/language/folding.ts";

export const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl"] as const;
export type Language = (typeof languages)[number];
export type Phrases = Record<Language, string[]>;

interface Line {
  id: string;
  /** Type of the value. */
  type: string;
  /** Role of the party that the value belongs to, such as `tenant`; empty if it belongs to none. */
  party: string;
  labels: Phrases;
  asks: Phrases;
  contrasts: string[];
  /** Sentences that state the value, with the value itself removed. */
  sentences: Partial<Phrases>;
  /** Examples of printed values, in any language. */
  values: string[];
}

export interface Concept extends Line {
  /** Number of the author, such as "08". */
  part: string;
  index: number;
  /**
   * Indexes of concepts with the same meaning, including this one. During training, they do not
   * count as wrong answers for each other.
   */
  alike: ReadonlySet<number>;
}

/**
 * Minimum number of labels, over all languages, that two concepts must share to count as having the
 * same meaning. Chosen by hand, 2026-11.
 */
const minShared = 2;

/** Returns the concepts of all parts that the fits use, in a fixed order. */
export const readConcepts = (): Concept[] => conceptsIn(import.meta.dirname);

/** Returns the concepts of the parts that were written after the last training. */
export const readNewConcepts = (): Concept[] => conceptsIn(join(import.meta.dirname, "new"));

function conceptsIn(folder: string): Concept[] {
  const lines = globSync(join(folder, "part-*.jsonl"))
    .sort()
    .flatMap((path) => {
      const part = basename(path).slice("part-".length, -".jsonl".length);
      const text = readFileSync(path, "utf8").trim().split("\n");
      return text.map((line) => {
        const concept = JSON.parse(line) as Line;
        return { ...concept, sentences: withoutValues(concept.sentences), part };
      });
    });
  const alike = alikeIn(lines);
  return lines.map((line, index) => ({ ...line, index, alike: alike[index] ?? new Set() }));
}

const withoutValues = (sentences: Partial<Phrases>): Partial<Phrases> =>
  Object.fromEntries(
    languages.map((language) => [language, sentences[language]?.map((text) => text.replace(/⟦[^⟧]*⟧/g, " ")) ?? []]),
  );

function alikeIn(lines: readonly Line[]): Set<number>[] {
  const byLabel = new Map<string, Set<number>>();
  for (const [index, { labels }] of lines.entries())
    for (const language of languages)
      for (const label of labels[language]) {
        const key = `${language} ${foldLabel(label).trim()}`;
        byLabel.set(key, (byLabel.get(key) ?? new Set()).add(index));
      }
  const shared = lines.map((_, index) => new Map([[index, minShared]]));
  for (const indices of byLabel.values())
    for (const a of indices) for (const b of indices) if (a !== b) shared[a]?.set(b, (shared[a]?.get(b) ?? 0) + 1);
  return shared.map((counts) => new Set([...counts].flatMap(([index, count]) => (count >= minShared ? [index] : []))));
}
