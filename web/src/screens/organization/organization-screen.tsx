import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function OrganizationScreen() {
  const { t } = useLingui();
  return <Page title={t`Organization`}>…</Page>;
}
