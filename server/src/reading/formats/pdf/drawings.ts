/**
 * Finds the straight lines that are drawn on a page: strokes, thin filled rectangles, and the edges
 * of frames and shaded areas.
 */
import type { Box } from "../../document.ts";
import type { Drawings } from "../../layout/page-content.ts";
import { InkClusters } from "./ink-clusters.ts";
import type { PageSpace } from "./page-space.ts";
import type { Pdfium } from "./pdfium.ts";

type Matrix = readonly [number, number, number, number, number, number];
type Point = readonly [x: number, y: number];

/**
 * Maximum number of path segments that are read from a page. A map or chart may have a million. No
 * table needs that many. Chosen by hand, 2026-11.
 */
const maxSegments = 40_000;
/** Maximum number of objects that are read from a page. Chosen by hand, 2026-11. */
const maxObjects = 20_000;
/** Maximum nesting of form objects. Chosen by hand, 2026-11. */
const maxFormDepth = 6;
/**
 * Maximum thickness of a filled rectangle that counts as a line, in points. Chosen by hand,
 * 2026-11.
 */
const maxLineThickness = 3;
/** Minimum length of a line, in points. Chosen by hand, 2026-11. */
const minLength = 3;
/**
 * Maximum offset between the two ends of a line, in points, for the line to count as horizontal or
 * vertical. Chosen by hand, 2026-11.
 */
const maxSlant = 1;

const objectType = { text: 1, path: 2, image: 3, form: 5 } as const;
const segmentType = { line: 0, curve: 1, move: 2 } as const;

/** An image on a page. */
export interface PagePicture {
  box: Box;
  /** Number of pixels of the image per point of its width on the page. */
  pixelsPerPoint: number;
  /** Pointer to the PDFium object of the image. It is valid until the page is closed. */
  object: number;
  /** True if the image is drawn after some text, which it may cover. */
  overText: boolean;
}

/** A drawing that is small enough to be a check box or the mark inside a check box. */
export interface SmallShape {
  box: Box;
  /** Number of separate parts. */
  parts: number;
  /** Number of parts that are rectangles. */
  rectangles: number;
  curves: number;
  stroked: boolean;
  /** Absent if the shape is not filled. */
  fill?: "dark" | "light";
}

/** Everything drawn on a page except its text. */
export interface PageDrawings extends Drawings {
  pictures: PagePicture[];
  shapes: SmallShape[];
  /** Areas covered by many small filled shapes, such as the modules of a bar code. */
  clusters: Box[];
}

/** Maximum width and height of a small shape, in points. Chosen by hand, 2026-11. */
const maxShapeSide = 30;
/**
 * Maximum number of small shapes per page. More shapes are a pattern or a map. Chosen by hand,
 * 2026-11.
 */
const maxShapes = 8_000;
/** Minimum brightness of a fill that counts as light, 0 to 255. Chosen by hand, 2026-11. */
const lightFill = 200;

export function readDrawings(pdfium: Pdfium, page: number, space: PageSpace): PageDrawings {
  const { call } = pdfium;
  const collector = new Collector(pdfium);
  const count = call.FPDFPage_CountObjects(page);
  collector.walk(count, (index) => call.FPDFPage_GetObject(page, index), space.matrix, 0);
  return collector.finish();
}

