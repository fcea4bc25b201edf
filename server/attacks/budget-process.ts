/**
 * Calls a language model until the token budget is used up. Run as `node budget-process.ts JSON`,
 * with the options below as JSON.
 */
import type { ModelFailure } from "../src/engine/engine.ts";
import { openModelClient } from "../src/engine/model/model-client.ts";
import { openMeter } from "../src/features/models/models.service.ts";
import { onBehalfOf } from "../src/lib/caller.ts";
import { openRecords, type RecordsSettings } from "../src/records/records.ts";

export interface BudgetAttack {
  /** Path of the SQLite file, or URL of the PostgreSQL database. */
  database: { dialect: "sqlite"; path: string } | { dialect: "postgres"; url: string };
  organizationId: string;
  modelUrl: string;
  budgetTokens: number;
  /** Number of concurrent calls. */
  parallel: number;
  /** Maximum number of calls in total. */
  calls: number;
}

const attack = JSON.parse(process.argv[2] ?? "") as BudgetAttack;
const { database, organizationId, modelUrl, budgetTokens, parallel } = attack;
const settings: RecordsSettings =
  database.dialect === "sqlite" ? database : { ...database, maxConnections: 10, onIdleError: () => {} };
const { db, close } = openRecords(settings);
const client = openModelClient({
  url: modelUrl,
  model: "scripted",
  vision: false,
  maxInputTokens: 8_000,
  maxOutputTokens: 2_000,
  concurrency: parallel,
  timeoutMs: 60_000,
});
const meter = openMeter({ db, budgetTokens }, onBehalfOf(organizationId));
const request = { purpose: "extract", system: "s", prompt: "word ".repeat(200), schema: { type: "object" } } as const;
let left = attack.calls;
let refused = 0;
await Promise.all(
  Array.from({ length: parallel }, async () => {
    while (left-- > 0)
      await client.object(request, meter, AbortSignal.timeout(60_000)).catch((error: ModelFailure) => {
        if (error.kind !== "budget") throw error;
        refused++;
        left = 0;
      });
  }),
);
console.log(JSON.stringify({ refused }));
await client.close();
await close();
