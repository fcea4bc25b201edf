/**
 * Attack: simulates an attacker who runs code in a reading process because of a flaw in a native
 * library. The code attacks the service.
 */
import { test } from "node:test";
import { confinement } from "../src/reading/pool/confinement.ts";
import { attackNatively } from "../src/reading/testing/native-attack.ts";
import { reportAttack } from "./report.ts";

const skip =
  process.platform !== "linux" || process.arch !== "x64"
    ? "the attack is for Linux on x64"
    : !confinement().calls && process.env.REQUIRE_SERVICES === undefined && "no system call can be denied here";

test("native code reaches no process, file or socket of the service", { skip }, async (t) => {
  const { tried, succeeded, harm } = await attackNatively(true);
  if (succeeded.length > 0) t.diagnostic(`succeeded: ${succeeded.join(", ")}`);
  reportAttack(t, "system calls of native code", { tried: tried.length, succeeded: succeeded.length + harm.length });
});
