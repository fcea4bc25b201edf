/**
 * Describes the 18 long lists that are generated for measurement. They have about 8,000 rows in
 * all.
 */
import type { ListPlan } from "./make-list.ts";

const plain = {
  output: "pdf",
  rules: "none",
  perPage: 0,
  laterHeads: true,
  carried: false,
  groups: false,
  wrapped: 0,
  twoLines: 0,
} as const;

const plans: Omit<ListPlan, "seed">[] = [
  { ...plain, name: "statement-en", language: "en", kind: "statement", rows: 600, perPage: 36, carried: true },
  {
    ...plain,
    name: "statement-de",
    language: "de",
    kind: "statement",
    rows: 420,
    perPage: 24,
    carried: true,
    wrapped: 0.3,
    rules: "rows",
  },
  { ...plain, name: "statement-fr", language: "fr", kind: "statement", rows: 260, perPage: 20, twoLines: 0.5 },
  {
    ...plain,
    name: "statement-nl",
    language: "nl",
    kind: "statement",
    rows: 180,
    perPage: 34,
    laterHeads: false,
    carried: true,
  },
  { ...plain, name: "invoice-en", language: "en", kind: "invoice", rows: 2200, perPage: 40, rules: "grid" },
  {
    ...plain,
    name: "invoice-de",
    language: "de",
    kind: "invoice",
    rows: 480,
    perPage: 24,
    carried: true,
    wrapped: 0.4,
  },
  {
    ...plain,
    name: "invoice-fr",
    language: "fr",
    kind: "invoice",
    rows: 300,
    groups: true,
    rules: "rows",
    wrapped: 0.2,
  },
  {
    ...plain,
    name: "invoice-es",
    language: "es",
    kind: "invoice",
    rows: 240,
    perPage: 22,
    groups: true,
    wrapped: 0.3,
    twoLines: 0.2,
  },
  {
    ...plain,
    name: "invoice-it",
    language: "it",
    kind: "invoice",
    rows: 90,
    perPage: 26,
    laterHeads: false,
    carried: true,
  },
  { ...plain, name: "calls-en", language: "en", kind: "calls", rows: 520, perPage: 44, laterHeads: false },
  { ...plain, name: "calls-es", language: "es", kind: "calls", rows: 360, rules: "rows" },
  { ...plain, name: "stock-de", language: "de", kind: "stock", rows: 640, rules: "grid", wrapped: 0.2 },
  { ...plain, name: "stock-it", language: "it", kind: "stock", rows: 210, perPage: 24, groups: true, wrapped: 0.3 },
  { ...plain, name: "prices-nl", language: "nl", kind: "prices", rows: 450, perPage: 36, groups: true },
  { ...plain, name: "prices-fr", language: "fr", kind: "prices", rows: 130, wrapped: 0.3, rules: "rows" },
  { ...plain, name: "hours-it", language: "it", kind: "hours", rows: 30, wrapped: 0.3 },
  { ...plain, name: "stock-es-sheet", language: "es", kind: "stock", rows: 700, output: "xlsx" },
  {
    ...plain,
    name: "hours-de-text",
    language: "de",
    kind: "hours",
    rows: 240,
    output: "docx",
    rules: "grid",
    wrapped: 0.2,
  },
];

export const longListPlans = (seed: number): ListPlan[] =>
  plans.map((plan, at) => ({ ...plan, name: `${plan.name}-${seed}`, seed: seed * 1000 + at }));
