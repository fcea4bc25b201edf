import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Base64Encoder, base64Length } from "./base64.ts";

test("chunks of any length are encoded as the base64 of the whole", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, (chunks) => {
      const encoder = new Base64Encoder();
      const text = Buffer.concat([...chunks.map((chunk) => encoder.encode(chunk)), encoder.finish()]);
      const bytes = Buffer.concat(chunks);
      assert.equal(text.toString("latin1"), bytes.toString("base64"));
      assert.equal(text.length, base64Length(bytes.length));
    }),
    { numRuns: 2_000 },
  );
});
