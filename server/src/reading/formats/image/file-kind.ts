/** Detects the kind of an image file from its first bytes. */

export type ImageExtension = "jpg" | "jpeg" | "png" | "heic";
export type ImageKind = "jpeg" | "png" | "heif";

export const kindOfExtension = (extension: ImageExtension): ImageKind =>
  extension === "png" ? "png" : extension === "heic" ? "heif" : "jpeg";

/** Brands in the file-type box (`ftyp`) that identify a still image of the HEIF family. */
const heifBrands = new Set(["mif1", "mif2", "msf1", "heic", "heix", "heim", "heis", "hevc", "hevx", "avif", "avis"]);

/** Returns the kind of an image, or undefined if the file is not an image of a known kind. */
export function imageKindOf(bytes: Uint8Array): ImageKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256)).toString("latin1");
  if (start.startsWith("\xff\xd8\xff")) return "jpeg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.slice(4, 8) !== "ftyp") return undefined;
  const brands = [start.slice(8, 12), ...(start.slice(16, brandsEnd(bytes)).match(/.{4}/gs) ?? [])];
  return brands.some((brand) => heifBrands.has(brand)) ? "heif" : undefined;
}

const brandsEnd = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);

/** Returns false for a PNG that ends before its last chunk. */
export function isWholePng(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at + 12 <= view.length; at += view.readUInt32BE(at) + 12) {
    if (view.toString("latin1", at + 4, at + 8) === "IEND") return true;
  }
  return false;
}
