/**
 * `npm run quality -- templates [--write]`: prints the invented documents of `fit/template-papers/`
 * as PDF with Chromium, extracts from them over HTTP with the fields of their template, and scores
 * the values by template. Extracts twice: with descriptions in English, and in the language of the
 * document. `--write` stores the figures for English in the files of the templates.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type TemplateLanguage, templateLanguages } from "@sheaf/contract/templates.ts";
import { type Paper, readPaper } from "../../fit/papers/papers.ts";
import { printPaper } from "../../fit/papers/print-paper.ts";
import { getTemplate } from "../../server/src/features/templates/templates.service.ts";
import { withService } from "../service-target.ts";
import { extract } from "./extracted-values.ts";
import { type Matches, noScore, type Score, scoreOf, sumOf } from "./paper-scores.ts";

const papersFolder = join(import.meta.dirname, "../../fit/template-papers");
const dataFolder = join(import.meta.dirname, "../../server/src/features/templates/data");

/** @param errors maximum number of wrong fields to print */
export async function runTemplates(outFolder: string, write: boolean, errors: number): Promise<void> {
  const papers = globSync(join(papersFolder, "*.json"))
    .sort()
    .map((path) => readPaper(path, basename(path, ".json")));
  const out = join(outFolder, "templates");
  await mkdir(out, { recursive: true });
  const english = new Map<string, Score>();
  const own = new Map<string, Score>();
  const wrong: string[] = [];
  await withService({}, async (_, target) => {
    for (const paper of papers) {
      const [template = ""] = paper.name.split(".");
      const file = printPaper(paper, out);
      const scoreIn = async (language: TemplateLanguage): Promise<Score> =>
        scoreOf(paper, (await extract(target, file, getTemplate(language, template).params)).data);
      const score = await scoreIn("en");
      wrong.push(...score.wrong.map((field) => `${paper.name} ${field}`));
      const language = languageOf(paper);
      const translated = language === "en" ? score : await scoreIn(language);
      for (const group of [template, "all", `all in ${language}`]) {
        english.set(group, sumOf(english.get(group) ?? noScore, score));
        own.set(group, sumOf(own.get(group) ?? noScore, translated));
      }
    }
  });
  const rows = [...english].map(([group, score]): [string, object] => [
    group,
    { ...figuresOf(score), "F1, language of the paper": f1Of(own.get(group) ?? noScore).toFixed(3) },
  ]);
  console.table(Object.fromEntries(rows.sort(([a], [b]) => a.localeCompare(b))));
  for (const field of wrong.slice(0, errors)) console.log(field);
  if (write) for (const [name, score] of english) if (!name.startsWith("all")) writeQuality(name, score);
}

const languageOf = ({ language }: Paper): TemplateLanguage =>
  templateLanguages.find((each) => language.startsWith(each)) ?? "en";

/** Returns the counts of single fields plus those of list cells. */
const together = ({ fields, cells }: Score): Matches => ({
  right: fields.right + cells.right,
  given: fields.given + cells.given,
  expected: fields.expected + cells.expected,
});

const f1 = ({ right, given, expected }: Matches): number => (2 * right) / Math.max(1, given + expected);
const f1Of = (score: Score): number => f1(together(score));

const figuresOf = (score: Score): Record<string, string | number> => ({
  papers: score.papers,
  values: together(score).expected,
  F1: f1Of(score).toFixed(3),
  "fields F1": f1(score.fields).toFixed(3),
  "cells F1": score.cells.expected === 0 ? "–" : f1(score.cells).toFixed(3),
});

function writeQuality(name: string, score: Score): void {
  const path = join(dataFolder, `${name}.json`);
  const quality = {
    f1: Number(f1Of(score).toFixed(2)),
    papers: score.papers,
    fields: together(score).expected,
    measured: new Date().toISOString().slice(0, "2026-11".length),
  };
  writeFileSync(path, `${JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), quality }, null, 2)}\n`);
}
