/** One segment: its pages, label, title, and the boundary before it. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Download, Eye } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { inputClasses } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Badge, type Tone } from "../../ui/page.tsx";
import { Boundary } from "./boundary.tsx";
import { PageTiles } from "./page-tiles.tsx";
import type { EditedSegment, Segments } from "./split-model.ts";

interface SegmentCardProps {
  segments: Segments;
  segment: EditedSegment;
  index: number;
  labelListId: string;
  toggleStart: (page: number) => void;
  merge: (index: number) => void;
  /** Moves the boundary before the segment `index` to a page. */
  move: (index: number, page: number) => void;
  relabel: (index: number, label: string) => void;
  retitle: (index: number, title: string) => void;
  /** Returns the address of a page's image; undefined if pages have none. */
  imageUrl?: ((page: number) => string) | undefined;
  /** Shows a page enlarged. */
  onShow?: ((page: number) => void) | undefined;
  /** Downloads the segment as PDF; undefined while this is not possible. */
  onDownload?: (() => void) | undefined;
  isDownloading: boolean;
}

export function SegmentCard({ segments, segment, index, labelListId, ...actions }: SegmentCardProps) {
  const { t } = useLingui();
  const { start, end, label, title } = segment;
  const number = index + 1;
  return (
    <li>
      {index > 0 && <Boundary segments={segments} index={index} move={actions.move} merge={actions.merge} />}
      <article
        aria-label={t`Document ${number}`}
        className="grid gap-x-8 gap-y-4 rounded-xl border border-line bg-surface p-4 xl:grid-cols-[minmax(0,2fr)_3fr] [contain-intrinsic-size:auto_12rem] [content-visibility:auto]"
      >
        <div>
          <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="font-semibold">{t`Document ${number}`}</h3>
            <span className="text-muted">{start === end ? t`Page ${start}` : t`Pages ${start} to ${end}`}</span>
            <ConfidenceBadge confidence={segment.confidence} />
          </div>
          <div className="grid gap-3 sm:grid-cols-[2fr_3fr]">
            <TextEdit
              name={t`Class`}
              label={t`Class of document ${number}`}
              value={label}
              maxLength={200}
              isRequired
              list={labelListId}
              onChange={(text) => actions.relabel(index, text)}
            />
            <TextEdit
              name={t`Title`}
              label={t`Title of document ${number}`}
              value={title}
              maxLength={500}
              onChange={(text) => actions.retitle(index, text)}
            />
          </div>
          <div className="mt-3 flex flex-wrap gap-2">
            {actions.onShow !== undefined && (
              <Button small aria-label={t`Show pages of document ${number}`} onClick={() => actions.onShow?.(start)}>
                <Eye size={16} aria-hidden />
                <Trans>Show pages</Trans>
              </Button>
            )}
            {actions.onDownload !== undefined && (
              <Button
                small
                busy={actions.isDownloading}
                aria-label={t`Download PDF of document ${number}`}
                onClick={actions.onDownload}
              >
                <Download size={16} aria-hidden />
                <Trans>Download PDF</Trans>
              </Button>
            )}
          </div>
        </div>
        <PageTiles segment={segment} toggleStart={actions.toggleStart} imageUrl={actions.imageUrl} />
      </article>
    </li>
  );
}

/** A class gets a `success` badge if its confidence is at least this. */
const sureShare = 0.8;
/** A class is shown as a guess if its confidence is lower than this. */
const guessShare = 0.5;

function ConfidenceBadge({ confidence }: { confidence: number | null }) {
  const { t } = useLingui();
  const { percent } = useFormats();
  if (confidence === null) return <Badge>{t`Set by hand`}</Badge>;
  const share = percent(confidence);
  const tone: Tone = confidence >= sureShare ? "success" : confidence >= guessShare ? "warning" : "danger";
  return (
    <Badge tone={tone}>
      {confidence >= guessShare ? t`${share} sure of the class` : t`Class is a guess (${share})`}
    </Badge>
  );
}

interface TextEditProps {
  name: string;
  /** Accessible name of the input, which includes the document that it belongs to. */
  label: string;
  value: string;
  maxLength: number;
  isRequired?: boolean;
  list?: string;
  onChange: (value: string) => void;
}

/**
 * A text input that applies its text only when it loses the focus or the user presses Enter, so
 * that the whole text can be undone in one step.
 */
function TextEdit({ name, label, value, maxLength, isRequired = false, list, onChange }: TextEditProps) {
  const [text, setText] = useState<string>();
  const isReverted = useRef(false);
  const commit = () => {
    const next = (text ?? value).trim();
    setText(undefined);
    if (!isReverted.current && next !== value && !(isRequired && next === "")) onChange(next);
    isReverted.current = false;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape") {
      isReverted.current = true;
      event.currentTarget.blur();
      event.currentTarget.focus();
    }
  };
  return (
    <label className="flex flex-col gap-1">
      <span aria-hidden className="text-[0.85rem] text-muted">
        {name}
      </span>
      <input
        aria-label={label}
        className={inputClasses}
        list={list}
        maxLength={maxLength}
        autoComplete="off"
        value={text ?? value}
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
