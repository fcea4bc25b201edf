/** Shows how much of a limit is used, as a bar and as numbers. */
import { useLingui } from "@lingui/react/macro";
import { useFormats } from "../../ui/formats.ts";

interface UsageBarProps {
  label: string;
  used: number;
  /** The limit; null if there is none. */
  limit: number | null;
}

/** The bar is shown as a warning if at least this share (0 to 1) of the limit is used. */
const nearShare = 0.8;

export function UsageBar({ label, used, limit }: UsageBarProps) {
  const { t } = useLingui();
  const { number, percent } = useFormats();
  const share = limit === null ? 0 : limit === 0 ? Number(used > 0) : used / limit;
  const color = share > 1 ? "bg-danger" : share >= nearShare ? "bg-warning" : "bg-accent";
  const [shownUsed, shownLimit, shownShare] = [number(used), number(limit ?? 0), percent(share)];
  const words = limit === null ? t`${shownUsed}, without a limit` : t`${shownUsed} of ${shownLimit} (${shownShare})`;
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className="tabular-nums">{words}</span>
      </div>
      {limit !== null && (
        <div aria-hidden className="h-3 overflow-hidden rounded-full border border-line bg-sunken">
          <div className={`h-full rounded-full ${color}`} style={{ width: `${Math.min(1, share) * 100}%` }} />
        </div>
      )}
      {share > 1 && <p className="mt-2 text-[0.9rem] text-danger">{t`More is used than the plan includes.`}</p>}
      {share >= nearShare && share <= 1 && (
        <p className="mt-2 text-[0.9rem] text-warning">{t`The limit is nearly reached.`}</p>
      )}
    </div>
  );
}
