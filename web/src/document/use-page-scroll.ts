/**
 * Scrolling of the page view: which pages are drawn, and which position stays in place when the
 * layout changes.
 */
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Box, boundsOf, type Rotation, rotatedShares, rotatedSize, type Size } from "./geometry.ts";
import type { Highlight } from "./highlights.tsx";
import { type Anchor, anchorAt, layOutPages, offsetOf, pageAt, pageGap } from "./page-layout.ts";
import type { PageSource } from "./page-source.ts";
import { clampZoom, type Zoom } from "./zoom.ts";

export interface Focus {
  page: number;
  boxes?: readonly Box[] | undefined;
}

interface PageScrollInput {
  frame: RefObject<HTMLElement | null>;
  source: PageSource;
  zoom: Zoom;
  rotation: Rotation;
  setZoom: (zoom: Zoom) => void;
  focus: Focus | undefined;
  onPage: ((page: number) => void) | undefined;
}

interface Range {
  from: number;
  to: number;
}

/** Range of pages to draw, and within it the range of pages that are in view. */
interface DrawnRange extends Range {
  inView: Range;
}

/** Assumed size of the pages until the first size is known: A4 in points. */
const usualSize: Size = { width: 595, height: 842 };
/** Number of pages drawn before and after those in view. */
const overscan = 1;
/**
 * Duration of a scroll to a nearby value, in milliseconds. Short, because the marked value must be
 * visible within 100 ms.
 */
const glideMs = 70;

/**
 * A point of the document and its position in the view. When the layout changes, the view scrolls
 * so that the point keeps that position.
 */
interface Hold {
  anchor: Anchor;
  viewY: number;
  shareX: number;
  viewX: number;
}

