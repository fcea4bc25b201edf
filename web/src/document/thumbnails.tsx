/** Strip of small page images beside the page view. */
import { useLingui } from "@lingui/react/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { classes } from "../ui/classes.ts";
import { abandonWhenRemoved } from "./abandon-image.ts";
import type { Highlight } from "./highlights.tsx";
import type { PageSource } from "./page-source.ts";
import { useDelayed } from "./use-delayed.ts";

interface ThumbnailsProps {
  source: PageSource;
  currentPage: number;
  highlights: readonly Highlight[];
  onPage: (page: number) => void;
}

const itemHeight = 132;
/**
 * Delay before thumbnails are loaded, in milliseconds, so that the pages in view are loaded first.
 */
const loadDelayMs = 400;

export function Thumbnails({ source, currentPage, highlights, onPage }: ThumbnailsProps) {
  const { t } = useLingui();
  const frame = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: source.pages,
    getScrollElement: () => frame.current,
    estimateSize: () => itemHeight,
    overscan: 2,
    paddingStart: 8,
    paddingEnd: 8,
  });
  useEffect(() => virtual.scrollToIndex(currentPage - 1, { align: "auto" }), [virtual, currentPage]);
  const marked = new Set(highlights.flatMap(({ tone, page }) => (tone === "other" ? [] : [page])));
  return (
    <nav
      ref={frame}
      aria-label={t`Thumbnails`}
      className="w-24 shrink-0 overflow-y-auto border-r border-line bg-surface sm:w-28"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <li key={index} className="absolute inset-x-0" style={{ top: start, height: itemHeight }}>
            <Thumbnail
              source={source}
              page={index + 1}
              isCurrent={index + 1 === currentPage}
              isMarked={marked.has(index + 1)}
              onClick={() => onPage(index + 1)}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ThumbnailProps {
  source: PageSource;
  page: number;
  isCurrent: boolean;
  isMarked: boolean;
  onClick: () => void;
}

function Thumbnail({ source, page, isCurrent, isMarked, onClick }: ThumbnailProps) {
  const { t } = useLingui();
  const [isBroken, setBroken] = useState(false);
  const isWanted = useDelayed(loadDelayMs);
  return (
    <button
      type="button"
      aria-label={isMarked ? t`Page ${page}, with marked words` : t`Page ${page}`}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onClick}
      className="flex size-full flex-col items-center gap-1 rounded-md px-2 py-1 hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span
        className={classes(
          "relative flex min-h-0 w-full grow items-center justify-center overflow-hidden rounded-sm outline",
          isCurrent ? "outline-2 outline-accent" : "outline-line-strong/40",
          "bg-(--paper)",
        )}
      >
        {source.hasImage && isWanted && !isBroken && (
          <img
            ref={abandonWhenRemoved}
            alt=""
            fetchPriority="low"
            decoding="async"
            draggable={false}
            src={source.imageUrl(page, 900)}
            onError={() => setBroken(true)}
            className="size-full object-contain"
          />
        )}
        {isMarked && (
          <span className="absolute top-1 right-1 size-2.5 rounded-full bg-highlight outline outline-(--paper-current)" />
        )}
      </span>
      <span className={classes("text-xs", isCurrent ? "font-semibold text-accent" : "text-muted")}>{page}</span>
    </button>
  );
}
