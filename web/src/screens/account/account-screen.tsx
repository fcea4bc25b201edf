import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function AccountScreen() {
  const { t } = useLingui();
  return <Page title={t`Account`}>…</Page>;
}
