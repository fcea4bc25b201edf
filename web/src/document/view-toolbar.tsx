/** Toolbar of the page view: page, zoom, rotation, thumbnails, tool. */
import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronDown, ChevronUp, PanelLeft, RotateCw, SquareDashedMousePointer, ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { useFormats } from "../ui/formats.ts";
import { nextZoom, type Zoom } from "./zoom.ts";

interface ViewToolbarProps {
  pages: number;
  currentPage: number;
  onPage: (page: number) => void;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  onRotate: () => void;
  hasThumbnails: boolean;
  onThumbnails: (isShown: boolean) => void;
  boxTool: { isOn: boolean; isForced: boolean; onChange: (isOn: boolean) => void } | undefined;
  actions: ReactNode;
}

const choices = [1.5, 2, 3, 4];
const controlClasses = "rounded-md border border-line-strong/50 bg-surface text-[0.87rem]";

export function ViewToolbar(props: ViewToolbarProps) {
  const { pages, currentPage, onPage, zoom, onZoom, boxTool } = props;
  const { t } = useLingui();
  const { percent } = useFormats();
  const factor = zoom === "page" ? 0.75 : zoom;
  const isOther = zoom !== "page" && zoom !== 1 && !choices.includes(zoom);
  return (
    <div
      role="toolbar"
      aria-label={t`View`}
      className="flex shrink-0 flex-wrap items-center gap-x-1 gap-y-0.5 border-b border-line bg-surface px-2 py-1"
    >
      <IconButton
        label={t`Thumbnails`}
        aria-pressed={props.hasThumbnails}
        onClick={() => props.onThumbnails(!props.hasThumbnails)}
        className={classes(props.hasThumbnails && "bg-accent-soft text-accent")}
      >
        <PanelLeft size={18} aria-hidden />
      </IconButton>
      <IconButton
        label={t`Previous page`}
        disabled={currentPage <= 1}
        onClick={() => onPage(currentPage - 1)}
        className="@max-md:hidden"
      >
        <ChevronUp size={18} aria-hidden />
      </IconButton>
      <IconButton
        label={t`Next page`}
        disabled={currentPage >= pages}
        onClick={() => onPage(currentPage + 1)}
        className="@max-md:hidden"
      >
        <ChevronDown size={18} aria-hidden />
      </IconButton>
      <PageInput pages={pages} currentPage={currentPage} onPage={onPage} />
      <span className="grow" />
      <IconButton label={t`Zoom out`} onClick={() => onZoom(nextZoom(factor, -1))} className="@max-sm:hidden">
        <ZoomOut size={18} aria-hidden />
      </IconButton>
      <select
        aria-label={t`Zoom`}
        value={String(zoom)}
        onChange={({ target }) => onZoom(target.value === "page" ? "page" : Number(target.value))}
        className={classes(controlClasses, "h-8 max-w-28 px-1")}
      >
        <option value="1">{t`Fit width`}</option>
        <option value="page">{t`Fit page`}</option>
        {isOther && <option value={String(zoom)}>{percent(zoom)}</option>}
        {choices.map((choice) => (
          <option key={choice} value={String(choice)}>
            {percent(choice)}
          </option>
        ))}
      </select>
      <IconButton label={t`Zoom in`} onClick={() => onZoom(nextZoom(factor, 1))} className="@max-sm:hidden">
        <ZoomIn size={18} aria-hidden />
      </IconButton>
      <IconButton label={t`Rotate`} onClick={props.onRotate}>
        <RotateCw size={18} aria-hidden />
      </IconButton>
      {boxTool !== undefined && (
        <IconButton
          label={t`Draw a box`}
          aria-pressed={boxTool.isOn}
          disabled={boxTool.isForced}
          onClick={() => boxTool.onChange(!boxTool.isOn)}
          className={classes(boxTool.isOn && "bg-accent-soft text-accent disabled:opacity-100")}
        >
          <SquareDashedMousePointer size={18} aria-hidden />
        </IconButton>
      )}
      {props.actions}
    </div>
  );
}

/** Input with the number of the page in view. Entering another number scrolls to that page. */
function PageInput({ pages, currentPage, onPage }: Pick<ViewToolbarProps, "pages" | "currentPage" | "onPage">) {
  const { t } = useLingui();
  const [typed, setTyped] = useState<string>();
  const go = () => {
    const page = Number.parseInt(typed ?? "", 10);
    setTyped(undefined);
    if (page >= 1) onPage(Math.min(page, pages));
  };
  return (
    <form
      className="flex items-center gap-1.5 text-[0.87rem] whitespace-nowrap text-muted"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <input
        aria-label={t`Page`}
        inputMode="numeric"
        value={typed ?? String(currentPage)}
        onChange={({ target }) => setTyped(target.value.replace(/\D/g, ""))}
        onFocus={({ target }) => target.select()}
        onBlur={() => typed !== undefined && go()}
        className={classes(controlClasses, "h-8 w-12 px-1 text-center text-ink")}
      />
      <Trans>of {pages}</Trans>
    </form>
  );
}
