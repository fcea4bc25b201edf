/** A fixed mix of the requests that a service typically gets. */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { filesOf } from "./data.ts";
import type { Target } from "./service-target.ts";

export interface Done {
  kind: string;
  /** HTTP status; 0 if there was no response. */
  status: number;
  ms: number;
}

export interface Workload {
  /** Sends the next request of the mix. Resolves with its outcome, and never rejects. */
  next(): Promise<Done>;
}

const params = JSON.parse(await readFile(join(import.meta.dirname, "../examples/params.json"), "utf8"));
const questions = ["What is the total of the invoice?", "Who is the seller?", "When is it due?", "What is delivered?"];
/** Maximum number of documents in the corpus. A further document replaces the oldest. */
const corpusSize = 40;

/**
 * Opens a workload with this mix of requests. Of ten requests, one extracts from an invoice and one
 * uploads a document; the others ask questions, list and read.
 * @param paths invoices; by default those of a set of the evaluation data
 */
export async function openWorkload({ url, token }: Target, paths?: readonly string[]): Promise<Workload> {
  const files = await Promise.all(
    (paths ?? filesOf("facturx/pdf", ".pdf").slice(0, 24)).map(async (path) => ({
      name: basename(path),
      base64: (await readFile(path)).toString("base64"),
    })),
  );
  const headers = { "x-api-key": token, "content-type": "application/json" };
  const send = async (kind: string, method: string, path: string, body?: unknown): Promise<Done & { json: never }> => {
    const startedAt = performance.now();
    try {
      const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(url + path, request);
      const json = (await response.json()) as never;
      return { kind, status: response.status, ms: performance.now() - startedAt, json };
    } catch {
      return { kind, status: 0, ms: performance.now() - startedAt, json: {} as never };
    }
  };
  const made = await send("", "POST", "/v2/agents", { name: "Workload", type: "DOCUMENTALIST" });
  const agent = (made.json as { data: { reference: string } }).data.reference;
  const documents: string[] = [];
  let count = 0;

  const upload = async (n: number): Promise<Done> => {
    const file = files[n % files.length];
    const body = { filename: `${n}-${file?.name}`, file: file?.base64 };
    const done = await send("upload", "POST", `/v2/agents/${agent}/documents`, body);
    const { data } = done.json as { data?: { document_reference: string } };
    if (data) documents.push(data.document_reference);
    const oldest = documents.length > corpusSize ? documents.shift() : undefined;
    if (oldest !== undefined) {
      const removed = await send("delete", "DELETE", `/v2/agents/${agent}/documents/${oldest}`);
      if (removed.status !== 200) return removed;
    }
    return done;
  };
  const ask = (n: number) =>
    send("question", "POST", `/v2/knowledge/${agent}`, { query: questions[n % questions.length] });
  const extract = (n: number) => {
    const file = files[n % files.length];
    return send("extraction", "POST", "/v2/extractor", { filename: file?.name, file: file?.base64, params });
  };
  const kinds: ((n: number) => Promise<Done>)[] = [
    extract,
    ask,
    () => send("list", "GET", `/v2/agents/${agent}/documents?limit=20`),
    ask,
    () => send("usage", "GET", "/v2/organization/usage"),
    upload,
    () => send("agents", "GET", "/v2/agents"),
    ask,
    () => send("token", "GET", "/v2/token?client_id=none&client_secret=none"),
    () => send("health", "GET", "/readyz"),
  ];
  return {
    next: async () => {
      const n = count++;
      const { kind, status, ms } = await (kinds[n % kinds.length] as (n: number) => Promise<Done>)(n);
      return { kind, status, ms };
    },
  };
}
