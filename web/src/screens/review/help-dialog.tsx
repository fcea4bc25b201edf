/** Lists the keyboard shortcuts of the workbench, the screen on which values are reviewed. */
import { Trans, useLingui } from "@lingui/react/macro";
import { Dialog } from "../../ui/dialog.tsx";

export function HelpDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { t } = useLingui();
  const keys: [keys: string[], words: string][] = [
    [["j", "k"], t`Next or previous value to check`],
    [["Enter"], t`Confirm the value and go to the next one`],
    [["e"], t`Edit the value`],
    [["n"], t`Remove the value, with a reason`],
    [["u"], t`Undo the last change`],
    [["←", "↑", "↓", "→"], t`Move between the cells of a list`],
    [["[", "]"], t`Previous or next document`],
    [["r"], t`Mark as reviewed and open the next document`],
    [["Esc"], t`Stop editing`],
    [["?"], t`Show these keys`],
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t`Keyboard`}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {keys.map(([names, words]) => (
          <div key={words} className="contents">
            <dt className="flex gap-1">
              {names.map((name) => (
                <kbd
                  key={name}
                  className="min-w-7 rounded border border-line-strong/60 bg-sunken px-1.5 py-0.5 text-center font-mono text-[0.85rem]"
                >
                  {name}
                </kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-[0.9rem] text-muted">
        <Trans>
          While you edit a value, drag a box around words in the document, or click a word, to take them as the value.
        </Trans>
      </p>
    </Dialog>
  );
}
