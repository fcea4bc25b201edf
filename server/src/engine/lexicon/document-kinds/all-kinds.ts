/** All known document kinds, with names in the languages of the lexicon. */

import type { DocumentKind } from "./document-kind.ts";
import { finance } from "./finance.ts";
import { law } from "./law.ts";
import { trade } from "./trade.ts";
import { writing } from "./writing.ts";

export type { DocumentKind } from "./document-kind.ts";

export const kinds: readonly DocumentKind[] = [...trade, ...finance, ...law, ...writing];
