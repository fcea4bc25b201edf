/** Settings that all controls share: Content-Security-Policy, tooltips, notifications. */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";
import { Notifications, notifications } from "./notifications.tsx";

export function UiProvider({ children }: { children: ReactNode }) {
  return (
    // The Content-Security-Policy forbids style elements, so Base UI must not create any.
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={400}>
        <Toast.Provider toastManager={notifications}>
          {children}
          <Notifications />
        </Toast.Provider>
      </Tooltip.Provider>
    </CSPProvider>
  );
}
