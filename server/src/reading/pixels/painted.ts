/** Paints over parts of an image, such as bar codes, which OCR would take for letters. */
import { type Affine, moved, type PlacedImage } from "./gray-image.ts";

export type Corner = readonly [x: number, y: number];

/**
 * Width of the margin around each area, in pixels. The margin is painted over too. Chosen by hand,
 * 2026-11.
 */
const margin = 2;

/**
 * Returns the image with the areas filled with the given brightness. The original is not changed.
 * @param areas the corners of each convex area, in page units, in their order around the area
 */
export function painted(placed: PlacedImage, areas: readonly (readonly Corner[])[], brightness: number): PlacedImage {
  if (areas.length === 0) return placed;
  const { image, toPage } = placed;
  const { width, height } = image;
  const pixels = image.pixels.slice();
  const toPixels = inverseOf(toPage);
  for (const area of areas) {
    const corners = area.map(([x, y]) => moved(toPixels, x, y));
    const ys = corners.map(([, y]) => y);
    const first = Math.max(0, Math.floor(Math.min(...ys)) - margin);
    const last = Math.min(height - 1, Math.ceil(Math.max(...ys)) + margin);
    for (let y = first; y <= last; y++) {
      const inside = Math.min(Math.max(y + 0.5, Math.min(...ys)), Math.max(...ys));
      const [left, right] = crossing(corners, inside);
      const [from, end] = [Math.floor(left) - margin, Math.ceil(right) + margin];
      if (end > from)
        pixels.fill(brightness, y * width + Math.max(0, from), y * width + Math.min(width, Math.max(0, end)));
    }
  }
  return { image: { width, height, pixels }, toPage };
}

function inverseOf([a, b, c, d, e, f]: Affine): Affine {
  const scale = a * d - b * c;
  return [d / scale, -b / scale, -c / scale, a / scale, (c * f - d * e) / scale, (b * e - a * f) / scale];
}

/** Returns the x coordinates at which a horizontal line enters and leaves an area. */
function crossing(corners: readonly Corner[], y: number): [left: number, right: number] {
  let [left, right] = [Infinity, -Infinity];
  for (const [index, [x0, y0]] of corners.entries()) {
    const [x1, y1] = corners[(index + 1) % corners.length] ?? [x0, y0];
    if (y < Math.min(y0, y1) || y > Math.max(y0, y1)) continue;
    for (const x of y0 === y1 ? [x0, x1] : [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)]) {
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
  }
  return [left, right];
}
