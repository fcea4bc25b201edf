import type { Rule } from "../../../bench/scripted-model/rules.ts";
import type { ScriptedModel } from "../../../bench/scripted-model/server.ts";

/** Runs `work` while the model responds according to `rule`, then restores the previous rule. */
export async function answering<T>(model: ScriptedModel, rule: Rule, work: () => Promise<T>): Promise<T> {
  const before = model.rule;
  model.rule = rule;
  try {
    return await work();
  } finally {
    model.rule = before;
  }
}
