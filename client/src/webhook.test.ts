import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  verifySignature,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "./webhook.ts";

const secret = "whsec_0J2yV3q5bW9uYXJjaC1zYWx0LWFuZC1wZXBwZXItMTI=";
const sign = (body: string | Uint8Array, key = secret) =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
const signed = (body: string | Uint8Array) => ({ "x-service-signature": sign(body) });

const delivery = (changes: object = {}) => ({
  id: "01JPA7Z3X5R9M2K8Q4T6V1W0YB",
  event: "document.ingestion_completed",
  timestamp: new Date().toISOString(),
  data: { agent_reference: "a", document_reference: "d", status: "ready", name: "terms.pdf", path: "" },
  ...changes,
});
const refused = (reason: WebhookVerificationReason) => (error: unknown) => {
  assert.ok(error instanceof WebhookVerificationError);
  assert.equal(error.reason, reason, error.message);
  return true;
};
const verifyValue = (value: unknown, options = {}) => {
  const body = JSON.stringify(value);
  return verifyWebhook(body, signed(body), secret, options);
};

describe("signature", () => {
  test("the test vector published by GitHub is accepted", async () => {
    const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const headers = { "X-Service-Signature": signature };
    await verifySignature("Hello, World!", headers, "It's a Secret to Everybody");
    await assert.rejects(
      verifySignature("Hello, World?", headers, "It's a Secret to Everybody"),
      refused("bad_signature"),
    );
  });

  test("the signature is found in every type of header collection", async () => {
    const body = "x";
    const value = sign(body);
    const forms: WebhookHeaders[] = [
      { "x-service-signature": value },
      { "X-SERVICE-Signature": [value] },
      new Headers({ "X-Service-Signature": value }),
      new Map([["X-Service-Signature", value]]),
      new Map([["x-service-signature", [value]]]),
      { "x-service-signature": value, "X-Service-Signature": value, other: undefined },
      { "x-service-signature": value.toUpperCase().replace("SHA256", "sha256") },
    ];
    for (const headers of forms) await verifySignature(body, headers, secret);
  });

  test("a missing or wrong signature is refused", async () => {
    const body = "x";
    for (const headers of [
      {},
      new Headers(),
      new Map(),
      { "x-service-signature": undefined },
      { "x-service-signature": [] },
    ])
      await assert.rejects(verifySignature(body, headers, secret), refused("missing_signature"));
    const value = sign(body);
    const bad = [
      "",
      "sha256=",
      value.slice(7),
      value.replace("sha256", "sha1"),
      `${value}0`,
      value.slice(0, -1),
      `${value}, ${value}`,
    ];
    for (const each of [...bad, sign("y"), sign(body, "whsec_other")])
      await assert.rejects(
        verifySignature(body, { "x-service-signature": each }, secret),
        refused("bad_signature"),
        each,
      );
    await assert.rejects(
      verifySignature(body, { "x-service-signature": [value, sign("y")] }, secret),
      refused("bad_signature"),
    );
  });

  test("an empty secret or a parsed body is a TypeError", async () => {
    const call = verifySignature as (...args: unknown[]) => Promise<void>;
    for (const none of ["", undefined, null]) await assert.rejects(call("x", signed("x"), none), TypeError);
    await assert.rejects(call({ id: 1 }, signed("x"), secret), TypeError);
  });
});

describe("random deliveries", { timeout: 120_000 }, () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom("😀", "\u2028", "\u2029", "é", "\0", '"', "\\", "👩‍🚀", "\uFEFF"), fc.string()),
  });
  const data = fc.dictionary(text, fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text)));

  test("each of 10,000 deliveries is accepted as text and as bytes, and refused if one bit is flipped", async () => {
    await fc.assert(
      fc.asyncProperty(
        data,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat(7),
        async (value, at, bit) => {
          const body = JSON.stringify(delivery({ data: value }));
          const bytes = new TextEncoder().encode(body);
          const headers = signed(bytes);
          assert.deepEqual(await verifyWebhook(body, headers, secret), JSON.parse(body));
          assert.deepEqual(await verifyWebhook(bytes, headers, secret), JSON.parse(body));
          const index = Math.floor(at * bytes.length);
          bytes[index] = (bytes[index] as number) ^ (1 << bit);
          await assert.rejects(verifyWebhook(bytes, headers, secret), refused("bad_signature"));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  test("a delivery of a megabyte is accepted, and refused if any bit of body or signature is flipped", async () => {
    const body = new TextEncoder().encode(
      JSON.stringify(delivery({ data: { text: randomBytes(786_432).toString("base64") } })),
    );
    assert.ok(body.length > 1_048_576);
    const headers = signed(body);
    await verifyWebhook(body, headers, secret);
    await verifyWebhook(body.buffer, headers, secret);
    for (let round = 0; round < 200; round++) {
      const bit = Math.floor(Math.random() * body.length * 8);
      body[bit >> 3] = (body[bit >> 3] as number) ^ (1 << (bit & 7));
      await assert.rejects(verifyWebhook(body, headers, secret), refused("bad_signature"));
      body[bit >> 3] = (body[bit >> 3] as number) ^ (1 << (bit & 7));
    }
    const signature = Buffer.from(headers["x-service-signature"].slice(7), "hex");
    for (let bit = 0; bit < 256; bit++) {
      const other = Buffer.from(signature);
      other[bit >> 3] = (other[bit >> 3] as number) ^ (1 << (bit & 7));
      const value = `sha256=${other.toString("hex")}`;
      await assert.rejects(verifySignature(body, { "x-service-signature": value }, secret), refused("bad_signature"));
    }
  });
});

describe("timestamp", () => {
  const at = (seconds: number) => delivery({ timestamp: new Date(Date.now() + seconds * 1000).toISOString() });

  test("a timestamp within five minutes, past or future, is accepted", async () => {
    for (const seconds of [-295, 0, 295]) await verifyValue(at(seconds));
    await assert.rejects(verifyValue(at(-305)), refused("too_old"));
    await assert.rejects(verifyValue(at(305)), refused("too_new"));
  });

  test("a timestamp within the given tolerance is accepted", async () => {
    await verifyValue(at(-3_000), { toleranceSeconds: 3_600 });
    await verifyValue(at(-1e9), { toleranceSeconds: Number.POSITIVE_INFINITY });
    await assert.rejects(verifyValue(at(-20), { toleranceSeconds: 10 }), refused("too_old"));
    for (const broken of [Number.NaN, -1])
      await assert.rejects(verifyValue(at(0), { toleranceSeconds: broken }), TypeError);
  });

  test("the timestamp is checked only after the signature", async () => {
    await assert.rejects(verifyWebhook(JSON.stringify(at(-1e6)), signed("x"), secret), refused("bad_signature"));
  });
});

test("a signed body that is not an event is malformed", async () => {
  const broken = [
    null,
    [],
    1,
    "x",
    {},
    delivery({ id: 1 }),
    delivery({ id: "" }),
    delivery({ event: "other" }),
    delivery({ event: "toString" }),
    delivery({ timestamp: "soon" }),
    delivery({ timestamp: 1 }),
    delivery({ data: null }),
    delivery({ data: [] }),
  ];
  for (const value of broken) await assert.rejects(verifyValue(value), refused("malformed"), JSON.stringify(value));
  for (const body of ["", "{", "\uFEFF{}"])
    await assert.rejects(verifyWebhook(body, signed(body), secret), refused("malformed"));
  const bytes = Uint8Array.of(0x22, 0xff, 0x22);
  await assert.rejects(verifyWebhook(bytes, signed(bytes), secret), refused("malformed"));
});
