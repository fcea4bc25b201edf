/** Types of extracted data, derived from the types of the params. */
import type { ExtractedRecord, ExtractionParam } from "./generated/types.ts";

/**
 * One object of a result. If TypeScript knows the names of the params, they are the keys of this
 * type, and the formats determine the types of the values. Otherwise the type is any record.
 * @example
 * DataOf<[{ name: "total"; format: "number"; description: string }]> // { total: number | null }
 */
export type DataOf<Params extends readonly ExtractionParam[]> = string extends Params[number]["name"]
  ? ExtractedRecord
  : { [Param in Params[number] as Param["name"]]: ValueOf<Param> };

type ValueOf<Param extends ExtractionParam> = Param["format"] extends "list"
  ? DataOf<Param["items"] extends readonly ExtractionParam[] ? Param["items"] : readonly ExtractionParam[]>[]
  : Param["format"] extends "number"
    ? number | null
    : Param["format"] extends "boolean"
      ? boolean | null
      : Param["format"] extends "text" | "date"
        ? string | null
        : ExtractedRecord[string];
