/**
 * Zoom of the page view: either a factor, where 1 fits the width of the page into the view, or
 * `page`, which fits the whole page.
 */
export type Zoom = number | "page";

export const minZoom = 0.2;
export const maxZoom = 6;

/** Factors that the zoom buttons step through and the list offers. */
const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6];

/** Returns the next larger step if `direction` is 1, or the next smaller step if it is -1. */
export function nextZoom(factor: number, direction: 1 | -1): number {
  // A factor that differs from a step only by a rounding error counts as that step.
  const next =
    direction === 1 ? steps.find((step) => step > factor * 1.01) : steps.findLast((step) => step < factor * 0.99);
  return next ?? clampZoom(factor);
}

export const clampZoom = (factor: number): number => Math.min(Math.max(factor, minZoom), maxZoom);
