import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function ReviewScreen() {
  const { t } = useLingui();
  return <Page title={t`Review`}>…</Page>;
}
