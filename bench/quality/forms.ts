/**
 * `npm run quality -- forms [SEED] [held-out] [FAMILY]`: generates forms in several languages,
 * layouts and styles of checkboxes. Reads them and extracts from them in this process, and compares
 * each value with the correct one.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSame } from "../../fit/papers/same-value.ts";
import { extractBuiltin } from "../../server/src/engine/extract/extract-fields.ts";
import { readPdf } from "../../server/src/reading/formats/pdf/read-pdf.ts";
import { heldOutLayouts, printForm, seenLayouts } from "../forms/layouts.ts";
import { type AskedValue, type Form, formLanguages, makeForm } from "../forms/make-form.ts";
import { markFamilies, marksOf } from "../forms/marks.ts";

interface Count {
  right: number;
  fields: number;
}

/** @param errors maximum number of wrong values to print */
export async function runForms(outFolder: string, args: readonly string[], errors: number): Promise<void> {
  const seed = Number(args.find((each) => /^\d+$/u.test(each)) ?? 1);
  const layouts = args.includes("held-out") ? heldOutLayouts : seenLayouts;
  const families = markFamilies.filter(
    (family) => !markFamilies.some((each) => args.includes(each)) || args.includes(family),
  );
  const folder = join(outFolder, "forms");
  mkdirSync(folder, { recursive: true });
  const counts = new Map<string, Count>();
  const wrong: string[] = [];
  let number = seed * 1000;
  for (const family of families)
    for (const layout of layouts)
      for (const language of formLanguages) {
        number++;
        const form = makeForm(language, number);
        const bytes = printForm(form, layout, marksOf[family](number));
        const name = `${family}-${layout.name.replace(" ", "-")}-${language}-${seed}`;
        writeFileSync(join(folder, `${name}.pdf`), bytes);
        for (const { field, given, isRight } of await judged(form, bytes)) {
          for (const group of [
            family,
            `${family}, ${layout.name}`,
            `${family}, ${language}`,
            `${family}, ${kindOf(field)}`,
          ])
            count(counts, group, isRight);
          if (!isRight) wrong.push(`${name} ${field.name}: ${given} instead of ${field.value}`);
        }
      }
  console.table(Object.fromEntries([...counts].sort(([a], [b]) => a.localeCompare(b))));
  for (const line of wrong.slice(0, errors)) console.log(line);
}

function count(counts: Map<string, Count>, group: string, isRight: boolean): void {
  const { right, fields } = counts.get(group) ?? { right: 0, fields: 0 };
  counts.set(group, { right: right + Number(isRight), fields: fields + 1 });
}

const kindOf = ({ format, value }: AskedValue): string =>
  `${format} ${value === null ? "null" : format === "text" ? "given" : value}`;

async function judged(
  form: Form,
  bytes: Uint8Array,
): Promise<{ field: AskedValue; given: unknown; isRight: boolean }[]> {
  const document = await readPdf(bytes, { maxPages: 1 });
  const params = form.fields.map(({ name, format, description }) => ({ name, format, description }));
  const { data } = extractBuiltin({ document, params });
  return form.fields.map((field) => {
    const given = data[field.name] ?? null;
    const isRight = [field.value, ...field.accept].some((value) => isSame(given, value, field.format));
    return { field, given, isRight };
  });
}
