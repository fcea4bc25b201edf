/** Shows how many values are left to check, and lets the user choose the order of the fields. */
import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { SortOrder } from "./field-order.ts";

interface PanelHeadProps {
  counts: { toLook: number; corrected: number; confirmed: number };
  order: SortOrder;
  onOrder: (order: SortOrder) => void;
}

export function PanelHead({ counts, order, onOrder }: PanelHeadProps) {
  const { t } = useLingui();
  const { toLook, corrected, confirmed } = counts;
  const isUntouched = corrected + confirmed === 0;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5 text-[0.87rem]">
      <p className="grow" role="status">
        {toLook === 0
          ? isUntouched
            ? t`No value needs a check`
            : t`All values are checked`
          : plural(toLook, { one: "# value to check", other: "# values to check" })}
        {corrected > 0 && (
          <span className="text-muted"> · {plural(corrected, { one: "# corrected", other: "# corrected" })}</span>
        )}
      </p>
      <label className="flex items-center gap-2 text-muted">
        <span className="max-sm:sr-only">{t`Order`}</span>
        <select
          value={order}
          onChange={({ target }) => onOrder(target.value as SortOrder)}
          className="h-8 max-w-44 rounded-md border border-line-strong/50 bg-surface px-1 text-ink"
        >
          <option value="document">{t`As in the document`}</option>
          <option value="confidence">{t`Least certain first`}</option>
        </select>
      </label>
    </div>
  );
}
