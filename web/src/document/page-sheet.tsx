/**
 * Shows one page: image, words and highlights. Handles clicks, hovering and dragging on the page.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import {
  memo,
  type PointerEvent,
  type MouseEvent as ReactMouseEvent,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";
import { useErrorWords } from "../app/error-words.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { abandonWhenRemoved } from "./abandon-image.ts";
import {
  type Box,
  boxAt,
  boxBetween,
  type Point,
  percentages,
  type Rotation,
  rotatedSize,
  type Size,
  uprightShares,
  wordsInside,
} from "./geometry.ts";
import { type Highlight, HighlightBoxes } from "./highlights.tsx";
import type { PageSource, PageWords } from "./page-source.ts";
import { TextLayer } from "./text-layer.tsx";
import { useDelayed } from "./use-delayed.ts";

/** A box that the user drew. */
export interface DrawnBox {
  page: number;
  box: Box;
  /** Indexes of the words whose centre is inside the box, in reading order. */
  words: number[];
}

export interface PageCallbacks {
  /** Called when a word was clicked. */
  onWord?: ((page: number, word: number, words: PageWords) => void) | undefined;
  /** Called when the user has drawn a box. If absent, drawing is not possible. */
  onBox?: ((drawn: DrawnBox, words: PageWords) => void) | undefined;
}

interface PageSheetProps extends PageCallbacks {
  source: PageSource;
  page: number;
  top: number;
  left: number;
  width: number;
  height: number;
  rotation: Rotation;
  highlights: readonly Highlight[];
  pulse: number;
  isDrawing: boolean;
  /** True if the page is in view; false if it is only drawn in advance. */
  isInView: boolean;
  /**
   * True if the page loads immediately; otherwise it loads only after it has stayed in view for a
   * moment.
   */
  isUrgent: boolean;
  onSize: (page: number, size: Size) => void;
}

/** Classes for words over their image: transparent, so that only a selection is visible. */
const hiddenText = "text-transparent selection:bg-(--paper-selection) selection:text-transparent";

/** How long a page must stay in view before it is loaded, in milliseconds. */
const loadDelayMs = 60;
/** How long a page must stay near the view before it is loaded, in milliseconds. */
const nearDelayMs = 500;

export const PageSheet = memo(function PageSheet(props: PageSheetProps) {
  const { source, page, rotation, highlights, pulse, isInView, isUrgent, onSize, width, height } = props;
  const { t } = useLingui();
  const hasStayed = useDelayed(loadDelayMs);
  const hasStayedLong = useDelayed(nearDelayMs);
  const isWanted = isUrgent || hasStayedLong || (isInView && hasStayed);
  const { data: words, error, refetch, dataUpdatedAt } = useQuery({ ...source.wordsOf(page), enabled: isWanted });
  const [image, setImage] = useState<"loading" | "loaded" | "broken">("loading");
  // If the words are loaded again, for example after signing in, tries a broken image again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the words were loaded
  useEffect(() => setImage((state) => (state === "broken" ? "loading" : state)), [dataUpdatedAt]);
  useLayoutEffect(() => {
    if (words !== undefined) onSize(page, { width: words.width, height: words.height });
  }, [words, page, onSize]);
  const pointer = usePointer(props, words);
  const hasImage = source.hasImage && words?.has_image !== false;
  // While the image loads, shows the words if they come from a text layer. Words from OCR stay
  // hidden, because they look odd as text.
  const areWordsShown = !hasImage || image === "broken" || (image === "loading" && words?.source === "text");
  const upright = rotatedSize({ width, height }, rotation);
  return (
    <section
      aria-label={t`Page ${page}`}
      aria-busy={words === undefined && error === null}
      data-page={page}
      className={classes(
        "absolute bg-(--paper) shadow-[0_1px_4px_rgb(0_0_0/0.25)] select-text",
        props.isDrawing ? "cursor-crosshair touch-none select-none" : "cursor-text",
      )}
      style={{ top: props.top, left: props.left, width, height }}
      {...pointer.handlers}
    >
      <div
        className="@container absolute top-1/2 left-1/2 overflow-hidden"
        style={{ ...upright, transform: `translate(-50%, -50%) rotate(${rotation}deg)` }}
      >
        {hasImage && image !== "broken" && (words !== undefined || error !== null) && (
          <PageImage
            source={source}
            page={page}
            width={upright.width}
            isLoaded={image === "loaded"}
            onChange={setImage}
          />
        )}
        {words === undefined && error === null && (
          <p className="pt-[20%] text-center text-2xl text-(--paper-muted)" aria-hidden>
            {page}
          </p>
        )}
        {words !== undefined && (
          <>
            {/* Renders the highlights first, because hundreds of words would delay them. */}
            {hasStayed && (isInView || hasStayedLong) && (
              <div className={areWordsShown ? "text-(--paper-ink)" : hiddenText}>
                <TextLayer words={words} isOnlyText={!hasImage} />
              </div>
            )}
            {highlights.map((highlight, index) => {
              const isHovered = pointer.hovered === highlight;
              if (highlight.tone === "other" && !isHovered) return null;
              const isPulsing = highlight.tone !== "other";
              return (
                <HighlightBoxes
                  // biome-ignore lint/suspicious/noArrayIndexKey: highlights have no other identity
                  key={index}
                  highlight={highlight}
                  size={words}
                  isHovered={isHovered}
                  pulse={isPulsing ? pulse : 0}
                />
              );
            })}
            {pointer.drawn !== undefined && (
              <div
                className="pointer-events-none absolute border-2 border-(--paper-outline) bg-(--paper-outline)/15"
                style={percentages(pointer.drawn, words)}
              />
            )}
          </>
        )}
      </div>
      {error !== null && words === undefined && <PageFailure page={page} error={error} onRetry={() => refetch()} />}
      {error === null && hasImage && image === "broken" && (
        <ImageFailure onRetry={() => setImage("loading")} hasWords={words !== undefined && words.words.length > 0} />
      )}
    </section>
  );
});

