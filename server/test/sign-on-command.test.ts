/** `sheaf organization sign-on off` as an operator runs it, beside a running service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOverDatabases } from "./helpers/databases.ts";
import { join } from "./helpers/people.ts";
import { run } from "./helpers/process.ts";
import { signOnOver, verified } from "./helpers/sign-on.ts";

describeOverDatabases("the command that turns sign-on off", (dialect) => {
  const at = signOnOver(dialect);
  const { house, signOn, passwordSignIn, browse, start } = at;

  const signOnCommand = (organization: string, state: string) => {
    const { dataDir, database } = at.service.config;
    const url = database.dialect === "postgres" ? database.url : undefined;
    return run(["organization", "sign-on", organization, state], { SHEAF_DATA_DIR: dataDir, DATABASE_URL: url });
  };

  test("members sign in with passwords again, and sessions opened by the provider end", async () => {
    const here = await house();
    const email = `bob@${here.domain}`;
    await join(at.service, here.organization, "member", { email });
    assert.equal((await here.configure({ enforced: true })).status, 200);
    assert.equal((await passwordSignIn(email)).body.code, "sign_on_required");
    const grace = browse(await signOn(here, verified(`grace@${here.domain}`)));
    assert.equal((await grace.send("GET", "/v2/agents")).status, 200);

    const { code, stdout, stderr } = await signOnCommand(here.organization.id, "off");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^The sign-on of house-\S+ is off\.\n$/);
    assert.equal((await passwordSignIn(email)).status, 200);
    assert.equal((await grace.send("GET", "/v2/agents")).status, 401);
    assert.equal((await start(email)).body.data.url, null);
    assert.equal((await here.ada.send("GET", "/v2/organization/sign-on")).body.data.provider, null);
    const log = (await here.ada.send("GET", "/v2/organization/audit?action=sign_on.removed")).body.data;
    assert.deepEqual(
      log.map(({ actor }: { actor: { operator: string } }) => actor.operator),
      ["cli"],
    );
  });

  test("any state but off, an unknown organization and one without sign-on are errors that change nothing", async () => {
    const here = await house();
    const fails = async (organization: string, state: string, message: string) => {
      const { code, stdout, stderr } = await signOnCommand(organization, state);
      assert.deepEqual([code, stdout, stderr], [1, "", `sheaf: ${message}\n`]);
    };
    await fails(here.organization.id, "on", "The state must be off: only administrators can configure sign-on.");
    await fails("nobody", "off", "No such organization.");
    assert.notEqual((await here.ada.send("GET", "/v2/organization/sign-on")).body.data.provider, null);
    const without = await at.service.organization("Without sign-on");
    await fails(without.id, "off", "The organization has no sign-on.");
  });
});
