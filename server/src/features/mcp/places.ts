/** Places in documents as replies show them: names, boxes, and links to the web application. */
import type { Box } from "../../reading/document.ts";

/** Returns path and name as one text, joined by a slash. */
export const nameOf = ({ path, name }: { path: string; name: string }): string =>
  path === "" ? name : `${path}/${name}`;

/** Returns the smallest box around all boxes, rounded to a tenth of a unit. */
export function around(boxes: readonly Box[]): Box {
  let [x0, y0, x1, y1] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (const box of boxes) {
    x0 = Math.min(x0, box[0]);
    y0 = Math.min(y0, box[1]);
    x1 = Math.max(x1, box[2]);
    y1 = Math.max(y1, box[3]);
  }
  return rounded([x0, y0, x1, y1]);
}

export const rounded = ([x0, y0, x1, y1]: Box): Box => [tenth(x0), tenth(y0), tenth(x1), tenth(y1)];

const tenth = (value: number): number => (Number.isFinite(value) ? Math.round(value * 10) / 10 : 0);

/** Links to screens of the web application. */
export class Links {
  readonly #base: string;

  /** @param base URL of the service, without a slash at the end */
  constructor(base: string) {
    this.#base = base;
  }

  corpus(corpus: string): string {
    return `${this.#base}/corpora/${corpus}/documents`;
  }

  document(corpus: string, document: string, page?: number): string {
    return `${this.corpus(corpus)}/${document}${page === undefined ? "" : `?page=${page}`}`;
  }

  extractor(agent: string): string {
    return `${this.#base}/extractors/${agent}`;
  }

  extraction(id: string): string {
    return `${this.#base}/extractions/${id}`;
  }
}
