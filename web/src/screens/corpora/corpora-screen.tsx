import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function CorporaScreen() {
  const { t } = useLingui();
  return <Page title={t`Corpora`}>…</Page>;
}
