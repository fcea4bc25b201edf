import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { endpoints } from "./endpoints.ts";
import { eventNames } from "./events.ts";
import { openApi } from "./openapi.ts";

const document = openApi(Object.values(endpoints), { title: "Sheaf", version: "1.2.3", events: eventNames });

test("the document of all endpoints and events is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(result.valid, true);
});
