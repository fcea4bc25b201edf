/** Shows the evidence of a value: page, quote and a description of its confidence. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useFormats } from "../../../ui/formats.ts";
import { Card } from "../../../ui/page.tsx";
import type { SelectedValue } from "./result.ts";
import { useValueWords } from "./use-value-words.ts";

export function EvidencePanel({
  selected,
  children,
}: {
  selected: SelectedValue | undefined;
  children?: React.ReactNode;
}) {
  const { t } = useLingui();
  const wordsOf = useValueWords();
  const formats = useFormats();
  if (selected === undefined)
    return (
      <p className="rounded-xl border border-dashed border-line-strong/50 p-6 text-center text-muted">
        <Trans>Choose a value to see where it comes from.</Trans>
      </p>
    );
  const { evidence } = selected;
  const page = evidence?.page;
  const share = formats.percent(evidence?.confidence ?? 0);
  const matches = {
    exact: t`The value is written like this in the document.`,
    normalized: t`The value is written in another form in the document, such as another form of number or date.`,
    inferred: t`The value follows from these words.`,
  };
  return (
    <Card>
      <p className="font-mono text-[0.85rem] break-words text-muted">{selected.label}</p>
      <p className="mt-1 text-lg font-semibold break-words">{wordsOf(selected.value)}</p>
      {evidence === undefined ? (
        <p className="mt-3 text-warning">
          <Trans>The words of this value were not found in the document. Please check it.</Trans>
        </p>
      ) : (
        <>
          <blockquote className="mt-3 border-l-4 border-highlight pl-3">{evidence.quote}</blockquote>
          <p className="mt-3 text-[0.9rem] text-muted">
            <Trans>
              Page {page}, {share} sure.
            </Trans>{" "}
            {matches[evidence.match]}
          </p>
        </>
      )}
      {children}
    </Card>
  );
}
