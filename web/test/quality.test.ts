/**
 * The quality of an extractor: measured on reviewed documents, with versions compared and restored.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, test } from "node:test";
import { call, createAgent } from "./api.ts";
import { openSignedIn } from "./set-up.ts";

const file = readFileSync(resolve(import.meta.dirname, "../../examples/invoice.pdf")).toString("base64");
/** Timeout in milliseconds, long because the machine may be running other tests. */
const reading = { timeout: 60_000 };

const number = { name: "number", format: "text", description: "Number of the invoice", items: [] };
const total = { name: "total", format: "number", description: "Total amount including tax", items: [] };
const lines = {
  name: "lines",
  format: "list",
  description: "The invoiced items",
  items: [{ name: "amount", format: "number", description: "Amount of the line", items: [] }],
};

describe("quality of an extractor", () => {
  const at = openSignedIn({ viewport: { width: 1440, height: 900 } });

  const review = async (reference: string, filename: string, corrections: object[]): Promise<void> => {
    const { metadata } = await call<{ metadata: { extraction_id: string } }>(
      at.page,
      "POST",
      `/v2/extractor/${reference}`,
      { filename, file },
    );
    const path = `/v2/extractions/${metadata.extraction_id}`;
    await call(at.page, "PUT", `${path}/corrections`, { corrections, version: 1 });
    await call(at.page, "PATCH", path, { status: "reviewed" });
  };
  const set = (reference: string, params: object[]) =>
    call(at.page, "PATCH", `/v2/agents/${reference}`, { configuration: { params } });

  /** Checks that the screen fits and is accessible at two widths, in light and dark. */
  const checkLooks = async (what: string): Promise<void> => {
    const { page, visit } = at;
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [360, 1440]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(excess <= 0, `${what} scrolls sideways by ${excess} px at ${width} px`);
        await visit.checkAccessibility(`${what} at ${width} px, ${colorScheme}`);
      }
    await page.emulateMedia({ colorScheme: "light" });
  };

  test("the quality is measured on the reviewed documents, and versions are compared and restored", async () => {
    const { page, visit } = at;
    const agent = { name: "Measured invoices", type: "EXTRACTOR", configuration: { params: [number, lines] } };
    const reference = await createAgent(page, agent);
    await page.goto(`/extractors/${reference}/quality`);
    await page.getByRole("heading", { name: "No reviewed documents yet" }).waitFor();
    await page.getByRole("row", { name: /Version 1 Current/ }).waitFor();
    await checkLooks("the quality of an extractor without reviewed documents");

    await set(reference, [{ ...number, rules: { required: true } }, total, lines]);
    // In `wrong.pdf`, the extracted total counts as wrong, and the correct total counts as missing.
    await review(reference, "right.pdf", []);
    await page.getByText("1 document was reviewed.").waitFor();
    await review(reference, "wrong.pdf", [{ path: "/0/total", value: 7 }]);
    await page.getByText("2 documents were reviewed.").waitFor();
    await page.reload();
    await page.getByText("Not measured in this browser yet.").waitFor();
    await page.getByRole("button", { name: "Measure", exact: true }).focus();
    await page.keyboard.press("Enter");
    const scores = page.getByRole("table", { name: "Scores by field" });
    await scores.getByRole("row", { name: "total 50% 1 1 1" }).waitFor(reading);
    await scores.getByRole("row", { name: "number 100% 2 0 0" }).waitFor();
    await page.getByText(/^Measured on .+ with 2 documents\./).waitFor();
    const coverage = page.getByRole("table", { name: "Confidence needed" });
    await coverage.getByRole("row", { name: /^total 1 of 2 Needs 52 values Needs 133 values/ }).waitFor();
    await checkLooks("the quality of an extractor");

    await set(reference, [total, { ...lines, description: "All invoiced items" }]);
    await page.reload();
    await page.getByText("The fields or settings have changed since then: that was version 2.").waitFor();
    await page.getByRole("button", { name: "Compare version 2 with the current one" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Changes since version 2" });
    const changes = dialog.getByRole("list", { name: "Changes" }).getByRole("listitem");
    await changes.filter({ hasText: "lines" }).getByText("All invoiced items").waitFor();
    assert.deepEqual(
      (await changes.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 2)),
      [
        ["Changed", "lines"],
        ["Removed", "number"],
      ],
    );
    await checkLooks("the comparison of versions");
    await dialog.getByRole("button", { name: "Restore version 2…" }).press("Enter");
    const confirmation = page.getByRole("dialog", { name: "Restore version 2?" });
    await visit.checkAccessibility("the restore of a version");
    await confirmation.getByRole("button", { name: "Restore" }).press("Enter");
    await page.getByText("Version 2 was restored.").waitFor();
    await page.getByRole("row", { name: /Version 4 Current.*Restored from version 2.*You/ }).waitFor();

    await page.getByRole("button", { name: "Actions for version 2" }).press("Enter");
    await page.keyboard.press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("before the new supplier");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Version 2 before the new supplier/ }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByText("Version 2 was restored.").waitFor({ state: "detached" });
    await visit.picture("quality");
    await page.getByRole("link", { name: "Fields", exact: true }).click();
    await page.getByText("4 fields").waitFor();
  });

  test("failures, refusals and long evaluations are explained", async () => {
    const { page, visit } = at;
    const agent = { name: "Failing invoices", type: "EXTRACTOR", configuration: { params: [total] } };
    const reference = await createAgent(page, agent);
    await review(reference, "right.pdf", []);
    const evaluation = `**/v2/extractor/${reference}/evaluate`;
    const refuse = (status: number, code: string) =>
      page.route(evaluation, (route) => route.fulfill({ status, json: { status: "error", code, error: code } }));
    await page.goto(`/extractors/${reference}/quality`);
    for (const [status, code, text] of [
      [403, "forbidden", "Your role does not allow this. Ask an administrator."],
      [504, "agent_timeout", "This took too long and was stopped. Measure fewer documents."],
    ] as const) {
      await refuse(status, code);
      await page.getByRole("button", { name: "Measure", exact: true }).click();
      await page.getByText(text).waitFor(reading);
      await page.unroute(evaluation);
    }
    await visit.checkAccessibility("a failed evaluation");

    await page.route(evaluation, () => {});
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    await page.getByText("Extracting 1 document again…").waitFor();
    await visit.checkAccessibility("a running evaluation");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Extracting 1 document again…").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("alert").count(), 0);
    await page.unroute(evaluation);

    const level = (precision: number, confidence: number | null) => ({
      precision,
      minimum_values: 52,
      confidence,
      values: confidence === null ? 0 : 140,
      right: confidence === null ? 0 : 139,
      lower_bound: confidence === null ? null : 0.96,
      coverage: confidence === null ? 0 : 0.88,
    });
    const field = { path: "/lines/amount", values: 160, right: 155 };
    const levels = [level(0.95, 0.874), level(0.98, 0.9), level(0.99, null)];
    const json = { status: "success", data: { documents: 160, fields: [{ ...field, levels }] } };
    await page.route(`**/v2/extractor/${reference}/coverage`, (route) => route.fulfill({ json }));
    await page.reload();
    await page
      .getByRole("row", {
        name: "lines / amount 155 of 160 at least 87.4% 88% of the values at least 90% 88% of the values Too many are wrong",
      })
      .waitFor();
    await page.unroute(`**/v2/extractor/${reference}/coverage`);

    await page.route(`**/v2/agents/${reference}/versions`, (route) => route.abort());
    await page.reload();
    await page.getByText("The service cannot be reached. Check the connection and try again.").waitFor(reading);
    await page.unroute(`**/v2/agents/${reference}/versions`);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("row", { name: /Version 1 Current/ }).waitFor();
  });
});
