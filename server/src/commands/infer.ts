/** `sheaf infer`: proposes fields from sample files. Needs neither a service nor a database. */
import { basename } from "node:path";
import { templateLanguages } from "@sheaf/contract/templates.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { inferFields } from "../features/extraction/inference.service.ts";
import { readableExtensionOf } from "../features/understanding/understanding.service.ts";

export async function infer(paths: string[], { lang, params }: { lang: string; params: boolean }): Promise<void> {
  const language = templateLanguages.find((each) => each === lang);
  if (language === undefined) throw new Error(`--lang must be one of ${templateLanguages.join(", ")}`);
  const config = readConfig();
  const files = paths.map((path) => {
    const filename = basename(path);
    return { path, filename, extension: readableExtensionOf(filename) };
  });
  await using understanding = await openUnderstanding(config);
  const deps = { ...understanding, timeoutMs: config.extraction.timeoutMs };
  const { fields } = await inferFields(deps, files, language, new AbortController().signal);
  const shown = params ? fields.fields.map(({ param }) => param) : fields;
  console.log(JSON.stringify(shown, undefined, 2));
}
