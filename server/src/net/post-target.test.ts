import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { addressList } from "../lib/ip-addresses.ts";
import { type PostRules, postTarget } from "./post-target.ts";

const rules: PostRules = { allowed: addressList([]), allowHttp: false };
const mayPost = (url: string, others: Partial<PostRules> = {}): boolean =>
  postTarget(url, { ...rules, ...others }) !== undefined;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Generates spellings of an IPv4 address that the URL standard allows. */
const ipv4Spelling = (address: string): fc.Arbitrary<string> => {
  const parts = address.split(".").map(Number) as [number, number, number, number];
  const joined = (count: number): number => parts.slice(count).reduce((sum, part) => sum * 256 + part, 0);
  const number = (value: number): fc.Arbitrary<string> =>
    fc.constantFrom(
      `${value}`,
      `0${value.toString(8)}`,
      `000${value.toString(8)}`,
      `0x${value.toString(16)}`,
      `0X00${value.toString(16)}`,
    );
  const dot = fc.constantFrom(".", "。", "．", "%2e", "｡");
  const digits = fc.constantFrom((text: string) => text, fullWidth, percentEncoded);
  return fc
    .integer({ min: 0, max: 3 })
    .chain((whole) => fc.tuple(...parts.slice(0, whole).map(number), number(joined(whole))))
    .chain((numbers) =>
      fc
        .tuple(digits, dot, fc.constantFrom("", "."))
        .map(([write, between, end]) => numbers.map(write).join(between) + end),
    );
};
const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const percentEncoded = (text: string): string => text.replace(/[0-9]/g, (digit) => `%3${digit}`);

const ipv6Spelling = (groups: readonly number[]): fc.Arbitrary<string> => {
  const padded = groups.map((group) => group.toString(16).padStart(4, "0")).join(":");
  const short = groups.map((group) => group.toString(16)).join(":");
  const dotted = `${groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":")}:${groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".")}`;
  return fc.constantFrom(padded, short, dotted, padded.toUpperCase(), short.replace(/(^|:)0(:0)+(:|$)/, "::"));
};

const host = (address: string, path = "/hook"): string => `https://${address}${path}`;

