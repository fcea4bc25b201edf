/** Context of all controls: style policy, tooltips, notifications. */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Toast } from "@base-ui/react/toast";
import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";
import { Notifications, notifications } from "./notifications.tsx";

export function UiProvider({ children }: { children: ReactNode }) {
  return (
    // Style elements are forbidden by the Content-Security-Policy.
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
