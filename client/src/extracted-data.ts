/** The type of extracted data, made from the type of the params. */
import type { ExtractedRecord, ExtractionParam } from "./generated/types.ts";

/**
 * One object of a result. With params whose names TypeScript knows, its keys and their types; else any record.
 * @example DataOf<[{ name: "total"; format: "number"; description: string }]> // { total: number | null }
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
