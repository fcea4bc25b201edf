/**
 * Finds areas of a page that are covered by many small filled shapes, such as the modules of a QR
 * code or the bars of a bar code. This finds codes that are drawn as shapes and not stored as
 * images. Programs draw the parts of a code one after another. So each shape is compared only with
 * the latest clusters, and the time is proportional to the number of shapes.
 */
import type { Box } from "../../document.ts";

/**
 * Maximum length of the shorter and of the longer side of a shape, in points. Larger shapes are
 * lines of tables, or shaded areas. The bars of the largest bar codes are 50 mm high. Chosen by
 * hand, 2026-11.
 */
const [maxThickness, maxBar] = [8, 150];
/** Maximum distance of a shape from its cluster, in points. Chosen by hand, 2026-11. */
const reach = 12;
/** Maximum number of clusters that can still grow at the same time. Chosen by hand, 2026-11. */
const open = 4;
/**
 * Minimum number of shapes of a cluster. The smallest Data Matrix code has about 30 runs of dark
 * modules; Code 39 has 15 bars for one character. Chosen by hand, 2026-11.
 */
const minShapes = 15;
/** Minimum length of both sides of a cluster, in points. Chosen by hand, 2026-11. */
const minSide = 8;
/** Maximum length of both sides of a cluster, in points. Chosen by hand, 2026-11. */
const maxSide = 420;
/**
 * Minimum and maximum share of the area that the shapes cover. A code is half dark; the lines of a
 * table cover a tenth. Chosen by hand, 2026-11.
 */
const [minDark, maxDark] = [0.15, 0.9];
/** Maximum number of clusters of a page. Chosen by hand, 2026-11. */
const maxClusters = 200;
/**
 * Some programs draw all modules of a code as a single outline, with only horizontal and vertical
 * edges. This is the minimum number of corners of such an outline. Chosen by hand, 2026-11.
 */
const minCorners = 60;

interface Cluster {
  box: [number, number, number, number];
  shapes: number;
  area: number;
}

export class InkClusters {
  readonly #open: Cluster[] = [];
  readonly #areas: Box[] = [];

  /** Adds a filled rectangle. */
  add(box: Box): void {
    const [width, height] = [box[2] - box[0], box[3] - box[1]];
    if (Math.min(width, height) > maxThickness || Math.max(width, height) > maxBar) return;
    const near = this.#open.findLast((cluster) => isNear(cluster, box));
    if (near === undefined) {
      this.#open.push({ box: [box[0], box[1], box[2], box[3]], shapes: 1, area: width * height });
      if (this.#open.length > open) this.#close(this.#open.shift());
      return;
    }
    near.shapes++;
    near.area += width * height;
    if (box[0] < near.box[0]) near.box[0] = box[0];
    if (box[1] < near.box[1]) near.box[1] = box[1];
    if (box[2] > near.box[2]) near.box[2] = box[2];
    if (box[3] > near.box[3]) near.box[3] = box[3];
  }

  /** Adds a filled path that consists of straight lines. */
  addOutline(figures: readonly (readonly (readonly [x: number, y: number])[])[], box: Box): void {
    const corners = figures.reduce((sum, figure) => sum + figure.length, 0);
    if (corners >= minCorners && isOfSize(box) && figures.every(isRectilinear)) this.#keep(box);
  }

  areas(): Box[] {
    while (this.#open.length > 0) this.#close(this.#open.shift());
    return this.#areas;
  }

  #close(cluster: Cluster | undefined): void {
    if (cluster === undefined || cluster.shapes < minShapes || !isOfSize(cluster.box)) return;
    const dark = cluster.area / areaOf(cluster.box);
    if (dark >= minDark && dark <= maxDark) this.#keep(cluster.box);
  }

  #keep(box: Box): void {
    if (this.#areas.length < maxClusters) this.#areas.push(box);
  }
}

const isNear = ({ box }: Cluster, other: Box): boolean =>
  other[0] <= box[2] + reach && other[2] >= box[0] - reach && other[1] <= box[3] + reach && other[3] >= box[1] - reach;

const areaOf = ([x0, y0, x1, y1]: Box): number => (x1 - x0) * (y1 - y0);

function isOfSize([x0, y0, x1, y1]: Box): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  return Math.min(width, height) >= minSide && Math.max(width, height) <= maxSide;
}

/**
 * Maximum sideways offset between the two ends of an edge that counts as horizontal or vertical, in
 * points.
 */
const maxSlant = 0.1;

const isRectilinear = (figure: readonly (readonly [x: number, y: number])[]): boolean =>
  figure.every(([x, y], index) => {
    const [beforeX, beforeY] = figure[index - 1] ?? [x, y];
    return Math.min(Math.abs(x - beforeX), Math.abs(y - beforeY)) <= maxSlant;
  });
