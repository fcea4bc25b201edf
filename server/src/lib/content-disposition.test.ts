/** Tests the names of downloads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { attachment } from "./content-disposition.ts";

test("the header contains the name twice: simplified to ASCII, and unchanged", () => {
  assert.equal(attachment("invoice.pdf"), `attachment; filename="invoice.pdf"; filename*=UTF-8''invoice.pdf`);
  assert.equal(
    attachment("Übersicht 5€.pdf"),
    `attachment; filename="Ubersicht 5_.pdf"; filename*=UTF-8''%C3%9Cbersicht%205%E2%82%AC.pdf`,
  );
});

test("no name can end the quoted string or the header", () => {
  for (const name of ['a".pdf', "a\\", "a\r\nset-cookie: b=c", "a;b'(c)*.pdf", "%22.pdf", "\u2028🧾", "\ud800"]) {
    const value = attachment(name);
    assert.match(value, /^attachment; filename="[^"\\%\r\n]*"; filename\*=UTF-8''[A-Za-z0-9%!~._-]*$/, name);
  }
  const [, exact = ""] = attachment("a;b'(c)*.pdf").split("UTF-8''");
  assert.equal(decodeURIComponent(exact), "a;b'(c)*.pdf");
});