class Collector {
  readonly drawings: PageDrawings = {
    horizontal: [],
    vertical: [],
    shades: [],
    pictures: [],
    shapes: [],
    clusters: [],
  };
  readonly #pdfium: Pdfium;
  readonly #ink = new InkClusters();
  #segments = 0;
  #objects = 0;
  #hasText = false;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  finish(): PageDrawings {
    this.drawings.clusters = this.#ink.areas();
    return this.drawings;
  }

  walk(count: number, get: (index: number) => number, toPage: Matrix, depth: number): void {
    const { call } = this.#pdfium;
    for (let index = 0; index < count && this.#segments < maxSegments && this.#objects < maxObjects; index++) {
      this.#objects++;
      const object = get(index);
      const type = call.FPDFPageObj_GetType(object);
      if (type === objectType.text) this.#hasText = true;
      else if (type === objectType.path) this.#path(object, toPage);
      else if (type === objectType.image) this.#image(object, toPage);
      else if (type === objectType.form && depth < maxFormDepth) {
        const inner = (at: number) => call.FPDFFormObj_GetObject(object, at);
        this.walk(call.FPDFFormObj_CountObjects(object), inner, this.#through(object, toPage), depth + 1);
      }
    }
  }

  /** Returns the transform from the coordinates of an object to those of the page. */
  #through(object: number, [a, b, c, d, e, f]: Matrix): Matrix {
    const { call, scratch, memory } = this.#pdfium;
    if (call.FPDFPageObj_GetMatrix(object, scratch) === 0) return [a, b, c, d, e, f];
    const { floats } = memory;
    const at = scratch >> 2;
    const p = floats[at] ?? 1;
    const q = floats[at + 1] ?? 0;
    const r = floats[at + 2] ?? 0;
    const s = floats[at + 3] ?? 1;
    const t = floats[at + 4] ?? 0;
    const u = floats[at + 5] ?? 0;
    return [a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f];
  }

  #path(object: number, outer: Matrix): void {
    const { call, scratch, memory } = this.#pdfium;
    if (call.FPDFPath_GetDrawMode(object, scratch, scratch + 4) === 0) return;
    const filled = memory.integers[scratch >> 2] !== 0;
    const stroked = memory.integers[(scratch >> 2) + 1] !== 0;
    if (!filled && !stroked) return;
    const outline = new Outline();
    const figures = this.#figures(object, this.#through(object, outer), outline);
    if (outline.isSmall && this.drawings.shapes.length < maxShapes) {
      const rectangles = figures.filter((figure) => rectangleOf(figure) !== undefined).length;
      const { parts, curves } = outline;
      const fill = filled ? this.#fillOf(object) : undefined;
      this.drawings.shapes.push({ box: outline.box, parts, rectangles, curves, stroked, ...(fill && { fill }) });
    }
    let rectangles = 0;
    for (const figure of figures) {
      const shape = filled ? rectangleOf(figure) : undefined;
      if (shape !== undefined) {
        rectangles++;
        this.#ink.add(shape);
        this.#filled(shape, stroked);
      } else if (stroked) this.#stroked(figure);
    }
    if (filled && rectangles === 0 && outline.curves === 0) this.#ink.addOutline(figures, outline.box);
    if (stroked && !filled) this.#inkOfStrokes(object, figures);
  }

  /**
   * Adds single horizontal and vertical strokes to the ink clusters, because they may be the bars
   * of a bar code. Bars are wider than the lines of tables.
   */
  #inkOfStrokes(object: number, figures: readonly Point[][]): void {
    const { call, scratch, memory } = this.#pdfium;
    if (call.FPDFPageObj_GetStrokeWidth(object, scratch) === 0) return;
    const half = (memory.floats[scratch >> 2] ?? 0) / 2;
    for (const [from, to, more] of figures) {
      if (from === undefined || to === undefined || more !== undefined) continue;
      const [x0, x1] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
      const [y0, y1] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
      if (x1 - x0 <= half) this.#ink.add([x0 - half, y0, x1 + half, y1]);
      else if (y1 - y0 <= half) this.#ink.add([x0, y0 - half, x1, y1 + half]);
    }
  }

  #fillOf(object: number): "dark" | "light" {
    const { call, scratch, memory } = this.#pdfium;
    const at = scratch >> 2;
    if (call.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return "dark";
    const [red = 0, green = 0, blue = 0, alpha = 255] = memory.integers.subarray(at, at + 4);
    return Math.min(red, green, blue) >= lightFill || alpha < 255 - lightFill ? "light" : "dark";
  }

  /**
   * Returns the sequences of points that are connected by straight lines. A sequence ends where a
   * curve begins.
   */
  #figures(object: number, toPage: Matrix, outline: Outline): Point[][] {
    const { call } = this.#pdfium;
    const figures: Point[][] = [];
    let figure: Point[] = [];
    const count = Math.min(call.FPDFPath_CountSegments(object), maxSegments - this.#segments);
    this.#segments += Math.max(count, 0);
    for (let index = 0; index < count; index++) {
      const segment = call.FPDFPath_GetPathSegment(object, index);
      const point = this.#point(segment, toPage);
      const type = call.FPDFPathSegment_GetType(segment);
      outline.add(point, type);
      if (type === segmentType.line) figure.push(point);
      else {
        if (figure.length > 1) figures.push(figure);
        figure = [point];
      }
      const first = figure[0];
      if (first !== undefined && figure.length > 1 && call.FPDFPathSegment_GetClose(segment) !== 0) figure.push(first);
    }
    if (figure.length > 1) figures.push(figure);
    return figures;
  }

  #point(segment: number, [a, b, c, d, e, f]: Matrix): Point {
    const { call, scratch, memory } = this.#pdfium;
    call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const u = memory.floats[scratch >> 2] ?? 0;
    const v = memory.floats[(scratch >> 2) + 1] ?? 0;
    return [a * u + c * v + e, b * u + d * v + f];
  }

  #stroked(figure: Point[]): void {
    for (let index = 1; index < figure.length; index++) {
      const from = figure[index - 1];
      const to = figure[index];
      if (from && to) this.#line(from[0], from[1], to[0], to[1]);
    }
  }

  #filled([x0, y0, x1, y1]: Box, stroked: boolean): void {
    const width = x1 - x0;
    const height = y1 - y0;
    if (height <= maxLineThickness && width > height) this.#line(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2);
    else if (width <= maxLineThickness) this.#line((x0 + x1) / 2, y0, (x0 + x1) / 2, y1);
    else {
      this.drawings.shades.push([x0, y0, x1, y1]);
      if (!stroked) return;
      this.#line(x0, y0, x1, y0);
      this.#line(x0, y1, x1, y1);
      this.#line(x0, y0, x0, y1);
      this.#line(x1, y0, x1, y1);
    }
  }

  #line(xa: number, ya: number, xb: number, yb: number): void {
    const width = Math.abs(xb - xa);
    const height = Math.abs(yb - ya);
    if (height <= maxSlant && width >= minLength) {
      this.drawings.horizontal.push({ at: (ya + yb) / 2, from: Math.min(xa, xb), to: Math.max(xa, xb) });
    } else if (width <= maxSlant && height >= minLength) {
      this.drawings.vertical.push({ at: (xa + xb) / 2, from: Math.min(ya, yb), to: Math.max(ya, yb) });
    }
  }

  /**
   * Reads an image. A thin image counts as a line, because some programs draw lines as images of
   * one pixel. In its own coordinates, an image fills the unit square.
   */
  #image(object: number, outer: Matrix): void {
    const [a, b, c, d, e, f] = this.#through(object, outer);
    const width = Math.abs(a) + Math.abs(c);
    const height = Math.abs(b) + Math.abs(d);
    const x = Math.min(e, e + a, e + c, e + a + c);
    const y = Math.min(f, f + b, f + d, f + b + d);
    const box: Box = [x, y, x + width, y + height];
    if (Math.min(width, height) > maxLineThickness) this.#picture(object, box, Math.hypot(a, b));
    else {
      this.#ink.add(box);
      this.#filled(box, false);
    }
  }

  #picture(object: number, box: Box, length: number): void {
    const { call, scratch, memory } = this.#pdfium;
    const known = call.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4) !== 0;
    const columns = known ? (memory.integers[scratch >> 2] ?? 0) : 0;
    this.drawings.pictures.push({ box, pixelsPerPoint: columns / length, object, overText: this.#hasText });
  }
}

