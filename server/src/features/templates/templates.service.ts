/** Templates: predefined fields for a kind of document. Each kind has a file in `data/`. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtractionParam, ParamFormat } from "@sheaf/contract/params.ts";
import type { TemplateJson, TemplateLanguage, TemplateQualityJson } from "@sheaf/contract/templates.ts";
import { AppError } from "../../lib/errors.ts";
import { type ListPage, type PageRequest, pageOf } from "../../lib/paging.ts";

type Translated = Readonly<Record<TemplateLanguage, string>>;

interface TemplateField {
  name: string;
  format: ParamFormat;
  description: Translated;
  /** Present if the format is `list`. */
  items?: TemplateField[];
}

/** Content of a file in `data/`. */
interface TemplateFile {
  name: string;
  title: Translated;
  description: Translated;
  /** Written by `npm run quality -- templates`; null until then. */
  quality: TemplateQualityJson | null;
  fields: TemplateField[];
}

let files: readonly TemplateFile[] | undefined;

/** Returns all templates, sorted by name. Reads the files on the first call. */
export function allTemplates(language: TemplateLanguage): TemplateJson[] {
  files ??= globSync(join(import.meta.dirname, "data/*.json"))
    .map((path): TemplateFile => JSON.parse(readFileSync(path, "utf8")))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return files.map((file) => templateIn(language, file));
}

const templateIn = (
  language: TemplateLanguage,
  { name, title, description, quality, fields }: TemplateFile,
): TemplateJson => ({
  name,
  title: title[language],
  description: description[language],
  language,
  params: fields.map((field) => paramIn(language, field)),
  quality,
});

const paramIn = (language: TemplateLanguage, { name, format, description, items }: TemplateField): ExtractionParam => ({
  name,
  format,
  description: description[language],
  ...(items && { items: items.map((item) => paramIn(language, item)) }),
});

/**
 * A cursor needs a time, but templates have none. All templates get the same time, so their order
 * depends only on the name.
 */
const anyTime = "1970-01-01T00:00:00.000Z";

export function listTemplates(language: TemplateLanguage, request: PageRequest): ListPage<TemplateJson> {
  const { limit, after: [, last] = [anyTime, ""] } = request;
  const rest = allTemplates(language).filter(({ name }) => name > last);
  const rows = rest.slice(0, limit === undefined ? undefined : limit + 1);
  return pageOf(
    rows,
    request,
    ({ name }) => [anyTime, name],
    (row) => row,
  );
}

/** @throws AppError `not_found` */
export function getTemplate(language: TemplateLanguage, name: string): TemplateJson {
  const template = allTemplates(language).find((each) => each.name === name);
  if (template === undefined) throw new AppError("not_found");
  return template;
}
