/**
 * The edited segments of a classification. Every page is in exactly one segment, and each operation
 * preserves this invariant. Operations return a new list, or the same list if nothing changes.
 */

export interface EditedSegment {
  /** First page, from 1. */
  start: number;
  /** Last page, inclusive. */
  end: number;
  label: string;
  title: string;
  /** Probability that the label is correct; null if a user has set the label. */
  confidence: number | null;
}

export type Segments = readonly EditedSegment[];

/**
 * Returns the segments of a result in page order, without gaps and overlaps: each ends right before
 * the next one starts.
 */
export function segmentsOf(pagesCount: number, received: Segments): Segments {
  const starts = new Map<number, EditedSegment>();
  for (const segment of received)
    if (segment.start >= 1 && segment.start <= pagesCount && !starts.has(segment.start))
      starts.set(segment.start, segment);
  const ordered = [...starts.values()].sort((a, b) => a.start - b.start);
  const first = ordered[0] ?? { start: 1, end: pagesCount, label: "", title: "", confidence: null };
  return [{ ...first, start: 1 }, ...ordered.slice(1)].map((segment, at, all) => ({
    ...segment,
    end: (all[at + 1]?.start ?? pagesCount + 1) - 1,
  }));
}

/** Returns the range of pages to which the start of segment `index` can be moved. */
export function boundaryRange(segments: Segments, index: number): { min: number; max: number } | undefined {
  const [before, after] = [segments[index - 1], segments[index]];
  return before && after && { min: before.start + 1, max: after.end };
}

/**
 * Makes `page` the first page of segment `index`. If the neighbouring segments do not allow that
 * page, uses the nearest page that they allow.
 */
export function moveBoundary(segments: Segments, index: number, page: number): Segments {
  const range = boundaryRange(segments, index);
  const moved = range && Math.min(Math.max(page, range.min), range.max);
  if (moved === undefined || moved === segments[index]?.start) return segments;
  return segments.map((segment, at) =>
    at === index - 1 ? { ...segment, end: moved - 1 } : at === index ? { ...segment, start: moved } : segment,
  );
}

/** Merges segment `index` into the segment before it, which keeps its label and title. */
export function mergeWithPrevious(segments: Segments, index: number): Segments {
  const [before, after] = [segments[index - 1], segments[index]];
  if (before === undefined || after === undefined) return segments;
  return segments.toSpliced(index - 1, 2, { ...before, end: after.end });
}

/**
 * Splits the segment that contains `page`. The new segment starts at `page` and has the same label.
 */
export function splitBefore(segments: Segments, page: number): Segments {
  const index = segments.findIndex(({ start, end }) => start < page && page <= end);
  const whole = segments[index];
  if (whole === undefined) return segments;
  const after: EditedSegment = { ...whole, start: page, title: "", confidence: null };
  return segments.toSpliced(index, 1, { ...whole, end: page - 1 }, after);
}

export function relabel(segments: Segments, index: number, label: string): Segments {
  const segment = segments[index];
  if (segment === undefined || segment.label === label || label === "") return segments;
  return segments.with(index, { ...segment, label, confidence: null });
}

export function retitle(segments: Segments, index: number, title: string): Segments {
  const segment = segments[index];
  if (segment === undefined || segment.title === title) return segments;
  return segments.with(index, { ...segment, title });
}

/** The segments, and the states for undo and redo. */
export interface History {
  past: readonly Segments[];
  present: Segments;
  future: readonly Segments[];
}

export const historyOf = (present: Segments): History => ({ past: [], present, future: [] });

/** Adds a step to the history, unless nothing has changed. */
export function withStep({ past, present, future }: History, next: Segments): History {
  if (next === present) return { past, present, future };
  return { past: [...past, present], present: next, future: [] };
}

export function undone(history: History): History {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future] };
}

export function redone(history: History): History {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future };
}
