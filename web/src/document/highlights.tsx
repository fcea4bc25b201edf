/** Boxes drawn over a page to mark values and quotes. */
import { classes } from "../ui/classes.ts";
import { type Box, boundsOf, percentages, type Size } from "./geometry.ts";

/**
 * `current`: the selected value. `other`: another value, outlined while the pointer is over it.
 * `citation`: a quote that an answer cites.
 */
export type HighlightTone = "current" | "other" | "citation";

export interface Highlight {
  page: number;
  boxes: readonly Box[];
  tone: HighlightTone;
  /** Text shown while the pointer is over the box, such as the name of the field. */
  label?: string | undefined;
}

const tones: Record<HighlightTone, string> = {
  current: "bg-highlight/45 outline-2 outline-(--paper-current) mix-blend-multiply",
  other: "",
  citation: "bg-highlight/40 mix-blend-multiply",
};

interface HighlightBoxesProps {
  highlight: Highlight;
  size: Size;
  isHovered: boolean;
  /** A counter. When it changes, the current boxes pulse once. */
  pulse: number;
}

export function HighlightBoxes({ highlight, size, isHovered, pulse }: HighlightBoxesProps) {
  const { boxes, tone, label } = highlight;
  const bounds = boundsOf(boxes);
  return (
    <>
      {boxes.map((box) => (
        <div
          key={`${pulse} ${box.join(" ")}`}
          data-highlight={tone}
          className={classes(
            "pointer-events-none absolute rounded-[2px]",
            tones[tone],
            isHovered && tone !== "current" && "outline outline-(--paper-outline)",
            tone !== "other" && pulse > 0 && "document-pulse",
          )}
          style={percentages(box, size)}
        />
      ))}
      {isHovered && label !== undefined && bounds !== undefined && (
        <div
          className="pointer-events-none absolute z-10 max-w-[60%] truncate rounded bg-ink px-1.5 py-0.5 text-xs text-page"
          style={{ left: percentages(bounds, size).left, bottom: `${100 - (100 * bounds[1]) / size.height}%` }}
          aria-hidden
        >
          {label}
        </div>
      )}
    </>
  );
}
