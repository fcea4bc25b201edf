/**
 * Loads the image library, with only the decoders that are needed and without its cache of images.
 */
import type Sharp from "sharp";

let loaded: typeof Sharp | undefined;

/** Loads the library on the first call, because most documents do not need it. */
export async function loadSharp(): Promise<typeof Sharp> {
  if (loaded) return loaded;
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  // Hostile bytes should reach as few decoders as possible. The HEIF decoder is here for AVIF.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadHeifBuffer"] });
  loaded = sharp;
  return sharp;
}
