/** Column types that both databases have. */
import type { ColumnType } from "kysely";

/** ISO 8601, UTC. */
export type Time = string;
/** SQLite returns 0 or 1, PostgreSQL a boolean: read it with `Boolean(…)`. */
export type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;
export type Json = string;
