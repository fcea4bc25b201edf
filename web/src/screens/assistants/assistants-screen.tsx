import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function AssistantsScreen() {
  const { t } = useLingui();
  return <Page title={t`My assistants`}>…</Page>;
}
