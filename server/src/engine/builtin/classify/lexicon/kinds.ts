/** The kinds of documents that are known, in the languages of the lexicon. */
import { finance } from "./finance.ts";
import type { Kind } from "./kind.ts";
import { law } from "./law.ts";
import { trade } from "./trade.ts";
import { writing } from "./writing.ts";

export type { Kind } from "./kind.ts";

export const kinds: readonly Kind[] = [...trade, ...finance, ...law, ...writing];
