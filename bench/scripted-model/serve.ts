/**
 * Runs the scripted model as a separate process:
 * `node bench/scripted-model/serve.ts [--port 11434] [--wire-format ollama] [--answers file.json]`.
 *
 * The file contains `[{"match": "words of the prompt", "answer": any JSON}]`. The response is the
 * first answer whose `match` is in the prompt. If there is none, it is the smallest output that
 * matches the schema. `POST /control` sets faults, for example
 * `{"faults": [{"kind": "stall-before"}]}`.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Rule, silent } from "./rules.ts";
import { startScriptedModel } from "./server.ts";
import type { WireFormatName } from "./wire-formats.ts";

interface Entry {
  match: string;
  answer: unknown;
}

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "11434" },
    "wire-format": { type: "string", default: "openai" },
    answers: { type: "string" },
  },
});
const entries = values.answers === undefined ? [] : (JSON.parse(await readFile(values.answers, "utf8")) as Entry[]);
const rule: Rule = (request) => {
  const entry = entries.find(({ match }) => request.prompt.includes(match));
  return entry === undefined ? silent(request) : entry.answer;
};
const model = await startScriptedModel({
  rule,
  wireFormat: values["wire-format"] as WireFormatName,
  port: Number(values.port),
});
console.log(model.url);