describe("addresses", () => {
  const forbidden =
    words(`127.0.0.1 127.255.255.254 0.0.0.0 10.0.0.1 100.64.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255
    192.168.1.1 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
    100.100.100.200`);

  test("a forbidden IPv4 address is refused in every spelling, with any port", () => {
    const spelling = fc.constantFrom(...forbidden).chain(ipv4Spelling);
    const port = fc.constantFrom("", ":443", ":8443", ":80", ":");
    fc.assert(
      fc.property(spelling, port, (text, end) => {
        assert.equal(mayPost(host(text + end)), false, text + end);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a public IPv4 address is accepted in the same spellings", () => {
    const spelling = fc
      .constantFrom("8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "1.0.0.1")
      .chain(ipv4Spelling);
    fc.assert(
      fc.property(spelling, (text) => {
        assert.equal(mayPost(host(text)), true, text);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a forbidden IPv6 address is refused in every spelling", () => {
    const ipv4 = [0x7f00, 1];
    const prefixes = [
      [0, 0, 0, 0, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 0, ...ipv4],
      [0, 0, 0, 0, 0, 0xffff, ...ipv4],
      [0, 0, 0, 0, 0xffff, 0, ...ipv4],
      [0x64, 0xff9b, 0, 0, 0, 0, ...ipv4],
      [0x64, 0xff9b, 1, 0, 0, 0, ...ipv4],
      [0x2002, ...ipv4, 0, 0, 0, 0, 1],
      [0x2001, 0, 0, 0, 0, 0, ...ipv4],
      [0x2a00, 1, 2, 3, 0, 0x5efe, ...ipv4],
      [0x2a00, 1, 2, 3, 0x200, 0x5efe, ...ipv4],
      [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1],
      [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254],
      [0xfe80, 0, 0, 0, 0, 0, 0, 1],
      [0xff02, 0, 0, 0, 0, 0, 0, 1],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...prefixes).chain(ipv6Spelling), (text) => {
        assert.equal(mayPost(host(`[${text}]`)), false, text);
      }),
    );
    for (const text of ["[::1%25lo]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "::1", "[::1", "[127.0.0.1]"])
      assert.equal(mayPost(host(text)), false, text);
    assert.equal(mayPost(host("[2606:4700::1111]:8443")), true);
  });

  test("an exception of the operator applies only to its own address family", () => {
    const allowed = addressList(["127.0.0.2", "fd00:1::/64"]);
    for (const text of ["127.0.0.2", "0x7f.2", "[fd00:1::7]", "127.0.0.2:8443"])
      assert.equal(mayPost(host(text), { allowed }), true, text);
    for (const text of ["127.0.0.1", "127.0.0.3", "[::1]", "[::ffff:127.0.0.2]", "[fd00:2::7]", "localhost"])
      assert.equal(mayPost(host(text), { allowed }), false, text);
  });
});

describe("names", () => {
  const internal =
    words(`localhost LOCALHOST a.localhost localhost. a.b.localhost. localhost.localdomain ip6-localhost intranet printer
    x.local x.LOCAL. x.internal metadata.google.internal metadata.google.internal. metadata metadata.goog metadata.tencentyun.com
    instance-data.ec2.internal host.docker.internal x.intranet x.lan x.home x.corp x.private x.home.arpa x.localdomain
    1.0.0.127.in-addr.arpa 1.0.ip6.arpa ipv4only.arpa kubernetes.default.svc kubernetes.default.svc.cluster.local com com. x.consul x.service.consul. expyuzz4wqqyqhjn.onion x.alt
    ｌｏｃａｌｈｏｓｔ %6c%6fcalhost loc%61lhost a.ⓛⓞⓒⓐⓛ local​host`);

  for (const name of internal) test(`${name} is refused`, () => assert.equal(mayPost(host(name)), false));

  const misshapen =
    words(`127.0.0.1.. foo..com .foo.com foo.com.. a!b.com a*.com 1.2.3.4.5 256.1.1.1 0x100000000 ${"a".repeat(64)}.com
    ${"a.".repeat(127)}com`);
  for (const name of misshapen) test(`${name.slice(0, 40)} is refused`, () => assert.equal(mayPost(host(name)), false));

  const publicNames =
    words(`example.com EXAMPLE.com example.com. a-b.example.com a_b.example.com 10.0.0.1.example.com 127.0.0.1.nip.io
    localhost.example.com notlocalhost.com mylocal.com internal.example.com x.internal.example.com xlocal.net local.example lan.example
    metadata.example.com home.example bücher.example xn--bcher-kva.example does-not-exist.invalid hook.test example.com:8443 arpa.net
    169.254.169.254.example.com 0x7f.example.com`);
  for (const name of publicNames) test(`${name} is accepted`, () => assert.equal(mayPost(host(name)), true));
});

describe("URLs", () => {
  const refused = [
    "",
    "example.com",
    "//example.com/",
    "http://example.com/",
    "HTTP://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "data:text/plain,a",
    "blob:https://example.com/1",
    "unix:/run/docker.sock",
    "wss://example.com/",
    "https://",
    "https://:443/",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://example.com:65536/",
    "https://example.com:0/",
    "https://8.8.8.8:0/",
    "https://example.com\\@127.0.0.1/",
    "https://127.0.0.1\\@example.com/",
    "https://127.0.0.1\\.example.com/",
    "https://exam\nple.com/",
    "https://exam\tple.com/",
    " https://example.com/",
    "https://example.com/a b",
    "https://example.com/\0",
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1#@example.com/",
    "https://127.0.0.1?@example.com/",
    `https://example.com/${"a".repeat(2_029)}`,
  ];
  for (const url of refused)
    test(`${JSON.stringify(url).slice(0, 50)} is refused`, () => assert.equal(mayPost(url), false));

  test("any path, query, fragment and port are accepted", () => {
    for (const end of [
      "",
      "/",
      "/a/b?c=d&e=https://127.0.0.1/",
      "/#fragment",
      ":1/",
      "/@127.0.0.1",
      `/${"a".repeat(2_028)}`,
    ])
      assert.equal(mayPost(`https://example.com${end}`), true, end);
  });

  test("http is accepted for the same hosts if the operator allows it", () => {
    assert.equal(mayPost("http://example.com/", { allowHttp: true }), true);
    assert.equal(mayPost("https://example.com/", { allowHttp: true }), true);
    for (const url of ["http://127.0.0.1/", "http://localhost/", "ftp://example.com/", "file:///"])
      assert.equal(mayPost(url, { allowHttp: true }), false, url);
  });

  test("the host of the result is the name that is looked up and verified by TLS", () => {
    assert.deepEqual(postTarget("https://Example.com.:8443/a?b#c", rules)?.host, "example.com");
    const address = postTarget("https://[2606:4700:0:0::1111]/", rules);
    assert.deepEqual([address?.host, address?.isAddress], ["2606:4700::1111", true]);
  });

  test("any text is either accepted or refused, and nothing is thrown", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => typeof mayPost(text) === "boolean"));
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => typeof mayPost(`https://${text}/`) === "boolean"));
  });
});
