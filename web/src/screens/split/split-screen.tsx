import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function SplitScreen() {
  const { t } = useLingui();
  return <Page title={t`Split and classify`}>…</Page>;
}
