/**
 * Expressions that are slow for long text, but get only short text. Each was reviewed. `bound` says
 * why the text is short.
 */
export interface BoundedExpression {
  file: string;
  source: string;
  bound: string;
}

export const bounded: readonly BoundedExpression[] = [
  {
    file: "server/src/engine/extract/lists/list-heads.ts",
    source: String.raw`\([^)]*\)`,
    bound: "`cellScore` leaves out cells of more than 140 characters",
  },
  {
    file: "server/src/engine/extract/candidates/names.ts",
    source: String.raw`(?: (?:de|du|des|la|le|et|&|von|der))+\s*$`,
    bound: "its text is a match of at most seven words",
  },
  {
    file: "server/src/engine/extract/candidates/names.ts",
    source: String.raw`(?:(?:[\p{Lu}\d][\p{L}\d.,'&+/-]*|\([\p{L}\d .&-]{1,24}\)|&|-|und|and|et|of|de|du|der|the)\s+){1,7}$`,
    bound: "its text is a part of the first 300 characters of a line",
  },
];