interface PageImageProps {
  source: PageSource;
  page: number;
  width: number;
  isLoaded: boolean;
  onChange: (state: "loaded" | "broken") => void;
}

const PageImage = ({ source, page, width, isLoaded, onChange }: PageImageProps) => (
  <img
    ref={abandonWhenRemoved}
    alt=""
    draggable={false}
    decoding="async"
    fetchPriority="high"
    src={source.imageUrl(page, 900)}
    srcSet={`${source.imageUrl(page, 900)} 900w, ${source.imageUrl(page, 1800)} 1800w`}
    sizes={`${Math.round(width)}px`}
    onLoad={() => onChange("loaded")}
    onError={() => onChange("broken")}
    className={classes("pointer-events-none absolute inset-0 size-full select-none", !isLoaded && "opacity-0")}
  />
);

function PageFailure({ page, error, onRetry }: { page: number; error: Error; onRetry: () => void }) {
  const wordsOf = useErrorWords();
  return (
    <div
      role="alert"
      className="absolute inset-x-4 top-8 mx-auto max-w-sm rounded-lg border border-danger/50 bg-surface p-4 text-center text-ink shadow"
    >
      <p className="font-medium">
        <Trans>Page {page} could not be loaded.</Trans>
      </p>
      <p className="mt-1 text-[0.9rem] text-muted">{wordsOf(error)}</p>
      <Button small className="mt-3" onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  );
}

const ImageFailure = ({ onRetry, hasWords }: { onRetry: () => void; hasWords: boolean }) => (
  <div
    role="status"
    className="absolute inset-x-4 bottom-3 mx-auto flex max-w-md flex-wrap items-center justify-center gap-2 rounded-lg border border-line bg-surface px-3 py-1.5 text-[0.87rem] text-ink shadow"
  >
    {hasWords ? (
      <Trans>The image of this page could not be loaded. Its words are shown instead.</Trans>
    ) : (
      <Trans>The image of this page could not be loaded.</Trans>
    )}
    <Button small onClick={onRetry}>
      <Trans>Try again</Trans>
    </Button>
  </div>
);

/** Handles clicks on words, highlights under the pointer, and boxes drawn with the pointer. */
function usePointer(props: PageSheetProps, words: PageWords | undefined) {
  const { page, rotation, highlights, isDrawing, onWord, onBox } = props;
  const [hovered, setHovered] = useState<Highlight>();
  const [drag, setDrag] = useState<{ from: Point; to: Point }>();
  const drawn = drag && words && boxBetween(drag.from, drag.to, words);

  const pointOf = (event: ReactMouseEvent, { width, height }: Size): Point => {
    const frame = event.currentTarget.getBoundingClientRect();
    const share = { x: (event.clientX - frame.left) / frame.width, y: (event.clientY - frame.top) / frame.height };
    const upright = uprightShares(share, rotation);
    return { x: upright.x * width, y: upright.y * height };
  };

  useEffect(() => {
    if (drag === undefined) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setDrag(undefined);
    };
    addEventListener("keydown", cancel, true);
    return () => removeEventListener("keydown", cancel, true);
  }, [drag]);

  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (!isDrawing || onBox === undefined || words === undefined || event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      const point = pointOf(event, words);
      setDrag({ from: point, to: point });
    },
    onPointerMove: (event: PointerEvent) => {
      if (words === undefined) return;
      if (drag !== undefined) setDrag({ ...drag, to: pointOf(event, words) });
      else if (event.pointerType === "mouse") setHovered(highlightAt(highlights, pointOf(event, words)));
    },
    onPointerLeave: () => setHovered(undefined),
    onPointerUp: () => {
      setDrag(undefined);
      if (drawn === undefined || drag === undefined || words === undefined) return;
      // A click selects the word or bar code under the pointer. A bar code may have several words.
      const word = isTiny(drawn, words) ? boxAt(words.boxes, drag.to, words.width / 200) : undefined;
      const box = word === undefined ? drawn : words.boxes[word];
      if (box === undefined || isTiny(box, words)) return;
      onBox?.({ page, box, words: wordsInside(words.boxes, box) }, words);
    },
    // Keeps the focus in the control that is being edited.
    onMouseDown: (event: ReactMouseEvent) => {
      if (isDrawing) event.preventDefault();
    },
    onPointerCancel: () => setDrag(undefined),
    onClick: (event: ReactMouseEvent) => {
      if (words === undefined || onWord === undefined || isDrawing) return;
      if (getSelection()?.isCollapsed === false) return;
      const word = boxAt(words.boxes, pointOf(event, words), words.width / 200);
      if (word !== undefined) onWord(page, word, words);
    },
  };
  return { handlers, hovered, drawn };
}

/** Returns true if the box is so small that the user clicked rather than dragged. */
const isTiny = ([left, top, right, bottom]: Box, { width }: Size) =>
  right - left < width / 300 && bottom - top < width / 300;

const highlightAt = (highlights: readonly Highlight[], point: Point) =>
  highlights.find(({ boxes }) => boxAt(boxes, point) !== undefined);
