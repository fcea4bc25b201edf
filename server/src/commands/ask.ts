/**
 * `sheaf ask`: asks a documentalist a question and prints the answer with its citations. Nothing is
 * recorded.
 */
import { openKnowledge } from "../compose/service-parts.ts";
import { openUnderstanding } from "../compose/understanding.ts";
import { readConfig } from "../config.ts";
import { openCorpus } from "../corpus.ts";
import { getOperatorOfAgent } from "../features/agents/agent-lookup.service.ts";
import { openInstallation } from "../installation.ts";
import { openLog } from "../lib/log.ts";

export async function ask(agent: string, query: string, { json = false }: { json?: boolean }): Promise<void> {
  const config = readConfig();
  const log = openLog("error");
  await using installation = await openInstallation(config, log, { own: false });
  const { db } = installation.records;
  await using corpus = await openCorpus(config, log, db);
  await using understanding = await openUnderstanding(config);
  const knowledge = openKnowledge(config, { db, corpus, ...understanding });
  const operator = await getOperatorOfAgent(db, agent);
  const asking = await knowledge.prepare(operator, agent, { query });
  const { pieces, citations } = await knowledge.answer(operator, asking, new AbortController().signal);
  const answer = pieces.join("");
  if (json) {
    console.log(JSON.stringify({ answer, citations }, null, 2));
    return;
  }
  console.log(answer);
  if (citations.length > 0) console.log();
  for (const { name, path, page, quote } of citations) {
    console.log(`  ${path === "" ? name : `${path}/${name}`}, page ${page}: “${quote}”`);
  }
}
