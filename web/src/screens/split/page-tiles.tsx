/**
 * Shows the pages of a segment as tiles. A click on the first tile merges the segment with the
 * previous one, if there is one. A click on any other tile starts a new segment at that page.
 */
import { useLingui } from "@lingui/react/macro";
import type { KeyboardEvent } from "react";
import { classes } from "../../ui/classes.ts";
import type { EditedSegment } from "./split-model.ts";

interface PageTilesProps {
  segment: EditedSegment;
  toggleStart: (page: number) => void;
  imageUrl?: ((page: number) => string) | undefined;
}

export function PageTiles({ segment: { start, end }, toggleStart, imageUrl }: PageTilesProps) {
  const { t } = useLingui();
  const pages = Array.from({ length: end - start + 1 }, (_, at) => start + at);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
    <div role="group" aria-label={t`Pages of this document`} className="flex flex-wrap gap-2">
      {pages.map((page) => {
        const isStart = page === start;
        const label =
          page === 1
            ? t`Page 1`
            : isStart
              ? t`Page ${page} begins this document. Merge it with the previous document.`
              : t`Page ${page}. Begin a new document here.`;
        return (
          <button
            key={page}
            type="button"
            data-page={page}
            aria-label={label}
            title={label}
            aria-disabled={page === 1}
            // The Tab key reaches only the first page of each document; the arrow keys move between
            // pages.
            tabIndex={isStart ? 0 : -1}
            onKeyDown={(event) => moveFocus(event, page)}
            onClick={() => page > 1 && toggleStart(page)}
            className={classes(
              "relative flex items-end justify-center rounded-sm border bg-page pb-1.5 text-[0.87rem] tabular-nums",
              imageUrl === undefined ? "h-20 w-15" : "h-36 w-26",
              "data-[drop=before]:shadow-[-5px_0_0_var(--accent)] data-[drop=after]:shadow-[5px_0_0_var(--accent)]",
              isStart ? "border-accent font-semibold text-accent" : "border-line-strong/60 hover:border-accent",
            )}
          >
            {imageUrl === undefined ? (
              <BlankPage isStart={isStart} />
            ) : (
              <img
                src={imageUrl(page)}
                alt=""
                loading="lazy"
                className="absolute inset-0 size-full rounded-sm bg-white object-contain object-top"
              />
            )}
            <span className="relative rounded bg-surface px-1.5">{page}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Shown instead of the image of a page if there is none. */
const BlankPage = ({ isStart }: { isStart: boolean }) => (
  <span aria-hidden className="absolute inset-x-2.5 top-3 flex flex-col gap-1.5">
    {isStart && <span className="h-1 w-3/5 rounded-full bg-accent" />}
    <span className="h-0.5 rounded-full bg-line" />
    <span className="h-0.5 rounded-full bg-line" />
    <span className="h-0.5 w-2/3 rounded-full bg-line" />
  </span>
);

const steps: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Moves the focus to the previous or next page, which may be in another document. */
function moveFocus(event: KeyboardEvent, page: number): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  document.querySelector<HTMLElement>(`[data-page="${page + step}"]`)?.focus();
}
