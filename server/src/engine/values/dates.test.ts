import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findDates, findDaysOfYear, orderVotes } from "./dates.ts";

const first = (text: string, order: "dmy" | "mdy" = "dmy"): string | undefined => findDates(text, order)[0]?.value;

const day = fc
  .date({ min: new Date("1971-01-01"), max: new Date("2069-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test("dates formatted by each language's calendar are read back", () => {
  const locale = fc.constantFrom("en-GB", "en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "nl-NL");
  const style = fc.constantFrom<Intl.DateTimeFormatOptions["dateStyle"]>("long", "medium", "short");
  fc.assert(
    fc.property(day, locale, style, (iso, language, dateStyle) => {
      const text = new Intl.DateTimeFormat(language, { dateStyle, timeZone: "UTC" }).format(new Date(iso));
      assert.equal(first(text, language === "en-US" ? "mdy" : "dmy"), iso, `${language}: ${text}`);
    }),
  );
});

test("numeric dates are read with any separator, in either order", () => {
  fc.assert(
    fc.property(day, fc.constantFrom("/", "-", "."), (iso, mark) => {
      const [year, month, date] = iso.split("-");
      assert.equal(first(`${date}${mark}${month}${mark}${year}`), iso);
      assert.equal(first(`${year}${mark}${month}${mark}${date}`), iso);
      if (mark !== ".") assert.equal(first(`${month}${mark}${date}${mark}${year}`, "mdy"), iso);
    }),
  );
});

test("notations found in real documents are read", () => {
  assert.equal(first("August 3 , 2014"), "2014-08-03");
  assert.equal(first("11. Juli 2014"), "2014-07-11");
  assert.equal(first("02 Juillet 2015"), "2015-07-02");
  assert.equal(first("1er mars 2020"), "2020-03-01");
  assert.equal(first("20-Oct-15"), "2015-10-20");
  assert.equal(first("20181230"), "2018-12-30");
  assert.equal(first("25 MAR 2018 9:27PM"), "2018-03-25");
  assert.equal(first("21. März 2019"), "2019-03-21");
  assert.equal(first("dated this 1st day of March 2025"), "2025-03-01");
  assert.deepEqual(
    findDates("02/07/20 - 02/23/20", "mdy").map((date) => date.value),
    ["2020-02-07", "2020-02-23"],
  );
  assert.deepEqual(
    findDates("05/27/20-05/28/20", "mdy").map((date) => date.value),
    ["2020-05-27", "2020-05-28"],
  );
});

test("days without a year get the given one", () => {
  const daysIn = (text: string, order: "dmy" | "mdy" = "dmy"): string[] =>
    findDaysOfYear(text, 2025, order).map(({ value }) => value);
  assert.deepEqual(daysIn("devis du 31/05"), ["2025-05-31"]);
  assert.deepEqual(daysIn("paid 05/31", "mdy"), ["2025-05-31"]);
  assert.deepEqual(daysIn("am 21. März"), ["2025-03-21"]);
  assert.deepEqual(daysIn("30/02 and 1/10/2024 and 12/10.5"), []);
});

test("texts that only resemble dates are not read", () => {
  for (const text of [
    "31.02.2020",
    "1.2.3.4",
    "12.345,67",
    "201/113/40209",
    "NaN.70.2026",
    "99999999",
    "Version 2.3.3",
  ])
    assert.equal(first(text), undefined, text);
});

test("only unambiguous dates vote for an order", () => {
  assert.deepEqual(orderVotes("13/01/2020 02/03/2020"), { dmy: 1, mdy: 0 });
  assert.deepEqual(orderVotes("01/31/2020"), { dmy: 0, mdy: 1 });
});
