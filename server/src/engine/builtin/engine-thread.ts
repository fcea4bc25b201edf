/** The thread of the built-in engine: takes a document page by page, extracts, posts the result. */
import { parentPort } from "node:worker_threads";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { Document, Page } from "../../reading/document.ts";
import type { Extraction } from "../engine.ts";
import { extractBuiltin } from "./extract.ts";

/** To the thread: a document's head, its pages, then the question. */
export type Request =
  | { kind: "document"; document: Omit<Document, "pages"> }
  | { kind: "page"; page: Page }
  | { kind: "extract"; params: readonly ExtractionParam[] };

/** From the thread. */
export type Reply = { kind: "done"; extraction: Extraction } | { kind: "failed"; message: string };

let document: Document | undefined;

parentPort?.on("message", (request: Request) => {
  if (request.kind === "document") document = { ...request.document, pages: [] };
  else if (request.kind === "page") document?.pages.push(request.page);
  else {
    parentPort?.postMessage(answer(request.params));
    document = undefined;
  }
});

function answer(params: readonly ExtractionParam[]): Reply {
  if (!document) return { kind: "failed", message: "There is no document." };
  try {
    return { kind: "done", extraction: extractBuiltin({ document, params }) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
