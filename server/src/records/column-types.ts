/** Column types that work with both SQLite and PostgreSQL. */
import type { ColumnType } from "kysely";

/** A time as text, in ISO 8601 format and UTC. */
export type Time = string;
/** SQLite returns 0 or 1, PostgreSQL a boolean: read it with `Boolean(…)`. */
export type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;
export type Json = string;
