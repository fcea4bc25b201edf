/**
 * Modal dialogs. The focus moves into a dialog when it opens, and returns to the previous element
 * when it closes.
 */
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";

interface DialogProps {
  open: boolean;
  /** Called with false when the user closes the dialog. If absent, the user cannot close it. */
  onOpenChange?: ((open: boolean) => void) | undefined;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  wide?: boolean;
}

export function Dialog({ open, onOpenChange, title, description, children, wide = false }: DialogProps) {
  const { t } = useLingui();
  return (
    <BaseDialog.Root open={open} onOpenChange={(isOpen) => onOpenChange?.(isOpen)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <BaseDialog.Popup
          className={classes(
            "fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col",
            "overflow-y-auto rounded-xl border border-line bg-surface p-6 shadow-2xl",
            wide ? "max-w-3xl" : "max-w-md",
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <BaseDialog.Title className="text-lg font-semibold">{title}</BaseDialog.Title>
            {onOpenChange !== undefined && (
              <BaseDialog.Close
                aria-label={t`Close`}
                className="-mt-1 -mr-2 rounded-md p-2 text-muted hover:bg-sunken hover:text-ink"
              >
                <X size={18} aria-hidden />
              </BaseDialog.Close>
            )}
          </div>
          {description !== undefined && (
            <BaseDialog.Description className="mt-1 text-muted">{description}</BaseDialog.Description>
          )}
          {children !== undefined && <div className="mt-4">{children}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The row of buttons at the end of a dialog or form. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
);

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** Verb on the button, such as "Delete". */
  action: ReactNode;
  busy?: boolean;
  onConfirm: () => void;
}

/** Asks the user to confirm before something is deleted. */
export function ConfirmDialog({ action, busy = false, onConfirm, ...rest }: ConfirmDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog {...rest}>
      <DialogActions>
        <Button onClick={() => rest.onOpenChange(false)}>{t`Cancel`}</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
