import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { activateLanguage, i18n, preferredLanguage } from "./app/language.ts";
import { queryClient } from "./app/queries.ts";
import { router } from "./app/router.tsx";
import { applyTheme } from "./app/theme.ts";
import { UiProvider } from "./ui/ui-provider.tsx";
import "./styles.css";

applyTheme();
await activateLanguage(preferredLanguage());

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <UiProvider>
          <RouterProvider router={router} />
        </UiProvider>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
