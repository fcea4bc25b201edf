import assert from "node:assert/strict";
import { isIP } from "node:net";
import { test } from "node:test";
import fc from "fast-check";
import { networkOf } from "../lib/ip-addresses.ts";
import { openAddressOf } from "./client-address.ts";

const addressOf = openAddressOf(["10.0.0.0/8", "192.168.7.20", "fd00::/8"]);

test("without trusted proxies, the client is the peer, whatever the header contains", () => {
  const trustNobody = openAddressOf([]);
  assert.equal(trustNobody("203.0.113.9", "198.51.100.1"), "203.0.113.9");
  assert.equal(trustNobody("127.0.0.1", "198.51.100.1"), "127.0.0.1");
  assert.equal(addressOf("203.0.113.9", "198.51.100.1"), "203.0.113.9");
  assert.equal(addressOf("203.0.113.9", undefined), "203.0.113.9");
});

test("the first untrusted peer that sends the header is reported", () => {
  const told: string[] = [];
  const telling = openAddressOf(["10.0.0.1"], (peer) => told.push(peer));
  telling("203.0.113.7", undefined);
  telling("10.0.0.1", "203.0.113.7");
  telling("203.0.113.8", "203.0.113.7");
  telling("203.0.113.9", "203.0.113.7");
  assert.deepEqual(told, ["203.0.113.8"]);
});

test("behind trusted proxies, the client is the last untrusted address", () => {
  const cases: [string, string | undefined, string][] = [
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "198.51.100.1, 192.168.7.20", "198.51.100.1"],
    ["10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "10.9.9.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["10.0.0.1", "10.9.9.9,10.0.0.2", "10.9.9.9"],
    ["10.0.0.1", undefined, "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1, <script>", "10.0.0.1"],
    ["10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["10.0.0.1", "[2001:DB8::1]:4711", "2001:db8::1"],
    ["10.0.0.1", "2001:db8::1", "2001:db8::1"],
    ["fd12::1", "2001:db8::1", "2001:db8::1"],
    ["::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
    ["::ffff:a00:1", "::ffff:c633:6401", "198.51.100.1"],
    ["fe80::1%eth0", undefined, "fe80::1"],
  ];
  for (const [peer, header, expected] of cases) assert.equal(addressOf(peer, header), expected, `${peer} ${header}`);
});

test("an IPv6 network of 64 bits is one client", () => {
  assert.equal(networkOf("198.51.100.1"), "198.51.100.1");
  assert.equal(networkOf("2001:db8:0:1::1"), networkOf("2001:db8::1:ffff:2:3:4"));
  assert.notEqual(networkOf("2001:db8:0:1::1"), networkOf("2001:db8:0:2::1"));
});

test("whatever the header contains, the result is a valid address", () => {
  const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom("10.0.0.3", "::1%a", "[::1", "1.2.3.4:x"));
  const header = fc.array(entry, { maxLength: 6 }).map((entries) => entries.join(","));
  const property = fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant("10.0.0.1")), header, (peer, forwarded) => {
    const address = addressOf(peer, forwarded);
    assert.notEqual(isIP(address), 0);
    networkOf(address);
  });
  fc.assert(property);
});
