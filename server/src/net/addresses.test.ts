import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { addressList, groupsOf } from "../lib/ip-addresses.ts";
import { mayConnect } from "./addresses.ts";

const none = addressList([]);
const may = (address: string): boolean => mayConnect(address, none);

/** First and last addresses of the forbidden ranges, from the registries. */
const forbiddenIpv4 = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["168.63.129.16", "168.63.129.16"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.31.196.0", "192.31.196.255"],
  ["192.52.193.0", "192.52.193.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["192.175.48.0", "192.175.48.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "255.255.255.255"],
] as const;

const numberOf = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const addressOf = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
const isForbidden = (number: number): boolean =>
  forbiddenIpv4.some(([first, last]) => number >= numberOf(first) && number <= numberOf(last));

describe("IPv4", () => {
  for (const [first, last] of forbiddenIpv4)
    test(`${first} to ${last} is forbidden, its neighbours are not`, () => {
      assert.equal(may(first), false);
      assert.equal(may(last), false);
      for (const neighbour of [numberOf(first) - 1, numberOf(last) + 1])
        if (neighbour >= 0 && neighbour < 2 ** 32) assert.equal(may(addressOf(neighbour)), !isForbidden(neighbour));
    });

  test("arbitrary addresses are forbidden if and only if they are in a forbidden range", () => {
    const near = fc
      .tuple(fc.constantFrom(...forbiddenIpv4.flat()), fc.integer({ min: -300, max: 300 }))
      .map(([edge, distance]) => (numberOf(edge) + distance + 2 ** 32) % 2 ** 32);
    const anywhere = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(fc.oneof(near, anywhere), (number) => may(addressOf(number)) === !isForbidden(number)),
      { numRuns: 2_000 },
    );
  });

  test("public addresses that look like private ones are public", () => {
    for (const address of ["172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.0.1.1", "1.1.1.1"])
      assert.equal(may(address), true, address);
  });
});

describe("IPv6", () => {
  test("global addresses are public", () => {
    for (const address of ["2000::", "2001:200::", "2606:4700::1111", "2a00:1450::1", "2620:4f:7fff::1", "3ffd::1"])
      assert.equal(may(address), true, address);
    for (const address of [
      "3fff:1000::",
      "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001:db7::",
      "2001:db9::",
      "2003::",
    ])
      assert.equal(may(address), true, address);
  });

  test("special addresses are not public", () => {
    const special = `:: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::808:808
      64:ff9b:1::a00:1 100::1 1fff:ffff::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:1ff::1
      2001:db8::1 2002:7f00:1::1 2002:a00:1::1 2620:4f:8000::1 3ffe::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1
      fe80::1%eth0 fec0::1 ff02::1 2a00:1450::5efe:7f00:1 2a00:1450::200:5efe:a00:1 2a00:1450:0:0:0:5efe:10.0.0.1`;
    for (const address of special.split(/\s+/)) assert.equal(may(address), false, address);
  });

  test("an IPv6 address that contains an IPv4 address, or is outside 2000::/3, is never public", () => {
    const wrappings = [
      "::",
      "::ffff:",
      "::ffff:0:",
      "64:ff9b::",
      "64:ff9b:1::",
      "2a00::5efe:",
      "2a00::200:5efe:",
      "2001:0:1::",
    ];
    fc.assert(fc.property(fc.constantFrom(...wrappings), fc.ipV4(), (prefix, ipv4) => !may(prefix + ipv4)));
    const group = fc.integer({ min: 0, max: 0xffff });
    const outside = fc.tuple(
      fc.oneof(fc.integer({ min: 0, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff })),
      fc.array(group, { minLength: 7, maxLength: 7 }),
    );
    fc.assert(
      fc.property(outside, ([first, rest]) => !may([first, ...rest].map((each) => each.toString(16)).join(":"))),
    );
  });

  test("the groups of an address are the same in every spelling", () => {
    const spellings = ["2a00:0:0:1::1.2.3.4", "2A00:0000:0000:0001:0000:0000:0102:0304", "2a00::1:0:0:102:304"];
    for (const spelling of spellings) assert.deepEqual(groupsOf(spelling), [0x2a00, 0, 0, 1, 0, 0, 0x102, 0x304]);
    assert.deepEqual(groupsOf("::"), [0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("operator exceptions", () => {
  const allowed = addressList(["127.0.0.2", "10.1.0.0/16", "fd00:1::/64", "::1"]);

  test("connections to excepted addresses are allowed, and connections to adjacent addresses are refused", () => {
    for (const address of ["127.0.0.2", "10.1.0.0", "10.1.255.255", "fd00:1::5", "::1", "8.8.8.8", "2a00::1"])
      assert.equal(mayConnect(address, allowed), true, address);
    for (const address of [
      "127.0.0.1",
      "127.0.0.3",
      "10.0.255.255",
      "10.2.0.0",
      "fd00:1:0:1::",
      "::2",
      "::ffff:127.0.0.2",
    ])
      assert.equal(mayConnect(address, allowed), false, address);
  });

  test("an entry that is neither an address nor a CIDR is refused", () => {
    for (const entry of [
      "",
      "localhost",
      "10.0.0",
      "10.0.0.0/33",
      "10.0.0.0/",
      "fe80::1%eth0",
      "::/129",
      "10.0.0.0/8/8",
      "*",
    ])
      assert.throws(() => addressList([entry]), /is neither an IP address nor a CIDR/, entry);
  });
});
