/**
 * A scripted model that knows the correct values of a document, and returns those that it can see
 * in the prompt.
 */
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { LeafValue } from "../../server/src/engine/engine.ts";
import { valueInQuote } from "../../server/src/engine/ground/value-in-quote.ts";
import type { ScriptedRequest } from "../scripted-model/request.ts";
import type { Rule } from "../scripted-model/rules.ts";
import type { Case, Quote } from "./ground.ts";

type Answers = ReadonlyMap<string, Quote & { value: LeafValue }>;

/**
 * Returns a rule that returns the correct value of each field if the prompt contains its quote. If
 * the prompt has numbered lines, these must contain the value instead. For other fields, the rule
 * returns null.
 */
export const readerOf =
  (one: Case, answers: Answers, params: readonly ExtractionParam[]): Rule =>
  (request) =>
    Object.fromEntries(
      Object.entries((request.schema as { properties: object }).properties).map(([name, leaf]) => {
        const answer = answers.get(name);
        const param = params.find((each) => each.name === name);
        if ("anyOf" in leaf) return [name, answer && param ? atLine(one, answer.value, param, request) : null];
        const isShown = answer?.quote.split("\n").every((line) => request.prompt.includes(line));
        return [name, isShown ? answer : { value: null, quote: null, page: null }];
      }),
    );

/**
 * Finds the shortest run of consecutive numbered lines, at most eight, that contains the value.
 * Returns the value with the number of the run's first line; null if no run contains the value.
 */
function atLine({ ground }: Case, value: LeafValue, { format }: ExtractionParam, { prompt }: ScriptedRequest) {
  const lines = prompt.split("\n").map((line) => /^(\d+)\|(.*)$/su.exec(line));
  for (let length = 1; length <= 8; length++) {
    for (let from = 0; from + length <= lines.length; from++) {
      const run = lines.slice(from, from + length);
      if (run.includes(null)) continue;
      const text = run.map((line) => line?.[2]).join("\n");
      if (valueInQuote(value, format as "text", text, ground.conventions)) return { value, line: Number(run[0]?.[1]) };
    }
  }
  return null;
}
