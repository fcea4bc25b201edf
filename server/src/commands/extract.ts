/** `sheaf extract`: extracts data from files. Needs neither a service nor a database. */
import { type ExtractionParam, paramIssues, requestParamRules } from "@sheaf/contract/params.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { evidenceOf, extractFile, rulesJson } from "../features/extraction/extraction.service.ts";
import { unmetered } from "../features/models/models.service.ts";
import { printEach, readChecked } from "./each-file.ts";

interface ExtractOptions {
  params: string;
  evidence: boolean;
}

export async function extract(files: string[], options: ExtractOptions): Promise<void> {
  const config = readConfig();
  const check = (value: unknown) => paramIssues(value, requestParamRules, "");
  const params = await readChecked<ExtractionParam[]>(options.params, "params", check);
  await using understanding = await openUnderstanding(config);
  const deps = { ...understanding, timeoutMs: config.extraction.timeoutMs };
  await printEach(files, async (file) => {
    const done = await extractFile(deps, { file, params }, unmetered, new AbortController().signal);
    const { data, tokens, pages, durationMs } = done;
    const metadata = { duration: durationMs / 1000, tokens_consumed: tokens, pages };
    const failed = rulesJson(done, options.evidence ? ["evidence"] : []);
    return { data: [data], metadata: { ...metadata, ...(options.evidence && evidenceOf(done)), ...failed } };
  });
}