/** Measures a path: its extent, and the number of its parts and curves. */
class Outline {
  readonly #edges: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  parts = 0;
  /** Number of points that belong to curves. Each curve has three. */
  #curved = 0;

  add([x, y]: Point, type: number): void {
    const edges = this.#edges;
    if (x < edges[0]) edges[0] = x;
    if (y < edges[1]) edges[1] = y;
    if (x > edges[2]) edges[2] = x;
    if (y > edges[3]) edges[3] = y;
    if (type === segmentType.move) this.parts++;
    else if (type === segmentType.curve) this.#curved++;
  }

  get box(): Box {
    return this.#edges;
  }

  get curves(): number {
    return Math.ceil(this.#curved / 3);
  }

  get isSmall(): boolean {
    const [x0, y0, x1, y1] = this.#edges;
    return x1 - x0 <= maxShapeSide && y1 - y0 <= maxShapeSide && x1 - x0 + y1 - y0 > 0;
  }
}

/** Returns the box of a figure, if it is a rectangle with horizontal and vertical sides. */
function rectangleOf(figure: readonly Point[]): Box | undefined {
  if (figure.length < 4 || figure.length > 6) return undefined;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const point of figure) {
    x0 = Math.min(x0, point[0]);
    y0 = Math.min(y0, point[1]);
    x1 = Math.max(x1, point[0]);
    y1 = Math.max(y1, point[1]);
  }
  const near = (value: number, a: number, b: number) => Math.min(Math.abs(value - a), Math.abs(value - b)) <= 0.5;
  return figure.every((point) => near(point[0], x0, x1) && near(point[1], y0, y1)) ? [x0, y0, x1, y1] : undefined;
}
