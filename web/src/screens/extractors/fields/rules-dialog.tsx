/** Edits the rules of a field, which its values must satisfy. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { FieldRules } from "@sheaf/client";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field, Input, Select, TextArea } from "../../../ui/field.tsx";
import type { FieldNode } from "./field-tree.ts";

interface RulesDialogProps {
  node: FieldNode;
  /**
   * JSON pointers to the number fields of lists on the same level as this field, such as
   * `/lines/amount`.
   */
  sums: readonly string[];
  onClose: () => void;
  onSave: (rules: FieldRules | undefined) => void;
}

export function RulesDialog({ node: { name, format, rules = {} }, sums, onClose, onSave }: RulesDialogProps) {
  const { t } = useLingui();
  const [required, setRequired] = useState(rules.required ?? false);
  const [pattern, setPattern] = useState(rules.pattern ?? "");
  const [allowed, setAllowed] = useState((rules.one_of ?? []).join("\n"));
  const [minimum, setMinimum] = useState(String(rules.minimum ?? ""));
  const [maximum, setMaximum] = useState(String(rules.maximum ?? ""));
  const [sum, setSum] = useState(rules.sum_of ?? "");
  /**
   * True after the first attempt to apply the rules. From then on, problems are shown until they
   * are fixed.
   */
  const [isTried, setTried] = useState(false);
  const [least, greatest] = [boundOf(minimum), boundOf(maximum)];
  const noNumber = t`Enter a number.`;
  const problems = {
    minimum: Number.isNaN(least) ? noNumber : undefined,
    maximum: Number.isNaN(greatest)
      ? noNumber
      : isLess(greatest, least)
        ? t`Enter a number that is not below the minimum.`
        : undefined,
  };
  const sumChoices = sum === "" || sums.includes(sum) ? sums : [sum, ...sums];
  const save = () => {
    setTried(true);
    if (format === "number" && (problems.minimum ?? problems.maximum) !== undefined) return;
    const texts = allowed
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    const chosen: FieldRules = {
      ...(required && { required }),
      ...(format === "text" && pattern !== "" && { pattern }),
      ...(format === "text" && texts.length > 0 && { one_of: [...new Set(texts)] }),
      ...(format === "number" && least !== undefined && { minimum: least }),
      ...(format === "number" && greatest !== undefined && { maximum: greatest }),
      ...(format === "number" && sum !== "" && { sum_of: sum }),
    };
    onSave(Object.keys(chosen).length > 0 ? chosen : undefined);
  };
  const shownName = name || t`(no name)`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Rules of “${shownName}”`}
      description={t`Values that break a rule are shown in the review and reported to programs. No value is changed.`}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          save();
        }}
      >
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent"
            checked={required}
            onChange={({ target }) => setRequired(target.checked)}
          />
          {format === "list" ? <Trans>At least one row is required</Trans> : <Trans>A value is required</Trans>}
        </label>
        {format === "text" && (
          <>
            <Field
              label={t`Pattern`}
              description={t`A regular expression (RE2). With ^ and $ it must match the whole text.`}
            >
              <Input
                className="font-mono"
                maxLength={200}
                placeholder="^DE[0-9]{9}$"
                value={pattern}
                onChange={({ target }) => setPattern(target.value)}
              />
            </Field>
            <Field
              label={t`Allowed texts`}
              description={t`One per line, such as the names of your suppliers. Case and punctuation are ignored.`}
            >
              <TextArea rows={4} value={allowed} onChange={({ target }) => setAllowed(target.value)} />
            </Field>
          </>
        )}
        {format === "number" && (
          <>
            <div className="grid grid-cols-2 gap-3">
              <Field label={t`Minimum`} error={isTried ? problems.minimum : undefined}>
                <Input inputMode="decimal" value={minimum} onChange={({ target }) => setMinimum(target.value)} />
              </Field>
              <Field label={t`Maximum`} error={isTried ? problems.maximum : undefined}>
                <Input inputMode="decimal" value={maximum} onChange={({ target }) => setMaximum(target.value)} />
              </Field>
            </div>
            {sumChoices.length > 0 && (
              <Field label={t`Must equal the sum of`}>
                <Select value={sum} onChange={({ target }) => setSum(target.value)}>
                  <option value="">{t`Not a sum`}</option>
                  {sumChoices.map((pointer) => (
                    <option key={pointer} value={pointer}>
                      {pointer.slice(1)}
                    </option>
                  ))}
                </Select>
              </Field>
            )}
          </>
        )}
        <DialogActions>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button look="primary" type="submit">
            <Trans>Apply</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Parses a bound. Returns undefined if the text is empty, and NaN if it is not a number. */
const boundOf = (text: string): number | undefined => {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : Number(trimmed.replace(",", "."));
};

const isLess = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && one < other;

/** Returns a function that describes each rule of a field in a few words. */
export function useRuleWords(): (rules: FieldRules | undefined) => string[] {
  const { t } = useLingui();
  return (rules) => {
    if (rules === undefined) return [];
    const { required, pattern, one_of: allowed, minimum, maximum, sum_of: sum } = rules;
    const summed = sum?.slice(1) ?? "";
    const count = allowed?.length ?? 0;
    return [
      ...(required ? [t`required`] : []),
      ...(pattern === undefined ? [] : [t`matches ${pattern}`]),
      ...(allowed === undefined ? [] : [t`one of ${count} texts`]),
      ...(minimum === undefined ? [] : [t`at least ${minimum}`]),
      ...(maximum === undefined ? [] : [t`at most ${maximum}`]),
      ...(sum === undefined ? [] : [t`sum of ${summed}`]),
    ];
  };
}
