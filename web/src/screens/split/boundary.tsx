/**
 * The boundary between two segments. The user moves it by dragging it onto a page, or with the
 * arrow keys.
 */
import { useLingui } from "@lingui/react/macro";
import { GripHorizontal, Merge } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { boundaryRange, type Segments } from "./split-model.ts";

interface BoundaryProps {
  segments: Segments;
  /** Index of the segment after the boundary. */
  index: number;
  move: (index: number, page: number) => void;
  merge: (index: number) => void;
}

export function Boundary({ segments, index, move, merge }: BoundaryProps) {
  const { t } = useLingui();
  const drop = useRef<{ tile: HTMLElement; page: number }>(undefined);
  const range = boundaryRange(segments, index);
  const page = segments[index]?.start;
  if (range === undefined || page === undefined) return null;
  const before = index;
  const after = index + 1;

  const mark = (found: typeof drop.current, side?: "before" | "after") => {
    delete drop.current?.tile.dataset.drop;
    drop.current = found;
    if (found !== undefined && side !== undefined) found.tile.dataset.drop = side;
  };
  // Moves the pages only when the pointer is released, because otherwise they would move away from
  // the pointer.
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const tile = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-page]");
    if (!tile) return mark(undefined);
    const { left, width } = tile.getBoundingClientRect();
    const side = event.clientX < left + width / 2 ? "before" : "after";
    const first = Number(tile.dataset.page) + (side === "after" ? 1 : 0);
    if (first >= range.min && first <= range.max) mark({ tile, page: first }, side);
    else mark(undefined);
  };
  const onPointerUp = () => {
    const target = drop.current?.page;
    mark(undefined);
    if (target !== undefined) move(index, target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowLeft: page - 1,
      ArrowUp: page - 1,
      ArrowRight: page + 1,
      ArrowDown: page + 1,
      Home: range.min,
      End: range.max,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      move(index, target);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      merge(index);
    }
  };
  return (
    <div className="my-1 flex items-center gap-2">
      <div
        role="slider"
        tabIndex={0}
        aria-label={t`Boundary between document ${before} and document ${after}`}
        aria-orientation="horizontal"
        aria-valuemin={range.min}
        aria-valuemax={range.max}
        aria-valuenow={page}
        aria-valuetext={t`Document ${after} begins on page ${page}`}
        title={t`Drag onto a page, or use the arrow keys`}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => mark(undefined)}
        onKeyDown={onKeyDown}
        className="group flex min-w-0 grow cursor-grab touch-none items-center gap-3 rounded-md px-2 py-2 text-muted select-none hover:text-accent active:cursor-grabbing"
      >
        <span aria-hidden className="h-px grow bg-line-strong/50 group-hover:bg-accent group-focus-visible:bg-accent" />
        <GripHorizontal size={20} aria-hidden />
        <span aria-hidden className="h-px grow bg-line-strong/50 group-hover:bg-accent group-focus-visible:bg-accent" />
      </div>
      <Button
        small
        look="quiet"
        aria-label={t`Merge: document ${before} and document ${after}`}
        onClick={() => merge(index)}
      >
        <Merge size={15} aria-hidden />
        {t`Merge`}
      </Button>
    </div>
  );
}
