/** Loads the image library with only the necessary decoders and without its image cache. */
import type Sharp from "sharp";

let loaded: typeof Sharp | undefined;

/** Loads the library on the first call, because most documents do not need it. */
export async function loadSharp(): Promise<typeof Sharp> {
  if (loaded) return loaded;
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  // As few decoders as possible are allowed, because the bytes may be hostile. The HEIF decoder is
  // needed for AVIF.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadHeifBuffer"] });
  loaded = sharp;
  return sharp;
}
