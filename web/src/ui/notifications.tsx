/** Short messages at the edge of the screen, announced to screen readers. */
import { Toast } from "@base-ui/react/toast";
import { useLingui } from "@lingui/react/macro";
import { X } from "lucide-react";
import { classes } from "./classes.ts";

export const notifications = Toast.createToastManager();

/** A button beside the message. */
export interface NotificationAction {
  label: string;
  onClick: () => void;
}

/** Shows a message for some seconds. An error stays until the user closes it. */
export function notify(title: string, kind: "success" | "error" = "success", action?: NotificationAction): void {
  const isError = kind === "error";
  notifications.add({
    title,
    type: kind,
    timeout: isError ? 0 : 5_000,
    priority: isError ? "high" : "low",
    ...(action && { actionProps: { children: action.label, onClick: action.onClick } }),
  });
}

export function Notifications() {
  const { toasts } = Toast.useToastManager();
  const { t } = useLingui();
  return (
    <Toast.Portal>
      <Toast.Viewport className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-md flex-col gap-2 sm:right-6 sm:left-auto sm:mx-0 sm:w-96">
        {toasts.map((toast) => (
          <Toast.Root
            key={toast.id}
            toast={toast}
            className={classes(
              "rounded-lg border bg-surface p-3 shadow-lg",
              toast.type === "error" ? "border-danger" : "border-line",
            )}
          >
            <Toast.Content className="flex items-start gap-3">
              <Toast.Title className="grow text-sm" />
              {toast.actionProps && <Toast.Action className="shrink-0 text-sm underline" />}
              <Toast.Close aria-label={t`Close message`} className="rounded p-0.5 text-muted hover:text-ink">
                <X size={16} aria-hidden />
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
