/**
 * `npm run quality -- model-extraction`: a model over real HTTP that reads no more than it is shown and makes no mistake, asked for everything
 * and asked only where the built-in engine is not sure: what each gets right, and what it takes. And one that invents a fifth of what it
 * says: what of that reaches the caller.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import { openBuiltinEngine } from "../../server/src/engine/builtin/open.ts";
import type { Engine, LeafValue } from "../../server/src/engine/engine.ts";
import { openModelEngine } from "../../server/src/engine/model/engine.ts";
import type { Meter } from "../../server/src/engine/model/model-client.ts";
import { scriptedClient } from "../scripted-model/client.ts";
import { type Invention, inventing, type Rule } from "../scripted-model/rules.ts";
import { startScriptedModel } from "../scripted-model/server.ts";
import { type Case, invoices, paramsOf, type Quote, quoteFor, same, transcripts } from "./ground.ts";

const share = 0.2;

/** Prints a row for each set and way; `errors` fields of each that are not right are shown. */
export async function runModelExtraction(errors: number): Promise<void> {
  const builtin = openBuiltinEngine({ threads: 1 });
  const rows: Record<string, object> = {};
  for (const [name, cases] of [
    ["facturx", await invoices()],
    ["sroie", await transcripts()],
  ] as const) {
    const params = await paramsOf(name);
    const known = cases.map((one): KnownCase => ({ ...one, answers: answersOf(one, params) }));
    for (const way of ["builtin", "model", "auto", "model, inventing"] as const)
      rows[`${name}, ${way}`] = await score(way, known, params, builtin, errors);
  }
  await builtin.close();
  console.table(rows);
}

interface KnownCase extends Case {
  /** What a reader answers for each param that the document gives. */
  answers: Map<string, Quote & { value: LeafValue }>;
}

function answersOf(one: Case, params: readonly ExtractionParam[]): KnownCase["answers"] {
  const answers: KnownCase["answers"] = new Map();
  for (const param of params) {
    const value = one.fields[param.name] ?? null;
    const quote = value === null || value === "" ? undefined : quoteFor(one, value, param);
    if (quote) answers.set(param.name, { value, ...quote });
  }
  return answers;
}

type Way = "builtin" | "model" | "auto" | "model, inventing";

async function score(
  way: Way,
  cases: readonly KnownCase[],
  params: readonly ExtractionParam[],
  builtin: ReturnType<typeof openBuiltinEngine>,
  errors: number,
): Promise<object> {
  let asked: KnownCase | undefined;
  let inventions: Invention[] = [];
  const reading: Rule = ({ schema, prompt }) =>
    Object.fromEntries(
      Object.keys((schema as { properties: object }).properties).map((name) => {
        const answer = asked?.answers.get(name);
        const isShown = answer?.quote.split("\n").every((line) => prompt.includes(line));
        return [name, isShown ? answer : { value: null, quote: null, page: null }];
      }),
    );
  const rule = way === "model, inventing" ? inventing(share, reading, (each) => inventions.push(each)) : reading;
  const model = await startScriptedModel({ rule });
  const client = scriptedClient(model.url, 30_000);
  const engine: Pick<Engine, "extract"> =
    way === "builtin" ? builtin : openModelEngine(builtin, client, way === "auto" ? "auto" : "model");
  const counts = { given: 0, right: 0, wrong: 0, missed: 0, unaskedFor: 0, told: 0, kept: 0, requests: 0 };
  let tokens = 0;
  const misses: string[] = [];
  const meter: Meter = {
    admit: async () => {},
    record: async ({ use }) => {
      tokens += use.inputTokens + use.outputTokens;
      counts.requests++;
    },
  };
  for (const one of cases) {
    asked = one;
    inventions = [];
    const { data } = await engine.extract(
      { document: one.document, params: [...params], meter },
      new AbortController().signal,
    );
    for (const param of params) {
      const said = data[param.name] as LeafValue;
      const value = one.fields[param.name] ?? null;
      const isGiven = one.answers.has(param.name);
      const isRight = said !== null && value !== null && same(said, value, param, one);
      const wasTold = isGiven && !inventions.some(({ path }) => path === `/${param.name}`);
      counts.given += Number(isGiven);
      counts.told += Number(wasTold);
      counts.kept += Number(wasTold && isRight);
      counts.right += Number(isGiven && isRight);
      if (isGiven && said === null) counts.missed++;
      else if (isGiven && !isRight) counts.wrong++;
      else if (!isGiven && said !== null && !isRight) counts.unaskedFor++;
      if (isGiven && !isRight && misses.length < errors)
        misses.push(`${way} ${one.id} ${param.name} ${JSON.stringify([one.answers.get(param.name), said])}`);
    }
  }
  await client.close();
  await model.close();
  for (const miss of misses) console.log(miss);
  return {
    documents: cases.length,
    given: counts.given,
    right: counts.right,
    wrong: counts.wrong,
    missed: counts.missed,
    "said though not given": counts.unaskedFor,
    "told and kept": `${counts.kept} of ${counts.told}`,
    "requests a document": counts.requests / cases.length,
    "tokens a document": Math.round(tokens / cases.length),
  };
}
