/**
 * Attack: changes configurations so that correct values are lost. With the header
 * `If-Quality: at-least-current`, the service should refuse such changes. Harmless changes must be
 * accepted. Uses this project's own documents, by authors 01 to 06. Before each request, the engine
 * is run without the service, to determine whether the edit loses a value. `TEST_EDITS` sets the
 * number of edits of each kind.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { AgentParam, ExtractionParam } from "@sheaf/contract/params.ts";
import { type FittedPaper, ownPapers } from "../../fit/papers/fitted-papers.ts";
import { isSame } from "../../fit/papers/same-value.ts";
import { inRandomOrder, mulberry32 } from "../../fit/random.ts";
import type { ValueRecord } from "../src/engine/engine.ts";
import { extractBuiltin } from "../src/engine/extract/extract-fields.ts";
import { configurationChanges } from "../src/features/agents/configuration-changes.ts";
import { readStoredDocument } from "../src/features/documents/documents.service.ts";
import { placeOf } from "../src/features/kept-extractions/kept-extractions.service.ts";
import { openFolderFiles } from "../src/files/folder-files.ts";
import type { Document } from "../src/reading/document.ts";
import { type Answer, openTestService, type TestClient, type TestOrganization } from "../test/helpers/service.ts";
import { reportAttack } from "./report.ts";

const edits = Number(process.env.TEST_EDITS ?? 50);
const random = mulberry32(20_261_125);
/** Maximum number of harmless edits per document. Low, so that many documents are used. */
const editsPerPaper = 3;

/**
 * Converts the fields to those that agents accept. Agents have no format `date`, so the format of
 * dates becomes `text`, and their values are the dates as written.
 */
const agentParams = (params: readonly ExtractionParam[]): AgentParam[] =>
  params.map(({ name, format, description, items = [] }) => ({
    name,
    format: format === "date" ? "text" : format,
    description,
    items: agentParams(items),
  }));

/** A document with its own agent, which has one reviewed extraction. */
interface Subject {
  agent: string;
  params: AgentParam[];
  document: Document;
  truth: ValueRecord;
  /** Names of single fields (not lists) whose extracted values are correct. */
  right: string[];
}

