/** Splits a file into documents and classifies them; the result can be corrected and exported. */
import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useSession } from "../../app/session.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitResult } from "./split-result.tsx";
import { StartForm } from "./start-form.tsx";

const route = getRouteApi("/shell/split");

export function SplitScreen() {
  const { t } = useLingui();
  const { classification } = route.useSearch();
  const { user, organization_id } = useSession();
  const navigate = route.useNavigate();
  const owner = `${user.id}.${organization_id}`;
  if (classification === undefined)
    return (
      <Page
        key="start"
        title={t`Split and classify`}
        description={t`Finds the documents in a file, for example in a scan of the day's mail, and says of what kind each is.`}
      >
        <StartForm owner={owner} onStarted={(id) => void navigate({ search: { classification: id } })} />
      </Page>
    );
  return (
    <Page
      key={classification}
      wide
      title={t`Split and classify`}
      actions={
        <Link to="/split" className={buttonClasses()}>
          <Plus size={16} aria-hidden />
          <Trans>Another file</Trans>
        </Link>
      }
    >
      <SplitResult id={classification} owner={owner} />
    </Page>
  );
}