export function usePageScroll({ frame, source, zoom, rotation, setZoom, focus, onPage }: PageScrollInput) {
  const view = useViewSize(frame);
  const { sizeOf, knows, onSize } = usePageSizes(source);
  const [range, setRange] = useState<DrawnRange>();
  const [currentPage, setCurrentPage] = useState(focus?.page ?? 1);
  const [pulse, setPulse] = useState(0);
  const hold = useRef<Hold>(undefined);
  /**
   * The focus (page and boxes to scroll to) that the view has not reached yet. Dropped if the user
   * scrolls.
   */
  const pending = useRef<Focus>(undefined);
  const glide = useRef(0);

  const fitting = Math.max((view?.width ?? 0) - 2 * pageGap, 100);
  const shape = rotatedSize(sizeOf(currentPage), rotation);
  const pageFactor = Math.min(1, (((view?.height ?? 0) - 2 * pageGap) * shape.width) / shape.height / fitting);
  const factor = zoom === "page" ? clampZoom(pageFactor) : zoom;
  const width = Math.round(fitting * factor);
  const { pages } = source;
  const layout = useMemo(() => layOutPages({ pages, sizeOf, width, rotation }), [pages, sizeOf, width, rotation]);
  const contentWidth = Math.max(view?.width ?? 0, width + 2 * pageGap);
  const left = Math.round((contentWidth - width) / 2);

  /** Draws the pages in view at once, without waiting for the scroll event. */
  const update = useCallback(() => {
    const element = frame.current;
    if (element === null || element.clientHeight === 0) return;
    const { scrollTop, clientHeight } = element;
    const inView = { from: pageAt(layout, scrollTop), to: pageAt(layout, scrollTop + clientHeight) };
    const from = Math.max(inView.from - overscan, 1);
    const to = Math.min(inView.to + overscan, pages);
    setRange((old) => (old?.inView.from === inView.from && old.inView.to === inView.to ? old : { from, to, inView }));
    setCurrentPage(pageAt(layout, scrollTop + clientHeight * 0.4));
  }, [frame, layout, pages]);

  const holdAt = useCallback(
    (viewX: number, viewY: number) => {
      const element = frame.current;
      if (element === null) return;
      hold.current = {
        anchor: anchorAt(layout, element.scrollTop + viewY),
        viewY,
        shareX: (element.scrollLeft + viewX - left) / width,
        viewX,
      };
    },
    [frame, layout, left, width],
  );

  /**
   * Returns the scroll position at which the focus is in view. If it already is, returns the
   * current position. If the focus has no boxes, or the size of its page is not known yet, returns
   * the top of the page.
   */
  const placeOf = useCallback(
    ({ page, boxes = [] }: Focus, element: HTMLElement) => {
      const top = layout.tops[page - 1] ?? 0;
      const bounds = boundsOf(boxes);
      if (bounds === undefined || !knows(page)) return { x: element.scrollLeft, y: top - pageGap };
      const frameOf = viewFrame(bounds, sizeOf(page), rotation);
      const height = layout.heights[page - 1] ?? 0;
      const [x0, x1] = [left + frameOf.x0 * width, left + frameOf.x1 * width];
      const [y0, y1] = [top + frameOf.y0 * height, top + frameOf.y1 * height];
      return {
        x: nearest(element.scrollLeft, element.clientWidth, x0, x1, 0.5),
        y: nearest(element.scrollTop, element.clientHeight, y0, y1, 0.4),
      };
    },
    [layout, knows, sizeOf, rotation, left, width],
  );

  /**
   * Scrolls to the pending focus. Before the size of its page is known, the position is only an
   * estimate, so the focus stays pending.
   */
  const goToPending = useCallback(
    (isGliding: boolean) => {
      const element = frame.current;
      const wanted = pending.current;
      if (element === null || wanted === undefined || element.clientHeight === 0) return;
      const { x, y } = placeOf(wanted, element);
      if (knows(wanted.page)) pending.current = undefined;
      cancelAnimationFrame(glide.current);
      const isNear = Math.abs(y - element.scrollTop) < 1.5 * element.clientHeight;
      if (isGliding && isNear && !prefersReducedMotion()) glideTo(element, x, y, glide);
      else element.scrollTo(x, y);
      update();
      holdAt(0, 0);
    },
    [frame, placeOf, knows, update, holdAt],
  );

  // Scrolls to the focus whenever a new focus is given.
  const lastFocus = useRef<Focus>(undefined);
  useLayoutEffect(() => {
    if (focus === lastFocus.current) return;
    lastFocus.current = focus;
    if (focus === undefined) return;
    pending.current = focus;
    setPulse((count) => count + 1);
    goToPending(true);
  }, [focus, goToPending]);

  // Runs when the layout has changed, because page sizes became known, or because the zoom, the
  // rotation or the width of the view changed.
  const lastLayout = useRef(layout);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || view === undefined) return;
    if (pending.current !== undefined) goToPending(false);
    else if (lastLayout.current !== layout && hold.current !== undefined) {
      const { anchor, viewY, shareX, viewX } = hold.current;
      cancelAnimationFrame(glide.current);
      element.scrollTo(left + shareX * width - viewX, offsetOf(layout, anchor) - viewY);
    }
    lastLayout.current = layout;
    update();
    holdAt(0, 0);
  }, [frame, layout, view, left, width, update, holdAt, goToPending]);

  useEffect(() => onPage?.(currentPage), [currentPage, onPage]);
  useWheelZoom(frame, (change, x, y) => {
    holdAt(x, y);
    setZoom(clampZoom(factor * change));
  });

  return {
    layout,
    left,
    contentWidth,
    range,
    currentPage,
    factor,
    pulse,
    onSize,
    highlightsOf: useHighlightsByPage(),
    onScroll: () => {
      update();
      holdAt(0, 0);
    },
    onUserScroll: () => {
      pending.current = undefined;
      cancelAnimationFrame(glide.current);
    },
    showPage: (page: number) => {
      pending.current = { page };
      goToPending(false);
    },
    keepCenter: () => holdAt((view?.width ?? 0) / 2, (view?.height ?? 0) / 2),
  };
}

