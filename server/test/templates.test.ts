/** Templates: their data, and the endpoints over HTTP on both databases. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ExtractionParam, paramIssues, requestParamRules } from "@sheaf/contract/params.ts";
import { type TemplateJson, templateLanguages } from "@sheaf/contract/templates.ts";
import { allTemplates } from "../src/features/templates/templates.service.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { openTestService, type TestOrganization, type TestService } from "./helpers/service.ts";

/** Returns the fields of all nesting levels. */
const allOf = (params: readonly ExtractionParam[]): ExtractionParam[] =>
  params.flatMap((param) => [param, ...allOf(param.items ?? [])]);

describe("the data of the templates", () => {
  test("there are thirty templates, and extraction accepts the fields of each", () => {
    const templates = allTemplates("en");
    assert.equal(templates.length, 30);
    assert.equal(new Set(templates.map(({ name }) => name)).size, 30);
    for (const { name, params } of templates) {
      assert.match(name, /^[a-z]+(_[a-z]+)*$/);
      assert.deepEqual(paramIssues(params, requestParamRules), [], name);
      assert.ok(params.length >= 8, name);
      for (const { name: field } of allOf(params)) assert.match(field, /^[a-z]+(_[a-z]+)*$/, name);
    }
  });

  test("a template has the same fields in each language, with translated descriptions", () => {
    const english = allTemplates("en");
    const shape = ({ params }: TemplateJson) => allOf(params).map(({ name, format }) => [name, format]);
    for (const language of templateLanguages) {
      const templates = allTemplates(language);
      assert.deepEqual(templates.map(shape), english.map(shape));
      for (const { name, title, description, params } of templates)
        for (const text of [title, description, ...allOf(params).map((field) => field.description)])
          assert.ok(text.length > 1, `${language} ${name}`);
      if (language === "en") continue;
      const words = (all: TemplateJson[]) =>
        all.flatMap(({ params }) => allOf(params).map((field) => field.description));
      const same = words(templates).filter((text, index) => text === words(english)[index]);
      // A few texts are the same in two languages, such as "Description" in English and French.
      assert.ok(same.length < 12, `${language}: ${same.join(", ")}`);
    }
  });
});

describeOverDatabases("templates", (dialect) => {
  let service: TestService;
  let organization: TestOrganization;
  before(async () => {
    service = await openTestService(dialect);
    organization = await service.organization("Templates");
  });
  after(() => service[Symbol.asyncDispose]());

  const get = (path: string) => organization.administrator.send("GET", path);
  const namesOf = (body: { data: TemplateJson[] }) => body.data.map(({ name }) => name);

  test("the list has every template by name, in the requested language, whole or in pages", async () => {
    const whole = await get("/v2/templates?lang=de");
    assert.equal(whole.status, 200);
    assert.deepEqual(Object.keys(whole.body), ["status", "data"]);
    assert.deepEqual(whole.body.data, allTemplates("de"));
    const names: string[] = [];
    for (let cursor = "", pages = 1; ; pages++) {
      const { status, body } = await get(`/v2/templates?limit=7${cursor}`);
      assert.equal(status, 200);
      names.push(...namesOf(body));
      if (body.metadata.next_cursor === null) {
        assert.equal(pages, 5);
        break;
      }
      cursor = `&cursor=${body.metadata.next_cursor}`;
    }
    assert.deepEqual(names, namesOf(whole.body));
    assert.deepEqual(names, names.toSorted());
  });

  test("a template is returned by its name, and extraction accepts its fields", async () => {
    const { status, body } = await get("/v2/templates/payslip?lang=fr");
    assert.deepEqual([status, body.data.title, body.data.language], [200, "Bulletin de paie", "fr"]);
    assert.deepEqual((await get("/v2/templates/payslip")).body.data.language, "en");
    const { status: missing, body: error } = await get("/v2/templates/unknown");
    assert.deepEqual([missing, error.code], [404, "not_found"]);
  });

  test("an unknown language, limit or cursor is refused", async () => {
    for (const query of ["lang=xx", "lang=", "lang=de&lang=fr", "limit=0", "cursor=x"]) {
      const { status, body } = await get(`/v2/templates?${query}`);
      assert.deepEqual([query, status, body.code], [query, 422, "invalid_request"]);
    }
    assert.equal((await get("/v2/templates/invoice?lang=xx")).status, 422);
  });
});
