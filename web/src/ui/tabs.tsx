/** Tabs. The URL identifies the selected tab, so that each tab can be linked to. */
import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

export interface TabLink {
  to: NonNullable<LinkProps["to"]>;
  params?: LinkProps["params"];
  label: ReactNode;
  exact?: boolean;
}

export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const frame = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // On a narrow screen, the selected tab may be outside of the visible part.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected tab changes with the path
  useEffect(() => {
    const selected = frame.current?.querySelector("[aria-current=page]");
    selected?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }, [path]);
  return (
    <nav ref={frame} aria-label={label} className="mb-6 overflow-x-auto border-b border-line">
      <ul className="flex gap-1">
        {tabs.map(({ to, params, label: name, exact = false }) => (
          <li key={to}>
            <Link
              to={to}
              params={params as never}
              activeOptions={{ exact }}
              className="-mb-px inline-block border-b-2 border-transparent px-3 py-2.5 whitespace-nowrap text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
