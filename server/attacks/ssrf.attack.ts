/**
 * Attack: registers webhooks whose URLs point to addresses inside the network, in many notations.
 */
import { test } from "node:test";
import { openTestService } from "../test/helpers/service.ts";
import { reportAttack } from "./report.ts";

const hosts = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "017700000001",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "localhost",
  "localhost.",
  "metadata.google.internal",
  "printer.local",
  "db.internal",
];

test("webhook URLs that point inside the network are refused", async (t) => {
  await using service = await openTestService("sqlite");
  const { administrator } = await service.organization("attacker");
  let accepted = 0;
  for (const host of hosts) {
    const { status } = await administrator.send("PUT", "/v2/organization/webhooks/extraction.completed", {
      url: `https://${host}/hook`,
    });
    if (status !== 422) accepted++;
  }
  reportAttack(t, "webhook URLs inside the network", { tried: hosts.length, succeeded: accepted });
});
