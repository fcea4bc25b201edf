/** Lists the rules that the corrected values violate. */
import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { FailedRule, FieldRules } from "@sheaf/client";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { fieldAt, type RowNode, rowAt } from "./review-model.ts";

interface FailedRulesProps {
  failed: readonly FailedRule[];
  records: readonly RowNode[];
  onSelect: (path: string) => void;
}

const look =
  "rounded-sm text-left underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-ink";

/** Maximum number of rules shown at first. */
const shownAtFirst = 3;

export function FailedRules({ failed, records, onSelect }: FailedRulesProps) {
  const { t } = useLingui();
  const wordsOf = useRuleWords();
  const [isWhole, setWhole] = useState(false);
  if (failed.length === 0) return null;
  const shown = isWhole ? failed : failed.slice(0, shownAtFirst);
  const hidden = failed.length - shown.length;
  return (
    <section aria-label={t`Broken rules`} className="max-h-48 shrink-0 overflow-y-auto border-b border-line px-4 py-2">
      <p className="flex items-center gap-2 text-[0.87rem] font-medium">
        <TriangleAlert size={15} aria-hidden className="shrink-0 text-warning" />
        {plural(failed.length, { one: "# broken rule", other: "# broken rules" })}
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-[0.87rem]">
        {shown.map(({ path, rule }) => {
          const param = fieldAt(records, path)?.param;
          const row = rowAt(records, path);
          const place = row?.list.param.name;
          const number = (row?.index ?? 0) + 1;
          const name = param?.name ?? "";
          const where = place === undefined ? name : t`${place}, row ${number}, ${name}`;
          return (
            <li key={`${path} ${rule}`}>
              <button type="button" className={look} onClick={() => onSelect(path)}>
                <span className="break-words font-medium">{where}</span>: {wordsOf(rule, param?.rules ?? {})}
              </button>
            </li>
          );
        })}
      </ul>
      {hidden > 0 && (
        <button type="button" className="mt-1 text-[0.87rem] text-accent underline" onClick={() => setWhole(true)}>
          {plural(hidden, { one: "Show # more", other: "Show # more" })}
        </button>
      )}
    </section>
  );
}

function useRuleWords(): (rule: FailedRule["rule"], rules: FieldRules) => string {
  const { t } = useLingui();
  return (rule, { pattern, minimum, maximum, sum_of: sum = "" }) => {
    const summed = sum.slice(1);
    const words: Record<FailedRule["rule"], string> = {
      required: t`a value is required`,
      pattern: t`does not match ${pattern}`,
      minimum: t`is less than ${minimum}`,
      maximum: t`is greater than ${maximum}`,
      one_of: t`is not one of the allowed texts`,
      sum_of: t`is not the sum of ${summed}`,
    };
    return words[rule];
  };
}
