/**
 * Shows a document: its pages with words, highlights and a toolbar. All screens use this viewer.
 */
import { useLingui } from "@lingui/react/macro";
import { type ReactNode, useRef, useState } from "react";
import { classes } from "../ui/classes.ts";
import type { Rotation } from "./geometry.ts";
import type { Highlight } from "./highlights.tsx";
import { type PageCallbacks, PageSheet } from "./page-sheet.tsx";
import type { PageSource } from "./page-source.ts";
import { Thumbnails } from "./thumbnails.tsx";
import { type Focus, usePageScroll } from "./use-page-scroll.ts";
import { ViewToolbar } from "./view-toolbar.tsx";
import { nextZoom, type Zoom } from "./zoom.ts";
import "./document.css";

interface PageViewProps extends PageCallbacks {
  source: PageSource;
  /** Accessible name, such as the name of the file. */
  label: string;
  highlights?: readonly Highlight[];
  /**
   * Page and boxes to scroll to. Passing a new object scrolls again, and makes the highlights
   * pulse.
   */
  focus?: Focus | undefined;
  /**
   * True if dragging draws a box even when the drawing tool is not selected, for example while a
   * value is edited.
   */
  drawing?: boolean;
  /** Called when another page comes into view. */
  onPage?: (page: number) => void;
  /** Additional buttons, shown at the end of the toolbar. */
  actions?: ReactNode;
  /** True if the thumbnails are open at first. Default: false. */
  thumbnails?: boolean;
  /** Classes of the outer element. They must give it a height. */
  className?: string;
}

export const PageView = (props: PageViewProps) => <Viewer key={props.source.id} {...props} />;

const noHighlights: readonly Highlight[] = [];

function Viewer(props: PageViewProps) {
  const { source, label, highlights = noHighlights, focus, drawing = false, onWord, onBox, actions } = props;
  const { t } = useLingui();
  const frame = useRef<HTMLElement>(null);
  const [zoom, setZoom] = useState<Zoom>(1);
  const [rotation, setRotation] = useState<Rotation>(0);
  const [hasThumbnails, setThumbnails] = useState(props.thumbnails ?? false);
  const [isBoxTool, setBoxTool] = useState(false);
  const scroll = usePageScroll({ frame, source, zoom, rotation, setZoom, focus, onPage: props.onPage });
  const { layout, left, contentWidth, range, currentPage } = scroll;
  const isDrawing = onBox !== undefined && (drawing || isBoxTool);
  const shown = range === undefined ? [] : Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
  return (
    <div className={classes("@container flex min-h-0 min-w-0 flex-col bg-sunken", props.className)}>
      <ViewToolbar
        pages={source.pages}
        currentPage={currentPage}
        onPage={scroll.showPage}
        zoom={zoom}
        onZoom={(next) => {
          scroll.keepCenter();
          setZoom(next);
        }}
        onRotate={() => setRotation(((rotation + 90) % 360) as Rotation)}
        hasThumbnails={hasThumbnails}
        onThumbnails={setThumbnails}
        boxTool={onBox === undefined ? undefined : { isOn: isDrawing, isForced: drawing, onChange: setBoxTool }}
        actions={actions}
      />
      <div className="flex min-h-0 grow">
        {hasThumbnails && (
          <Thumbnails source={source} currentPage={currentPage} highlights={highlights} onPage={scroll.showPage} />
        )}
        <section
          ref={frame}
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          className="relative min-w-0 grow overflow-x-auto overflow-y-scroll overscroll-contain focus-visible:-outline-offset-2"
          onScroll={scroll.onScroll}
          onPointerDown={scroll.onUserScroll}
          onTouchMove={scroll.onUserScroll}
          onKeyDown={(event) => {
            scroll.onUserScroll();
            if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
            const step = event.key === "+" || event.key === "=" ? 1 : event.key === "-" ? -1 : 0;
            if (step === 0 && event.key !== "0") return;
            event.preventDefault();
            scroll.keepCenter();
            setZoom(step === 0 ? 1 : nextZoom(scroll.factor, step));
          }}
        >
          <div className="relative" style={{ width: contentWidth, height: layout.total }}>
            {range !== undefined &&
              shown.map((page) => (
                <PageSheet
                  key={page}
                  source={source}
                  page={page}
                  top={layout.tops[page - 1] ?? 0}
                  left={left}
                  width={layout.width}
                  height={layout.heights[page - 1] ?? 0}
                  rotation={rotation}
                  highlights={scroll.highlightsOf(page, highlights)}
                  pulse={scroll.pulse}
                  isDrawing={isDrawing}
                  isInView={page >= range.inView.from && page <= range.inView.to}
                  isUrgent={page === focus?.page || page === currentPage}
                  onSize={scroll.onSize}
                  onWord={onWord}
                  onBox={onBox}
                />
              ))}
          </div>
        </section>
      </div>
      <p role="status" className="sr-only">
        {t`Page ${currentPage} of ${source.pages}`}
      </p>
    </div>
  );
}
