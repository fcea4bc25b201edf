import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { ReadingError, type ReadingFailure } from "../../reader.ts";
import { decodeImage } from "./decode-image.ts";
import type { ImageExtension } from "./file-kind.ts";

const decode = (bytes: Uint8Array, extension: ImageExtension, maxSide = 2500) => decodeImage(bytes, extension, maxSide);

const refuses = (bytes: Uint8Array, extension: ImageExtension, reason: ReadingFailure) =>
  assert.rejects(decode(bytes, extension), (error) => error instanceof ReadingError && error.reason === reason);

/** An image of 40×20 pixels. Its left half is black and its right half white. */
const halves = (): Sharp =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: "white" } }).composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: "black" } }, left: 0, top: 0 },
  ]);

/**
 * Encodes and reopens an image, so that the operations so far are applied before later ones. Within
 * one pipeline, sharp applies operations in its own fixed order.
 */
const settled = async (picture: Sharp): Promise<Sharp> => sharp(await picture.png().toBuffer());

async function looksLikeHalves(bytes: Uint8Array, extension: ImageExtension): Promise<void> {
  const { width, height, image } = await decode(bytes, extension);
  assert.deepEqual([width, height, image.width, image.height], [40, 20, 40, 20]);
  const at = (x: number, y: number) => image.pixels[y * 40 + x] ?? 128;
  assert.ok(at(3, 3) < 40 && at(3, 16) < 40 && at(36, 3) > 215 && at(36, 16) > 215);
}

const variants: Record<string, { extension: ImageExtension; make: () => Promise<Uint8Array> }> = {
  "plain JPEG": { extension: "jpg", make: () => halves().jpeg().toBuffer() },
  "progressive JPEG": { extension: "jpeg", make: () => halves().jpeg({ progressive: true }).toBuffer() },
  "JPEG in CMYK": { extension: "jpg", make: () => halves().toColourspace("cmyk").jpeg().toBuffer() },
  "plain PNG": { extension: "png", make: () => halves().png().toBuffer() },
  "interlaced PNG": { extension: "png", make: () => halves().png({ progressive: true }).toBuffer() },
  "PNG with a palette": { extension: "png", make: () => halves().png({ palette: true }).toBuffer() },
  "PNG of 16 bits": { extension: "png", make: () => halves().toColourspace("rgb16").png().toBuffer() },
  "grey PNG": { extension: "png", make: () => halves().toColourspace("b-w").png().toBuffer() },
  "PNG on nothing": {
    extension: "png",
    make: async () =>
      (await settled(halves().extract({ left: 0, top: 0, width: 20, height: 20 })))
        .extend({ right: 20, background: { r: 0, g: 0, b: 0, alpha: 0 } })
        .png()
        .toBuffer(),
  },
};

for (const [name, { extension, make }] of Object.entries(variants)) {
  test(`a ${name} is decoded`, async () => looksLikeHalves(await make(), extension));
}

for (const [orientation, turn] of [
  [3, 180],
  [6, 270],
  [8, 90],
] as const) {
  test(`an image with EXIF orientation ${orientation} is returned upright`, async () => {
    const turned = await settled(halves());
    const bytes = await turned.rotate(turn).withMetadata({ orientation }).jpeg().toBuffer();
    await looksLikeHalves(bytes, "jpg");
  });
}

test("a large image is scaled and still reports its original size", async () => {
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  const { width, height, image, toPage } = await decode(bytes, "png", 200);
  assert.deepEqual([width, height, image.width, image.height], [900, 600, 300, 200]);
  assert.deepEqual(toPage, [3, 0, 0, 3, 0, 0]);
});

test("the content must match the extension", async () => {
  const png = await halves().png().toBuffer();
  await refuses(png, "jpg", "corrupt");
  await refuses(png, "heic", "corrupt");
  await refuses(await halves().jpeg().toBuffer(), "png", "corrupt");
  await refuses(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "png", "corrupt");
  await refuses(new Uint8Array(), "png", "empty");
});

test("a truncated JPEG is decoded as far as it goes; a truncated PNG is refused", async () => {
  const noise = sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: "white",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
  const jpeg = await noise.clone().jpeg().toBuffer();
  const { image } = await decode(jpeg.subarray(0, jpeg.length >> 1), "jpg");
  assert.equal(image.pixels.length, 200 * 200);
  const png = await noise.clone().png().toBuffer();
  await refuses(png.subarray(0, png.length >> 1), "png", "corrupt");
  await refuses(png.subarray(0, png.length - 6), "png", "corrupt");
  await refuses(jpeg.subarray(0, 12), "jpg", "corrupt");
});

test("an image is refused because of the size in its header", async () => {
  const jpeg = Buffer.from(await halves().jpeg().toBuffer());
  const frame = jpeg.indexOf(Buffer.of(0xff, 0xc0));
  jpeg.writeUInt16BE(64_250, frame + 5);
  jpeg.writeUInt16BE(64_250, frame + 7);
  await refuses(jpeg, "jpg", "too_complex");
  const claim = Buffer.concat([Buffer.of(0, 0, 0, 20), Buffer.from("ispe"), Buffer.alloc(12)]);
  claim.writeUInt32BE(65_535, 12);
  claim.writeUInt32BE(65_535, 16);
  const heic = Buffer.concat([Buffer.of(0, 0, 0, 16), Buffer.from("ftypheic\0\0\0\0"), claim]);
  await refuses(heic, "heic", "too_complex");
});

test("a black PNG of 50,000×50,000 pixels is refused", async () => {
  const bytes = Buffer.from(
    await sharp({ create: { width: 8, height: 8, channels: 3, background: "black" } })
      .png()
      .toBuffer(),
  );
  bytes.writeUInt32BE(50_000, 16);
  bytes.writeUInt32BE(50_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  await refuses(bytes, "png", "too_complex");
});

test("a damaged HEIC is refused", async () => {
  await refuses(Buffer.concat([Buffer.of(0, 0, 0, 16), Buffer.from("ftypheic\0\0\0\0")]), "heic", "corrupt");
});
