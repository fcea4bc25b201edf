/** The library for pictures, with only the decoders that are wanted and no memory of pictures before. */
import type Sharp from "sharp";

let loaded: typeof Sharp | undefined;

/** Loads the library at the first call: most documents need it not. */
export async function loadSharp(): Promise<typeof Sharp> {
  if (loaded) return loaded;
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  // The fewer decoders can be reached by hostile bytes, the better. AVIF is what the library knows of HEIF.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadHeifBuffer"] });
  loaded = sharp;
  return sharp;
}
