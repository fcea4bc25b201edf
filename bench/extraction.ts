/**
 * Measures, in this process, how much processor time per page the built-in engine needs for
 * extraction. Uses the invented business documents of papers-a, whose correct values are known. The
 * documents are read before the measurement begins. Each document is extracted only once, so the
 * times are those of a process that has just started.
 */
import { readFittedPapers, withDocuments } from "../fit/papers/fitted-papers.ts";
import { extractBuiltin } from "../server/src/engine/extract/extract-fields.ts";
import { type BenchRow, quantile, withinLimit } from "./rows.ts";

const maxMsPerPage = 30;

export async function benchExtraction(): Promise<BenchRow[]> {
  const papers = readFittedPapers().filter(({ author }) => author === "papers-a");
  const msPerPage: number[] = [];
  let [ms, pages] = [0, 0];
  for await (const [{ params }, document] of withDocuments(papers)) {
    const before = process.cpuUsage();
    extractBuiltin({ document, params });
    const { user, system } = process.cpuUsage(before);
    const own = (user + system) / 1000;
    ms += own;
    pages += document.pages.length;
    msPerPage.push(own / document.pages.length);
  }
  return [
    { name: "extraction: processor time per page", ...withinLimit(ms / pages, "ms", maxMsPerPage) },
    {
      name: "extraction: processor time per page, p95 of papers",
      ...withinLimit(quantile(msPerPage, 0.95), "ms", maxMsPerPage),
    },
  ];
}
