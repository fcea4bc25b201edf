/**
 * Generates forms with text values and checkboxes. The fields to extract from a form and their
 * correct values are known.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { inRandomOrder, mulberry32 } from "../../fit/random.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";

/** A checkbox with a sentence, such as "☐ I accept the terms". */
export interface Statement {
  text: string;
  name: string;
  checked: boolean;
}

/** A label or question with several checkboxes, of which at most one is checked. */
export interface Group {
  text: string;
  name: string;
  options: readonly string[];
  /** Index of the checked option; -1 if none is checked. */
  checked: number;
}

export interface Form {
  title: string;
  language: string;
  /** Labels that are followed by a text value instead of checkboxes. */
  texts: readonly { label: string; value: string }[];
  statements: readonly Statement[];
  /** Groups with the options "yes" and "no". */
  questions: readonly Group[];
  choices: readonly Group[];
  fields: readonly AskedValue[];
}

export interface AskedValue extends ExtractionParam {
  value: LeafValue;
  accept: readonly LeafValue[];
}

type Asked = [text: string, name: string, description: string];

interface Content {
  title: string;
  answers: string[];
  labels: string[];
  statements: Asked[];
  questions: Asked[];
  choices: [...Asked, options: string[]][];
}

const contents: Record<string, Content> = JSON.parse(readFileSync(join(import.meta.dirname, "content.json"), "utf8"));
export const formLanguages = Object.keys(contents);

const people = ["Ada Marigold", "Jan Petersen", "Lucie Fontaine", "Marta Iglesias", "Paolo Verdi"];

/** Shares (0–1) of statements, questions and choices in which a checkbox is checked. */
const shares = { statement: 0.5, question: 0.8, choice: 0.8 };
const perKind = 2;

export function makeForm(language: string, seed: number): Form {
  const random = mulberry32(seed);
  const content = contents[language] as Content;
  const some = <T>(items: readonly T[]): T[] => inRandomOrder(items, random).slice(0, perKind);
  const checkedOf = (options: readonly string[], share: number): number =>
    random() < share ? Math.floor(random() * options.length) : -1;
  const fields: AskedValue[] = [];
  const statements = some(content.statements).map(([text, name, description]): Statement => {
    const checked = random() < shares.statement;
    fields.push({ name, description, format: "boolean", value: checked, accept: [] });
    return { text, name, checked };
  });
  const questions = some(content.questions).map(([text, name, description]): Group => {
    const checked = checkedOf(content.answers, shares.question);
    fields.push({ name, description, format: "boolean", value: checked < 0 ? null : checked === 0, accept: [] });
    return { text, name, options: content.answers, checked };
  });
  const choices = some(content.choices).map(([text, name, description, options]): Group => {
    const checked = checkedOf(options, shares.choice);
    fields.push({ name, description, format: "text", value: options[checked] ?? null, accept: [] });
    const asked = Math.floor(random() * options.length);
    const accept = checked < 0 ? [null] : [];
    const option = options[asked] ?? "";
    fields.push({
      name: `${name}_${option.replace(/\s/gu, "_")}`,
      description: `${text}: ${option}`,
      format: "boolean",
      value: checked === asked,
      accept,
    });
    return { text, name, options, checked };
  });
  const person = people[Math.floor(random() * people.length)] ?? "";
  const texts = [
    { label: content.labels[0] ?? "", value: person },
    { label: content.labels[1] ?? "", value: String(10_000 + Math.floor(random() * 80_000)) },
  ];
  fields.push({ name: texts[0]?.label ?? "", description: "", format: "text", value: person, accept: [] });
  return { title: content.title, language, texts, statements, questions, choices, fields };
}
