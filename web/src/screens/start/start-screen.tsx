import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function StartScreen() {
  const { t } = useLingui();
  return <Page title={t`Start`}>…</Page>;
}