const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function glideTo(element: HTMLElement, x: number, y: number, handle: RefObject<number>): void {
  const [fromX, fromY, start] = [element.scrollLeft, element.scrollTop, performance.now()];
  const step = (now: number) => {
    const share = Math.min(Math.max((now - start) / glideMs, 0), 1);
    const eased = 1 - (1 - share) ** 2;
    element.scrollTo(fromX + (x - fromX) * eased, fromY + (y - fromY) * eased);
    if (share < 1) handle.current = requestAnimationFrame(step);
  };
  handle.current = requestAnimationFrame(step);
}

/**
 * Returns the scroll offset at which the range `from` to `to` is in view. If it is already in view,
 * returns the current offset.
 */
function nearest(offset: number, length: number, from: number, to: number, share: number): number {
  const margin = Math.min(24, length / 10);
  if (from >= offset + margin && to <= offset + length - margin) return offset;
  const isLarge = to - from > length - 2 * margin;
  return Math.max(isLarge ? from - margin : (from + to) / 2 - share * length, 0);
}

/** Converts a box to fractions (0 to 1) of the width and height of the rotated page. */
function viewFrame([left, top, right, bottom]: Box, { width, height }: Size, rotation: Rotation) {
  const one = rotatedShares({ x: left / width, y: top / height }, rotation);
  const other = rotatedShares({ x: right / width, y: bottom / height }, rotation);
  return {
    x0: Math.min(one.x, other.x),
    x1: Math.max(one.x, other.x),
    y0: Math.min(one.y, other.y),
    y1: Math.max(one.y, other.y),
  };
}

/** Returns the inner size of the scrolling element; undefined until the browser has laid it out. */
function useViewSize(frame: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0)
        setSize((old) => (old?.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}

/**
 * Returns functions that look up and record page sizes. The size of a page becomes known when its
 * words are loaded. Until then, the page is assumed to be as large as the first page whose size
 * became known.
 */
function usePageSizes(source: PageSource) {
  const queries = useQueryClient();
  const [sizes, setSizes] = useState<ReadonlyMap<number, Size>>(() => {
    const known = new Map<number, Size>();
    for (let page = 1; page <= source.pages; page++) {
      const words = queries.getQueryData<Size>(source.wordsOf(page).queryKey);
      if (words !== undefined) known.set(page, sane(words));
    }
    return known;
  });
  const onSize = useCallback((page: number, size: Size) => {
    const { width, height } = sane(size);
    setSizes((old) => {
      const known = old.get(page);
      return known?.width === width && known.height === height ? old : new Map(old).set(page, { width, height });
    });
  }, []);
  const sizeOf = useCallback((page: number) => sizes.get(page) ?? sizes.values().next().value ?? usualSize, [sizes]);
  const knows = useCallback((page: number) => sizes.has(page), [sizes]);
  return { sizeOf, knows, onSize };
}

/** Returns the size, or A4 for a page that could not be read. */
const sane = ({ width, height }: Size): Size => (width > 0 && height > 0 ? { width, height } : usualSize);

/**
 * Returns a function that groups highlights by page. The function returns the same array for a page
 * until the highlights change, so that pages are not rendered again.
 */
function useHighlightsByPage() {
  const groups = useRef<{ of: readonly Highlight[]; byPage: Map<number, Highlight[]> }>(undefined);
  return (page: number, highlights: readonly Highlight[]): readonly Highlight[] => {
    if (groups.current?.of !== highlights)
      groups.current = { of: highlights, byPage: Map.groupBy(highlights, (highlight) => highlight.page) };
    return groups.current.byPage.get(page) ?? none;
  };
}
const none: readonly Highlight[] = [];

/**
 * Zooms with Ctrl and the mouse wheel, or by pinching on a touchpad. Uses its own listener, because
 * React's wheel listeners cannot prevent the browser from zooming.
 */
function useWheelZoom(frame: RefObject<HTMLElement | null>, onZoom: (change: number, x: number, y: number) => void) {
  const handler = useRef(onZoom);
  useLayoutEffect(() => {
    handler.current = onZoom;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const delta = Math.max(-50, Math.min(50, event.deltaY));
      handler.current(Math.exp(-delta / 200), event.clientX - left, event.clientY - top);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [frame]);
}