test("the gate refuses changes that lose values, and accepts harmless changes", async (t) => {
  await using service = await openTestService("sqlite", { SHEAF_RATE_LIMIT: "0", SHEAF_ADDRESS_RATE_LIMIT: "0" });
  const organization = await service.organization("Gate");
  const files = await openFolderFiles(service.config.filesDir);
  const fitted = ownPapers().filter(({ author }) => author <= "06");
  const counts = { regressions: 0, passed: 0, harmless: 0, refused: 0, changing: 0 };
  for (const paper of inRandomOrder(fitted, random)) {
    if (counts.regressions >= edits && counts.harmless >= edits) break;
    const subject = await reviewed(organization, files, paper);
    const now = valuesOf(subject, subject.params);
    for (const params of regressions(subject, now)) {
      if (counts.regressions >= edits) break;
      counts.regressions++;
      const answer = await patch(organization, subject, params);
      if (answer.status === 409 && answer.body.code === "quality_lost") continue;
      counts.passed++;
      t.diagnostic(
        `${paper.name}: ${answer.status} ${JSON.stringify(configurationChanges({ params: subject.params }, { params }))}`,
      );
    }
    let left = editsPerPaper;
    for (const [index, edit] of inRandomOrder([...harmlessEdits.entries()], random)) {
      if (left === 0 || counts.harmless >= edits) break;
      const params = edit(subject.params);
      const values = valuesOf(subject, params);
      if (!Object.keys(now).every((name) => isDeepStrictEqual(values[name], now[name]))) {
        // Skips an edit that changes a value, because such an edit is not harmless for this
        // document. Synonyms in a description often change a value. Of the structural edits, only
        // an added field should do so: it can take the words of another field.
        if (index < structuralEdits) counts.changing++;
        continue;
      }
      left--;
      counts.harmless++;
      const answer = await patch(organization, subject, params);
      if (answer.status === 200) continue;
      counts.refused++;
      t.diagnostic(`${paper.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
  t.diagnostic(`${counts.changing} added fields and orders changed other values and were left out`);
  assert.deepEqual([counts.regressions, counts.harmless], [edits, edits]);
  reportAttack(t, "regressions past the gate", { tried: counts.regressions, succeeded: counts.passed });
  reportAttack(t, "harmless edits refused", { tried: counts.harmless, succeeded: counts.refused });
});

/** Sends a request, and retries while the service is busy, as clients do. */
async function insistent(send: TestClient["send"], ...request: Parameters<TestClient["send"]>): Promise<Answer> {
  let answer = await send(...request);
  for (let tries = 1; answer.body.code === "agent_unavailable" && tries < 100; tries++) {
    await sleep(200);
    answer = await send(...request);
  }
  return answer;
}

const patch = ({ administrator }: TestOrganization, { agent }: Subject, params: AgentParam[]) =>
  insistent(
    administrator.send,
    "PATCH",
    `/v2/agents/${agent}`,
    { configuration: { params } },
    { "if-quality": "at-least-current" },
  );

const valuesOf = ({ document }: Pick<Subject, "document">, params: AgentParam[]): ValueRecord =>
  extractBuiltin({ document, params }).data;

async function reviewed(
  { id: organization_id, administrator }: TestOrganization,
  files: Awaited<ReturnType<typeof openFolderFiles>>,
  paper: FittedPaper,
): Promise<Subject> {
  const send: TestClient["send"] = (...request) => insistent(administrator.send, ...request);
  const params = agentParams(paper.params);
  const body = { name: paper.name, type: "EXTRACTOR", configuration: { params, engine: "builtin" } };
  const agent: string = (await send("POST", "/v2/agents", body)).body.data.reference;
  const file = (await readFile(paper.open())).toString("base64");
  const upload = { filename: `${paper.name}.pdf`, file, keep: true };
  const extracted = await send("POST", `/v2/extractor/${agent}`, upload);
  assert.equal(extracted.status, 200, JSON.stringify(extracted.body));
  const { data, metadata } = extracted.body;
  const path = `/v2/extractions/${metadata.extraction_id}`;
  const truth: ValueRecord = data[0];
  const right: string[] = [];
  const corrections: object[] = [];
  for (const { name, format } of paper.params) {
    const values = paper.fields.get(name);
    if (values === undefined || format === "date") continue;
    const [value = null] = values;
    if (values.some((each) => isSame(truth[name] ?? null, each, format))) {
      if (truth[name] !== null) right.push(name);
    } else corrections.push({ path: `/0/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, value });
  }
  const corrected = await send("PUT", `${path}/corrections`, { corrections, version: 1 });
  assert.equal(corrected.status, 200, JSON.stringify(corrected.body));
  assert.equal((await send("PATCH", path, { status: "reviewed" })).status, 200);
  const place = placeOf({ id: metadata.extraction_id, organization_id, agent_id: agent });
  const document = await readStoredDocument(files, place);
  return { agent, params, document, truth: corrected.body.data.corrected_data[0], right };
}

const withField = (params: readonly AgentParam[], name: string, change: Partial<AgentParam>): AgentParam[] =>
  params.map((param) => (param.name === name ? { ...param, ...change } : param));

/**
 * Yields changes that lose a correct value: they change a field's description or format, or remove
 * the field.
 */
function* regressions({ document, params, right }: Subject, now: ValueRecord): Generator<AgentParam[]> {
  const names = inRandomOrder(right, random);
  const losing = (name: string, changed: AgentParam[]) =>
    !isSame(valuesOf({ document }, changed)[name] ?? null, now[name] as string, "text");
  const damaged = names.flatMap((name) =>
    inRandomOrder(params, random).map((other) => ({
      name,
      params: withField(params, name, { description: other.description }),
    })),
  );
  const description = damaged.slice(0, 20).find((each) => losing(each.name, each.params));
  if (description) yield description.params;
  const formats = ["text", "number", "boolean"] as const;
  const reformatted = names.flatMap((name) =>
    inRandomOrder(formats, random).map((format) => ({ name, params: withField(params, name, { format }) })),
  );
  const format = reformatted.find(({ name, params: changed }) => valuesOf({ document }, changed)[name] !== now[name]);
  if (format) yield format.params;
  const [lost] = names;
  if (lost === undefined) return;
  yield random() < 0.5 ? params.filter(({ name }) => name !== lost) : withField(params, lost, { name: `${lost}_2` });
}

const added: AgentParam[] = [
  { name: "added_mascot", format: "text", description: "Favourite colour of the mascot", items: [] },
  { name: "added_wind", format: "number", description: "Wind speed in knots", items: [] },
];

/** Number of harmless edits that do not change a description. They are first in `harmlessEdits`. */
const structuralEdits = 3;
const harmlessEdits: ((params: AgentParam[]) => AgentParam[])[] = [
  (params) => inRandomOrder(params, random),
  (params) => [...params, ...added.slice(0, 1)],
  (params) => [...added.slice(1), ...params].reverse(),
  ...["Please find: ", "The value of: "].map(
    (words) => (params: AgentParam[]) => params.map((param) => ({ ...param, description: words + param.description })),
  ),
  (params) => params.map((param) => ({ ...param, description: `${param.description}.` })),
  (params) => params.map((param) => ({ ...param, description: param.description.toUpperCase() })),
  (params) => params.map((param) => ({ ...param, description: withSynonyms(param.description) })),
];

const synonyms: readonly (readonly [RegExp, string])[] = [
  [/\bnumber\b/gi, "no."],
  [/\bamount\b/gi, "sum"],
  [/\bdate\b/gi, "day"],
  [/\bcompany\b/gi, "firm"],
  [/\bprice\b/gi, "cost"],
  [/\btotal\b/gi, "overall"],
  [/\bBetrag\b/g, "Summe"],
  [/\bNummer\b/g, "Nr."],
  [/\bmontant\b/gi, "somme"],
];
const withSynonyms = (text: string): string =>
  synonyms.reduce((changed, [word, synonym]) => changed.replace(word, synonym), text);
