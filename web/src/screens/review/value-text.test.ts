import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDate, parseNumber, parseValue, shownValue, typedValue } from "./value-text.ts";

test("numbers are parsed in the notation of any language", () => {
  const cases: [string, string, number | undefined][] = [
    ["1234.5", "de", 1234.5],
    ["1.234,50 €", "en", 1234.5],
    ["£1,021.80", "de", 1021.8],
    ["1 234,5", "fr", 1234.5],
    ["1’234.50", "de", 1234.5],
    ["1.234.567", "en", 1234567],
    ["1,234", "en", 1234],
    ["1,234", "de", 1.234],
    ["1.234", "de", 1234],
    ["1.234", "en", 1.234],
    ["0.125", "de", 0.125],
    ["12,5 %", "en", 12.5],
    ["-3.5", "en", -3.5],
    ["(3.50)", "en", -3.5],
    ["42−", "en", -42],
    ["- € 7", "de", -7],
    ["none", "en", undefined],
    ["3 of 4", "en", undefined],
    ["1.2.3,4,5", "en", undefined],
  ];
  for (const [text, locale, value] of cases) assert.equal(parseNumber(text, locale), value, `${text} ${locale}`);
});

test("dates are parsed with numeric months and with names of months", () => {
  const cases: [string, string, string | undefined][] = [
    ["2026-10-12", "en", "2026-10-12"],
    ["12 October 2026", "de", "2026-10-12"],
    ["Oct 12, 2026", "fr", "2026-10-12"],
    ["12. März 2026", "en", "2026-03-12"],
    ["le 3 août 2026", "en", "2026-08-03"],
    ["3 de agosto de 2026", "de", "2026-08-03"],
    ["03/04/2026", "en", "2026-03-04"],
    ["03/04/2026", "fr", "2026-04-03"],
    ["25/04/2026", "en", "2026-04-25"],
    ["3.4.26", "en", "2026-04-03"],
    ["2026/4/3", "de", "2026-04-03"],
    ["31.02.2026", "de", undefined],
    ["soon", "en", undefined],
  ];
  for (const [text, locale, value] of cases) assert.equal(parseDate(text, locale), value, `${text} ${locale}`);
});

test("typed text is converted to the field's format, or a problem is returned", () => {
  assert.deepEqual(parseValue("  ", "number", "en"), { value: null });
  assert.deepEqual(parseValue("x", "number", "en"), { problem: "number" });
  assert.deepEqual(parseValue("x", "date", "en"), { problem: "date" });
  assert.deepEqual(parseValue("false", "boolean", "en"), { value: false });
  assert.deepEqual(parseValue(" F-1 ", "text", "en"), { value: "F-1" });
});

test("the text shown in an input is parsed to the same value", () => {
  for (const locale of ["en", "de", "fr", "es"])
    for (const value of [0, -1.5, 1234567.125, 0.001, 1234])
      assert.equal(parseNumber(typedValue(value, locale), locale), value, `${value} ${locale}`);
});

test("values are formatted for the language", () => {
  assert.equal(shownValue(1240.5, "number", "de"), "1.240,5");
  assert.equal(shownValue("2026-10-12", "date", "en"), "Oct 12, 2026");
  assert.equal(shownValue("not a date", "date", "en"), "not a date");
  assert.equal(shownValue(null, "text", "en"), undefined);
});
