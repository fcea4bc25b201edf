/**
 * `sheaf templates`: prints ready-made fields for `sheaf extract --params`. Needs neither a service
 * nor a database.
 */
import { templateLanguages } from "@sheaf/contract/templates.ts";
import { allTemplates } from "../features/templates/templates.service.ts";

export function printTemplates(name: string | undefined, { lang }: { lang: string }): void {
  const language = templateLanguages.find((each) => each === lang);
  if (language === undefined) throw new Error(`--lang must be one of ${templateLanguages.join(", ")}`);
  const templates = allTemplates(language);
  if (name === undefined) {
    const width = Math.max(...templates.map((each) => each.name.length));
    for (const each of templates) console.log(`${each.name.padEnd(width)}  ${each.title}: ${each.description}`);
    return;
  }
  const template = templates.find((each) => each.name === name);
  if (template === undefined) throw new Error(`there is no template ${name}; see \`sheaf templates\``);
  console.log(JSON.stringify(template.params, undefined, 2));
}
