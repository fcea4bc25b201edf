/** A dialog for secrets that the service shows only once. Only its button closes it. */
import { Trans } from "@lingui/react/macro";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";

interface ShownOnceProps {
  title: ReactNode;
  values: readonly { label: string; value: string }[];
  /** Text that says what to do with the secret. */
  children: ReactNode;
  onDone: () => void;
}

export function ShownOnce({ title, values, children, onDone }: ShownOnceProps) {
  return (
    <Dialog open title={title}>
      <div className="flex flex-col gap-4">
        {values.map(({ label, value }) => (
          <div key={label}>
            <p className="mb-1 text-[0.9rem] font-medium">{label}</p>
            <CopyText label={label} text={value} />
          </div>
        ))}
        <p className="flex gap-2.5 rounded-md bg-warning-soft p-3 text-[0.9rem]">
          <TriangleAlert size={18} className="mt-0.5 shrink-0 text-warning" aria-hidden />
          <span>{children}</span>
        </p>
      </div>
      <DialogActions>
        <Button look="primary" onClick={onDone}>
          <Trans>Done, I have copied it</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
