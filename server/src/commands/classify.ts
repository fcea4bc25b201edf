/**
 * `sheaf classify`: splits files into documents and classifies them. Needs neither a service nor a
 * database.
 */
import { type ClassInputJson, ClassInputs, classificationModes } from "@sheaf/contract/classification.ts";
import { compile } from "@sheaf/contract/validate.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { classifyFile } from "../features/classification/classification.service.ts";
import { unmetered } from "../features/models/models.service.ts";
import { printEach, readChecked } from "./each-file.ts";

interface ClassifyOptions {
  classes?: string;
  mode: string;
}

export async function classify(files: string[], options: ClassifyOptions): Promise<void> {
  const config = readConfig();
  const mode = classificationModes.find((known) => known === options.mode);
  if (!mode) throw new Error(`--mode must be one of ${classificationModes.join(", ")}.`);
  const classes =
    options.classes === undefined
      ? []
      : await readChecked<ClassInputJson[]>(options.classes, "classes", compile(ClassInputs));
  await using understanding = await openUnderstanding(config);
  const deps = { ...understanding, timeoutMs: config.operations.timeoutMs };
  await printEach(files, async (file) => {
    const { data, tokens, durationMs } = await classifyFile(
      deps,
      { file, classes, mode },
      unmetered,
      new AbortController().signal,
    );
    return { data, metadata: { duration: durationMs / 1000, tokens_consumed: tokens } };
  });
}
