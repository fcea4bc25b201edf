/** Lists the differences between two versions: fields added, removed and changed, and settings. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { ConfigurationChanges, FieldChange, FieldRules } from "@sheaf/client";
import { ArrowRight } from "lucide-react";
import { Badge, type Tone } from "../../../ui/page.tsx";
import { type FieldFormat, rulesFor } from "../fields/field-tree.ts";
import { useRuleWords } from "../fields/rules-dialog.tsx";
import { shownPath } from "./field-path.ts";

const tones: Record<FieldChange["change"], Tone> = { added: "success", removed: "danger", changed: "warning" };

export function VersionChanges({ changes: { fields, settings, reordered } }: { changes: ConfigurationChanges }) {
  const { t } = useLingui();
  if (fields.length === 0 && settings.length === 0 && !reordered)
    return <p className="text-muted">{t`Both versions have the same fields and settings.`}</p>;
  return (
    <>
      <ul aria-label={t`Changes`} className="divide-y divide-line rounded-xl border border-line">
        {fields.map((change) => (
          <ChangedField key={change.path} change={change} />
        ))}
        {settings.map(({ name, before, after }) => (
          <Setting key={name} name={name} before={before} after={after} />
        ))}
      </ul>
      {reordered && (
        <p className="mt-3 text-muted">
          <Trans>The order of the fields is different, too.</Trans>
        </p>
      )}
    </>
  );
}

function ChangedField({ change: { path, change, before, after } }: { change: FieldChange }) {
  const { t } = useLingui();
  const rowsOf = useFieldRows();
  const words = { added: t`Added`, removed: t`Removed`, changed: t`Changed` };
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const labels = { format: t`Format`, description: t`Description`, rules: t`Rules` };
  const differing = (["format", "description", "rules"] as const).filter((name) => was[name] !== is[name]);
  const only = change === "added" ? is : was;
  return (
    <li className="p-3">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[change]}>{words[change]}</Badge>
        <span className="font-medium break-words">{shownPath(path)}</span>
      </span>
      {change === "changed" ? (
        differing.map((name) => <Difference key={name} name={labels[name]} before={was[name]} after={is[name]} />)
      ) : (
        <p className="mt-1 text-[0.9rem] break-words text-muted">
          {Object.values(only)
            .filter((text) => text !== "")
            .join(" · ")}
        </p>
      )}
    </li>
  );
}

type FieldTexts = Partial<Record<"format" | "description" | "rules", string>>;

/** Returns a function that describes the definition of a field in words. */
function useFieldRows(): (state: FieldChange["before"]) => FieldTexts {
  const { t } = useLingui();
  const ruleWords = useRuleWords();
  const formats: Record<FieldFormat, string> = {
    text: t`Text`,
    number: t`Number`,
    boolean: t`Yes or no`,
    list: t`List`,
  };
  const isFormat = (format: string): format is FieldFormat => Object.hasOwn(formats, format);
  return (state) => {
    if (state === undefined) return {};
    const { format, description } = state;
    const rules = state.rules as FieldRules | undefined;
    const shown = isFormat(format) ? ruleWords(rulesFor(format, rules)).join(", ") : "";
    return { format: isFormat(format) ? formats[format] : format, description, rules: shown };
  };
}

function Setting({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  const { t } = useLingui();
  const names: Record<string, string> = {
    engine: t`Engine`,
    keep_extractions_days: t`Days for which results are kept`,
    wanted_precision: t`Wanted share of right values`,
  };
  return (
    <li className="p-3">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="warning">{t`Setting`}</Badge>
        <span className="font-medium break-words">{names[name] ?? name}</span>
      </span>
      <Difference before={textOf(before)} after={textOf(after)} />
    </li>
  );
}

const textOf = (value: unknown): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** Shows a text before and after a change. */
function Difference({
  name,
  before = "",
  after = "",
}: {
  name?: string;
  before: string | undefined;
  after: string | undefined;
}) {
  const { t } = useLingui();
  return (
    <p className="mt-1 text-[0.9rem] break-words">
      {name !== undefined && <span className="text-muted">{name}: </span>}
      <span className="sr-only">{t`before`} </span>
      {before === "" ? <span className="text-muted">{t`none`}</span> : <s className="text-muted">{before}</s>}
      <ArrowRight size={14} aria-hidden className="mx-1.5 inline-block align-[-2px] text-muted" />
      <span className="sr-only">{t`now`} </span>
      {after === "" ? <span className="text-muted">{t`none`}</span> : after}
    </p>
  );
}
