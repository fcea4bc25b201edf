/**
 * `npm run quality -- model-extraction [SET…]`: measures extraction with scripted models over real
 * HTTP. The first model makes no mistakes with the text that it gets. It is asked either for all
 * fields, or only for those that the built-in engine is unsure about. The correct values and the
 * cost are measured in both cases. The second model invents a fifth of its output. Measures how
 * much of the invented output reaches the caller.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Engine, LeafValue } from "../../server/src/engine/engine.ts";
import { engineWithModel } from "../../server/src/engine/testing/engine-with-model.ts";
import { openBuiltinEngine } from "../../server/src/engine/threads/threaded-engine.ts";
import { countingMeter, scriptedClient } from "../scripted-model/client.ts";
import { type Invention, inventing, type Rule } from "../scripted-model/rules.ts";
import { startScriptedModel } from "../scripted-model/server.ts";
import { type Case, papers, paramsOf, type Quote, quoteFor, same, transcripts } from "./ground.ts";
import { readerOf } from "./reader-rule.ts";

const share = 0.2;

const loaders: Record<string, () => Promise<Case[]>> = {
  facturx: () => papers("facturx"),
  sroie: transcripts,
  deepform: () => papers("deepform"),
  invoice2data: () => papers("invoice2data"),
};
export const modelExtractionSets: readonly string[] = Object.keys(loaders);

const ways = ["builtin", "model", "auto", "model, inventing", "auto, inventing"] as const;
type Way = (typeof ways)[number];

/** Prints a row for each combination of set and engine, and up to `errors` wrong fields per row. */
export async function runModelExtraction(sets: readonly string[], errors: number): Promise<void> {
  const builtin = openBuiltinEngine({ threads: 1 });
  const rows: Record<string, Score> = {};
  for (const name of sets) {
    const params = await paramsOf(name);
    const cases = await (loaders[name] as () => Promise<Case[]>)();
    const known = cases.map((one): KnownCase => ({ ...one, answers: answersOf(one, params) }));
    for (const way of ways) rows[`${name}, ${way}`] = await score(way, known, params, builtin, errors);
  }
  await builtin.close();
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, printed(row)])));
  for (const name of sets) compare(name, [rows[`${name}, model`] as Score], [rows[`${name}, auto`] as Score]);
  compare("all", rowsOf(rows, "model"), rowsOf(rows, "auto"));
}

const rowsOf = (rows: Record<string, Score>, way: Way): Score[] =>
  Object.entries(rows).flatMap(([name, row]) => (name.endsWith(`, ${way}`) ? [row] : []));

/** Compares the cost and the number of correct values of `auto` with those of the model alone. */
function compare(name: string, model: readonly Score[], auto: readonly Score[]): void {
  const sum = (scores: readonly Score[], of: (score: Score) => number) =>
    scores.reduce((all, score) => all + of(score), 0);
  const percent = (of: (score: Score) => number) => `${((100 * sum(auto, of)) / sum(model, of)).toFixed(1)} %`;
  const told = (scores: readonly Score[]) =>
    `${sum(scores, ({ right }) => right)} right and ${sum(scores, ({ wrong, missed }) => wrong + missed)} not`;
  console.log(
    `${name}: auto takes ${percent(({ tokens }) => tokens)} of the tokens of the model alone (${percent(({ tokens, schema }) => tokens + schema)} with schemas); ${told(auto)}, model ${told(model)}`,
  );
}

interface KnownCase extends Case {
  /**
   * The correct values by field, with quotes as a person would choose them. Fields that the
   * document does not contain have no entry.
   */
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

interface Score {
  documents: number;
  given: number;
  right: number;
  wrong: number;
  missed: number;
  /**
   * Number of returned values that differ from the correct one, counted only for fields whose
   * correct value is not visible in the document.
   */
  otherwise: number;
  /**
   * Number of returned values that are in the document, but for which no correct value is known.
   */
  beyond: number;
  told: number;
  kept: number;
  requests: number;
  tokens: number;
  /** Tokens of the schemas. Only some endpoints charge for them. */
  schema: number;
}

const printed = ({ documents, given, right, wrong, missed, ...row }: Score): object => ({
  documents,
  given,
  right,
  wrong,
  missed,
  "not as the truth has it": row.otherwise,
  "beyond the truth": row.beyond,
  "told and kept": `${row.kept} of ${row.told}`,
  "requests a document": Number((row.requests / documents).toFixed(2)),
  "tokens a document": Math.round(row.tokens / documents),
  "schemas a document": Math.round(row.schema / documents),
});

async function score(
  way: Way,
  cases: readonly KnownCase[],
  params: readonly ExtractionParam[],
  builtin: ReturnType<typeof openBuiltinEngine>,
  errors: number,
): Promise<Score> {
  let asked: KnownCase | undefined;
  let inventions: Invention[] = [];
  const total = {
    documents: cases.length,
    given: 0,
    right: 0,
    wrong: 0,
    missed: 0,
    otherwise: 0,
    beyond: 0,
    told: 0,
    kept: 0,
    schema: 0,
  };
  const reading: Rule = (request) => {
    total.schema += Math.ceil(JSON.stringify(request.schema).length / 4);
    return asked && readerOf(asked, asked.answers, params)(request);
  };
  const rule = way.endsWith("inventing") ? inventing(share, reading, (each) => inventions.push(each)) : reading;
  const model = await startScriptedModel({ rule });
  const client = scriptedClient(model.url, 30_000);
  const engine: Pick<Engine, "extract"> =
    way === "builtin" ? builtin : engineWithModel(builtin, client, way.startsWith("auto") ? "auto" : "model");
  const misses: string[] = [];
  const { meter, taken } = countingMeter();
  for (const one of cases) {
    asked = one;
    inventions = [];
    const request = { document: one.document, params: [...params], meter };
    const { data } = await engine.extract(request, new AbortController().signal);
    for (const param of params) {
      const said = data[param.name] as LeafValue;
      const value = one.fields[param.name] ?? null;
      const isGiven = one.answers.has(param.name);
      const isRight = said !== null && value !== null && same(said, value, param, one);
      const wasTold = isGiven && !inventions.some(({ path }) => path.startsWith(`/${param.name}`));
      total.given += Number(isGiven);
      total.told += Number(wasTold);
      total.kept += Number(wasTold && isRight);
      total.right += Number(isGiven && isRight);
      if (isGiven && said === null) total.missed++;
      else if (isGiven && !isRight) total.wrong++;
      else if (!isGiven && said !== null && !isRight) total[value === null || value === "" ? "beyond" : "otherwise"]++;
      if (isGiven && !isRight && misses.length < errors)
        misses.push(`${way} ${one.id} ${param.name} ${JSON.stringify([one.answers.get(param.name), said])}`);
    }
  }
  await client.close();
  await model.close();
  for (const miss of misses) console.log(miss);
  return { ...total, ...taken };
}
