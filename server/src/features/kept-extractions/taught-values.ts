/** Converts corrections and reviews into the values that the engine learns. */
import type {
  EvidenceRecordJson,
  EvidenceValueJson,
  ExtractedRecordJson,
  ExtractedValueJson,
} from "@sheaf/contract/extraction-result.ts";
import type { CorrectionJson } from "@sheaf/contract/kept-extractions.ts";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { TaughtPaper, TaughtPlace, TaughtPlaces, TaughtRow } from "../../engine/memory.ts";

export interface ReviewedPaper {
  params: readonly ExtractionParam[];
  data: readonly ExtractedRecordJson[];
  corrected: readonly ExtractedRecordJson[];
  evidence: readonly EvidenceRecordJson[];
  corrections: readonly CorrectionJson[];
}

/**
 * @param only names of the fields to teach; if undefined, all fields, because a review confirms all
 * of them
 */
export function taughtValues(
  { params, data: [data], corrected: [corrected], evidence: [evidence], corrections }: ReviewedPaper,
  only?: ReadonlySet<string>,
): TaughtPaper {
  const values: TaughtPaper["values"] = {};
  const places: TaughtPlaces = {};
  const drawn = boxesByPath(corrections);
  for (const { name, format } of params) {
    if (only && !only.has(name)) continue;
    const value = corrected?.[name] ?? null;
    const found = evidence?.[name] ?? null;
    const path = `/0/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (format === "list") {
      values[name] = rowsOf(value) as TaughtRow[];
      places[name] = placesOfRows(rowsOf(value), rowsOf(data?.[name] ?? null), found);
    } else if (!Array.isArray(value)) {
      values[name] = value;
      places[name] = drawn.get(path) ?? (value === (data?.[name] ?? null) ? placeOfEvidence(found) : null);
    }
  }
  return { values, places };
}

/** Returns the names of the fields that the corrections change or confirm. */
export const correctedFields = (corrections: readonly CorrectionJson[]): Set<string> =>
  new Set(corrections.map(({ path }) => (path.split("/")[2] ?? "").replaceAll("~1", "/").replaceAll("~0", "~")));

const rowsOf = (value: ExtractedValueJson): ExtractedRecordJson[] => (Array.isArray(value) ? value : []);

function boxesByPath(corrections: readonly CorrectionJson[]): Map<string, TaughtPlace> {
  return new Map(
    corrections.flatMap(({ path, page, boxes }) =>
      page !== undefined && boxes !== undefined && boxes.length > 0 ? [[path, { page, boxes }] as const] : [],
    ),
  );
}

const placeOfEvidence = (found: EvidenceValueJson): TaughtPlace | null =>
  found === null || Array.isArray(found) ? null : { page: found.page, boxes: found.boxes };

/**
 * Returns, for each row, the places of the cells that nobody changed. If the number of rows has
 * changed, returns no places, because rows may have moved.
 */
function placesOfRows(
  rows: readonly ExtractedRecordJson[],
  before: readonly ExtractedRecordJson[],
  found: EvidenceValueJson,
): TaughtPlaces[] {
  if (!Array.isArray(found) || rows.length !== before.length) return rows.map(() => ({}));
  return rows.map((row, at) => {
    const places: TaughtPlaces = {};
    for (const [name, value] of Object.entries(row))
      if (value === before[at]?.[name]) places[name] = placeOfEvidence(found[at]?.[name] ?? null);
    return places;
  });
}
