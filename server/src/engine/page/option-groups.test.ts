import assert from "node:assert/strict";
import test from "node:test";
import type { ExtractionParam } from "@sheaf/contract/params.ts";
import type { FormField } from "../../reading/document.ts";
import { extractBuiltin } from "../extract/extract-fields.ts";
import { documentOf, type PlacedText, pageOf } from "../testing/document-builder.ts";
import { optionGroupsOf } from "./option-groups.ts";
import { textRunsOf } from "./text-runs.ts";

const formOf = (texts: readonly PlacedText[], fields?: FormField[]) => ({
  mime: "application/pdf",
  metadata: {},
  pages: [{ ...pageOf(texts), ...(fields && { fields }) }],
});

/** Returns, for each group, its question, its checked options and its other options. */
const groupsOf = (document: ReturnType<typeof formOf>) =>
  textRunsOf(document).pages.flatMap((page) =>
    optionGroupsOf(page).map(({ question, options }) => [
      question,
      options.map(({ mark, text }) => (mark.checked ? `+${text}` : text)).join("/"),
    ]),
  );

test("options on a line, in a column and in two columns belong to their question", () => {
  const document = formOf([
    { text: "Payment ☐ cash ☒ card", x: 40, y: 40 },
    { text: "Status", x: 40, y: 80 },
    { text: "☐ single", x: 50, y: 96 },
    { text: "☒ married", x: 50, y: 112 },
    { text: "Vehicle", x: 40, y: 150 },
    { text: "☐ car", x: 50, y: 166 },
    { text: "☐ lorry", x: 250, y: 166 },
    { text: "☒ trailer", x: 50, y: 182 },
  ]);
  assert.deepEqual(groupsOf(document), [
    ["Payment", "cash/+card"],
    ["Status", "single/+married"],
    ["Vehicle", "car/lorry/+trailer"],
  ]);
});

test("boxes after their texts and boxes in the columns of a table are read", () => {
  const document = formOf([
    { text: "Smoker? yes ☐ no ☒", x: 40, y: 40 },
    { text: "Yes", x: 300, y: 80 },
    { text: "No", x: 360, y: 80 },
    { text: "Insured elsewhere", x: 40, y: 100 },
    { text: "☒", x: 303, y: 100 },
    { text: "☐", x: 363, y: 100 },
  ]);
  assert.deepEqual(groupsOf(document), [
    ["Smoker?", "yes/+no"],
    ["Insured elsewhere", "+Yes/No"],
  ]);
});

test("two questions on one line are separate groups", () => {
  const document = formOf([
    { text: "Owner", x: 40, y: 40 },
    { text: "Police", x: 300, y: 40 },
    { text: "☐ yes ☒ no", x: 40, y: 56 },
    { text: "☒ yes ☐ no", x: 300, y: 56 },
  ]);
  assert.deepEqual(
    groupsOf(document).map(([, options]) => options),
    ["yes/+no", "+yes/no"],
  );
});

test("squares that are bullets are not read as boxes", () => {
  assert.deepEqual(groupsOf(formOf([{ text: "■ Bring a rope", x: 40, y: 40 }])), []);
});

const param = (name: string, format: ExtractionParam["format"], description = ""): ExtractionParam => ({
  name,
  format,
  description,
});

test("the state of the boxes determines the value of a field", () => {
  const document = documentOf([
    ["☐ I would like to receive the newsletter"],
    ["☒ I accept the terms"],
    [],
    [],
    ["Do you smoke? ☐ yes ☒ no"],
    ["Are you insured elsewhere? ☐ yes ☐ no"],
    [],
    [],
    ["Marital status ☐ single ☒ married"],
    ["Payment method ☐ cash ☐ card"],
  ]);
  const params = [
    param("newsletter", "boolean", "Whether the newsletter is wanted"),
    param("terms_accepted", "boolean"),
    param("smoker", "boolean", "Whether the person smokes"),
    param("insured_elsewhere", "boolean"),
    param("marital_status", "text"),
    param("status_code", "text", "Marital status, one of: SINGLE, MARRIED"),
    param("payment_method", "text"),
  ];
  const { data, evidence } = extractBuiltin({ document, params });
  assert.deepEqual(data, {
    newsletter: false,
    terms_accepted: true,
    smoker: false,
    insured_elsewhere: null,
    marital_status: "married",
    status_code: "MARRIED",
    payment_method: null,
  });
  assert.equal((evidence.marital_status as { quote: string }).quote, "☒ married");
  assert.equal((evidence.newsletter as { quote: string }).quote, "☐ I would like to receive the newsletter");
});

test("the value of a menu is the option that it shows", () => {
  const menu: FormField = { type: "choice", box: [120, 36, 260, 54], value: "large", options: ["small", "large"] };
  const empty: FormField = { type: "choice", box: [120, 66, 260, 84], options: ["red", "blue"] };
  const document = formOf(
    [
      { text: "Size of the crate:", x: 20, y: 40 },
      { text: "large", x: 130, y: 40 },
      { text: "Colour:", x: 20, y: 70 },
    ],
    [menu, empty],
  );
  const { data } = extractBuiltin({
    document,
    params: [param("crate_size", "text", "Size of the crate"), param("colour", "text"), param("small", "boolean")],
  });
  assert.deepEqual(data, { crate_size: "large", colour: null, small: false });
});
