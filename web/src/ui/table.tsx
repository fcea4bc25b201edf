/** Tables that scroll inside their frame, so that they stay readable on narrow screens. */
import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";

export const Table = ({ caption, children }: { caption: string; children: ReactNode }) => (
  // Uses relative positioning, because visually hidden text inside would otherwise make the page
  // wider.
  <section
    aria-label={caption}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    tabIndex={0}
    className="relative overflow-x-auto rounded-xl border border-line bg-surface"
  >
    <table className="w-full text-left text-[0.93rem]">
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  </section>
);

export const HeadCell = ({ className, ...rest }: ComponentProps<"th">) => (
  <th
    scope="col"
    className={classes(
      "border-b border-line px-4 py-2.5 text-[0.85rem] font-medium whitespace-nowrap text-muted",
      className,
    )}
    {...rest}
  />
);

export const Cell = ({ className, ...rest }: ComponentProps<"td">) => (
  <td className={classes("border-b border-line px-4 py-2.5 [tr:last-child>&]:border-b-0", className)} {...rest} />
);
