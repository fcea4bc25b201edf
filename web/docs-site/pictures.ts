/** Reads the sizes of pictures, so that the layout of a page does not shift when they load. */
import { readFileSync } from "node:fs";

/**
 * Returns width and height in CSS pixels.
 * @throws Error for formats other than PNG and SVG
 */
export function sizeOf(path: string): { width: number; height: number } {
  const content = readFileSync(path);
  if (path.endsWith(".png")) return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
  const [, width, height] =
    /<svg[^>]* viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(content.toString("utf8").slice(0, 2000)) ?? [];
  if (width === undefined || height === undefined) throw new Error(`${path} is neither PNG nor SVG with a viewBox`);
  return { width: Number(width), height: Number(height) };
}
