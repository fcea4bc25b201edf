import { useLingui } from "@lingui/react/macro";
import { Page } from "../../ui/page.tsx";

export function ExtractorsScreen() {
  const { t } = useLingui();
  return <Page title={t`Extractors`}>…</Page>;
}
