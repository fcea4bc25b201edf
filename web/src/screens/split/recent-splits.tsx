/** Lists classifications that were started in this browser and that the service still has. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useRef, useState } from "react";
import { IconButton } from "../../ui/button.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Badge } from "../../ui/page.tsx";
import { readRecent, removeRecent } from "./split-storage.ts";

export function RecentSplits({ owner }: { owner: string }) {
  const { t } = useLingui();
  const { dateTime } = useFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  const [recent, setRecent] = useState(() => readRecent(owner));
  if (recent.length === 0) return null;
  return (
    <section className="mt-10">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        <Trans>Started in this browser</Trans>
      </h2>
      <p className="mb-3 text-muted">
        <Trans>Results and corrections are kept for seven days.</Trans>
      </p>
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {recent.map(({ id, name, startedAt, segments }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2.5">
            <Link
              to="/split"
              search={{ classification: id }}
              className="min-w-0 grow font-medium break-all hover:underline"
            >
              {name}
            </Link>
            {segments !== undefined && <Badge tone="accent">{t`Corrected`}</Badge>}
            <span className="shrink-0 text-[0.87rem] text-muted">{dateTime(startedAt)}</span>
            <IconButton
              label={t`Remove ${name} from this list`}
              onClick={() => {
                removeRecent(owner, id);
                setRecent(readRecent(owner));
                heading.current?.focus();
              }}
            >
              <X size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
