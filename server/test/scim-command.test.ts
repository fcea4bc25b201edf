/** `sheaf organization scim-token` as an operator runs it, beside a running service. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newId } from "../src/lib/ids.ts";
import { describeOverDatabases } from "./helpers/databases.ts";
import { run } from "./helpers/process.ts";
import { scimSender } from "./helpers/scim.ts";
import { openTestService, type TestService } from "./helpers/service.ts";

describeOverDatabases("the command for SCIM tokens", (dialect) => {
  let service: TestService;
  before(async () => {
    service = await openTestService(dialect);
  });
  after(() => service[Symbol.asyncDispose]());

  const command = (...words: string[]) => {
    const { dataDir, database } = service.config;
    const url = database.dialect === "postgres" ? database.url : undefined;
    return run(["organization", "scim-token", ...words], { SHEAF_DATA_DIR: dataDir, DATABASE_URL: url });
  };

  test("creates, lists and revokes a token", async () => {
    const organization = await service.organization("Commands");
    const created = await command("create", organization.id, "Entra ID");
    assert.deepEqual([created.code, created.stderr], [0, ""]);
    const [, id = "", token = ""] = /^id {5}(\S+)\ntoken {2}(scim_\S+)\n$/.exec(created.stdout) ?? [];
    assert.equal((await command("list", organization.id)).stdout, `${id}  never used  Entra ID\n`);
    assert.equal((await scimSender(service, token)("GET", "/Users")).status, 200);
    assert.match((await command("list", organization.id)).stdout, /^\S+ {2}\d{4}-\S+Z {2}Entra ID\n$/);
    assert.equal((await command("revoke", organization.id, id)).stdout, `revoked ${id}\n`);
    assert.equal((await scimSender(service, token)("GET", "/Users")).status, 401);
    assert.equal((await command("list", organization.id)).stdout, "");
  });

  test("another action, a missing name and an unknown token are errors", async () => {
    const { id } = await service.organization("Errors");
    for (const [words, message] of [
      [["create", id], "The name or id of the token is missing."],
      [["create", id, " "], "The name is empty."],
      [["change", id, "x"], "The action must be create, revoke or list."],
      [["revoke", id, newId()], "No such SCIM token."],
      [["list", "nobody"], "No such organization."],
    ] as const) {
      const { code, stdout, stderr } = await command(...words);
      assert.deepEqual([code, stdout, stderr], [1, "", `sheaf: ${message}\n`]);
    }
  });
});
