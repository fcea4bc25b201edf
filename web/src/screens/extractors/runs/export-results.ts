/** Loads results with their corrections, and saves them as a file. */
import { queryClient } from "../../../app/queries.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { workbookOf } from "../../../ui/workbook.ts";
import { keptExtractionQuery } from "../kept-extractions.queries.ts";
import { csvOf } from "./csv.ts";
import { type ExportedResult, type TableTitles, tablesOf } from "./tables.ts";

export type ExportFormat =
  | { kind: "excel" }
  | { kind: "json" }
  /** Name of the list to export. If it is absent, the fields that are not lists are exported. */
  | { kind: "csv"; list?: string };

/** Maximum number of results loaded at once. */
const concurrency = 4;

/** @param onProgress called with the number of results loaded so far */
export async function loadResults(
  ids: readonly string[],
  onProgress: (loaded: number) => void,
): Promise<(ExportedResult & { id: string })[]> {
  const results: (ExportedResult & { id: string })[] = [];
  let next = 0;
  let loaded = 0;
  const work = async () => {
    while (next < ids.length) {
      const index = next++;
      const id = ids[index] ?? "";
      const { filename, created_at, params, corrected_data } = await queryClient.fetchQuery({
        ...keptExtractionQuery(id),
        // Loads the result again, because somebody may have corrected it meanwhile.
        staleTime: 0,
      });
      results[index] = { id, filename, createdAt: created_at, fields: params, data: corrected_data };
      onProgress(++loaded);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

export async function saveResults(
  name: string,
  results: readonly (ExportedResult & { id: string })[],
  format: ExportFormat,
  titles: TableTitles,
): Promise<void> {
  if (format.kind === "json") {
    const json = results.map(({ id, filename, createdAt, data }) => ({ id, filename, created_at: createdAt, data }));
    saveFile(new Blob([`${JSON.stringify(json, null, 2)}\n`], { type: "application/json" }), `${name}.json`);
    return;
  }
  const tables = tablesOf(results, titles);
  if (format.kind === "excel") {
    saveFile(await workbookOf(tables), `${name}.xlsx`);
    return;
  }
  const { list } = format;
  const table = list === undefined ? tables[0] : tables.slice(1).find((each) => each.name === list);
  const text = csvOf(table ?? { name: list ?? "", columns: [], rows: [] });
  saveFile(new Blob([text], { type: "text/csv" }), list === undefined ? `${name}.csv` : `${name} ${list}.csv`);
}
