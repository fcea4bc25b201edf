import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SSF } from "@e965/xlsx";
import fc from "fast-check";
import { builtInCode, numberFormatOf } from "./number-format.ts";
import { serialOf } from "./serial-date.ts";

const shown = (code: string, value: number | string, is1904 = false): string => {
  const format = numberFormatOf(code);
  return typeof value === "string" ? format.text(value) : format.number(value, is1904);
};

type Case = readonly [code: string, value: number | string, expected: string];

/** Expected values as in ECMA-376 part 1, 18.8.30 and 18.8.31. */
const groups: Readonly<Record<string, readonly Case[]>> = {
  "without a format": [
    ["General", 0, "0"],
    ["General", 1234.5, "1234.5"],
    ["General", -0.1, "-0.1"],
    ["General", 0.1 + 0.2, "0.3"],
    ["General", 1 / 3, "0.333333333"],
    ["General", 100000 / 3, "33333.33333"],
    ["General", 12345678901, "12345678901"],
    ["General", 123456789012, "1.23457E+11"],
    ["General", 0.00001, "0.00001"],
    ["General", 1.23456789e-7, "1.23457E-07"],
    ["General", 1e100, "1E+100"],
    ["General", "text", "text"],
  ],
  digits: [
    ["0", 1234.5, "1235"],
    ["0.00", 1.005, "1.01"],
    ["0.00", -1.5, "-1.50"],
    ["####.#", 1234.59, "1234.6"],
    ["#.000", 8.9, "8.900"],
    ["0.#", 0.631, "0.6"],
    ["#.0#", 12, "12.0"],
    ["#.0#", 1234.568, "1234.57"],
    ["#", 0, ""],
    ["00000", 42, "00042"],
    ["0.??", 1.5, "1.5 "],
    ["#.", 1, "1."],
    [".00", 12.5, "12.50"],
    ["000-00", -1, "-000-01"],
    ["0", -0.4, "0"],
    ["0.00", 1e15, "1000000000000000.00"],
  ],
  "thousands and percent": [
    ["#,###", 12000, "12,000"],
    ["#,", 12000, "12"],
    ["0.0,,", 12200000, "12.2"],
    ["#,##0.00", 1234567.891, "1,234,567.89"],
    ["0%", 0.256, "26%"],
    ["0.00%", -0.5, "-50.00%"],
    ["000,000", 1234, "001,234"],
  ],
  sections: [
    ["0;(0)", -5, "(5)"],
    ['0;-0;"zero"', 0, "zero"],
    [";;;", 5, ""],
    [";;;", "text", ""],
    ['0;0;0;"<"@">"', "a", "<a>"],
    ["[Red]0;[Blue]-0", -3, "-3"],
    ["[<=100]0.0;[>100]0", 100, "100.0"],
    ["[<=100]0.0;[>100]0", 101, "101"],
    ["0.00_);(0.00)", 1, "1.00 "],
    ['0.00 "surplus";-0.00 "shortage"', -125.74, "-125.74 shortage"],
    ["@", 5.5, "5.5"],
    ['_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 0, " -   "],
  ],
  "literal text": [
    ['"Total: "0', 7, "Total: 7"],
    ["(000) 000-0000", 5551234567, "(555) 123-4567"],
    ["0\\k", 3, "3k"],
    ["[$€-407] 0.00", 2, "€ 2.00"],
    ["$0.00", 2.5, "$2.50"],
    ["[$CHF-807] #,##0", 1000, "CHF 1,000"],
    ['0.00 "€"', 3, "3.00 €"],
  ],
  scientific: [
    ["0.00E+00", 12345, "1.23E+04"],
    ["0.00E-00", 12345, "1.23E04"],
    ["##0.0E+0", 12345, "12.3E+3"],
    ["0.0E+0", 0.00095, "9.5E-4"],
    ["0E+0", 0.99, "1E+0"],
    ["0.00E+00", 0, "0.00E+00"],
  ],
  fractions: [
    ["# ?/?", 5.25, "5 1/4"],
    ["# ??/??", 5.14159, "5 1/7"],
    ["?/?", 0.5, "1/2"],
    ["# ?/8", 2.5, "2 4/8"],
    ["# ?/?", 3, "3 "],
    ["# ?/?", 0.5, " 1/2"],
    ["0/0", 1.5, "3/2"],
  ],
  dates: [
    ["yyyy-mm-dd", 45000, "2023-03-15"],
    ["d-mmm-yy", 45000.5, "15-Mar-23"],
    ["m/d/yyyy", 1, "1/1/1900"],
    ["d/m/yy", 60, "29/2/00"],
    ["dddd d mmmm yyyy", 61, "Thursday 1 March 1900"],
    ["mmmmm", 45000, "M"],
    ["ddd", 45000, "Wed"],
    ["yyyy", 2958465, "9999"],
    ["[$-407]d. mmmm yyyy", 45000, "15. März 2023"],
    ["[$-F800]dddd, mmmm dd, yyyy", 45000, "2023-03-15"],
    ["yyyy", -1, "-1"],
  ],
  times: [
    ["h:mm AM/PM", 0.75, "6:00 PM"],
    ["hh:mm:ss", 0.5, "12:00:00"],
    ["mm:ss", 0.0125, "18:00"],
    ["[h]:mm", 1.5, "36:00"],
    ["[mm]:ss", 0.05, "72:00"],
    ["[ss]", 0.001, "86"],
    ["ss.00", 0.0001, "08.64"],
    ["h:mm", 0.99999999, "0:00"],
    ["h A/P", 0.25, "6 A"],
    ["yyyy-mm-dd hh:mm", 45000.75, "2023-03-15 18:00"],
    ["[$-F400]h:mm:ss AM/PM", 0.75, "18:00:00"],
  ],
};

for (const [name, cases] of Object.entries(groups)) {
  describe(name, () => {
    for (const [code, value, expected] of cases) {
      it(`${code} shows ${value} as ${JSON.stringify(expected)}`, () => assert.equal(shown(code, value), expected));
    }
  });
}

it("counts from 1904 if the file states so", () => {
  assert.equal(shown("yyyy-mm-dd", 0, true), "1904-01-01");
  assert.equal(shown("yyyy-mm-dd", 43538, true), "2023-03-15");
});

it("reads dates in the notation of the strict file format", () => {
  assert.equal(serialOf("2023-03-15", false), 45000);
  assert.equal(serialOf("2023-03-15T12:00:00", false), 45000.5);
  assert.equal(serialOf("2023-03-15T12:00:00Z", true), 43538.5);
  assert.equal(serialOf("soon", false), undefined);
});

describe("compared with SheetJS", () => {
  const same = (code: string, value: number) => {
    const plain = (text: string) => text.replace(/\s+/gu, " ").trim();
    assert.equal(plain(shown(code, value)), plain(SSF.format(code, value)), `${code} ${value}`);
  };
  // The numbers have few digits, because SheetJS rounds the binary value instead of the decimal
  // one.
  const numbers = fc
    .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.constantFrom(1, 4, 100))
    .map(([a, b]) => a / b);
  const codes = [1, 3, 5, 7, 9, 37, 38, 41, 42].map(builtInCode);

  it("shows whole numbers alike", () => {
    const wholes = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(fc.property(fc.constantFrom(...codes, "000000", '0 "x"'), wholes, same));
  });

  it("shows decimal numbers alike", () => {
    const decimals = ["0.00", "#,##0.00", "0.00%", "#,##0.00;(#,##0.00)", "0.###", "General", '"a"0.00'];
    fc.assert(fc.property(fc.constantFrom(...decimals), numbers, same));
  });

  it("shows dates and times alike", () => {
    const dates = ["yyyy-mm-dd", "d-mmm-yy", "dd/mm/yyyy hh:mm:ss", "h:mm AM/PM", "[h]:mm:ss", "mm:ss", "dddd mmmm"];
    const minutes = fc.integer({ min: 0, max: 2_958_464 * 1440 }).map((minute) => minute / 1440);
    fc.assert(fc.property(fc.constantFrom(...dates), minutes, same));
  });
});

it("never throws, whatever the code and the number", () => {
  const letters = fc.string({ unit: fc.constantFrom(...'0#?.,%E+-/@;[]"\\_*ymdhsAMPG$<=> 1x') });
  fc.assert(
    fc.property(letters, fc.oneof(fc.double(), fc.integer()), (code, value) => {
      assert.equal(typeof shown(code, value), "string");
      assert.equal(typeof shown(code, "text"), "string");
    }),
    { numRuns: 3000 },
  );
});
