/** Shows one extraction to review. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useErrorWords } from "../../app/error-words.tsx";
import { buttonClasses } from "../../ui/button.tsx";
import { Empty, Failure, Loading, Page } from "../../ui/page.tsx";
import { keptExtractionQuery } from "./kept-extraction.ts";
import { Workbench } from "./workbench.tsx";

const route = getRouteApi("/shell/extractions/$id");

export function ReviewScreen() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const { agent, status } = route.useSearch();
  const wordsOf = useErrorWords();
  const { data, error, refetch } = useQuery(keptExtractionQuery(id));
  // If a later request fails, the loaded data stays on the screen, so that typed text is not lost.
  if (data !== undefined) return <Workbench key={id} extraction={data} />;
  if (error === null) return <Loading label={t`Loading the extraction…`} />;
  const queue = { ...(agent !== undefined && { agent }), ...(status !== undefined && { status }) };
  const back = (
    <Link to="/extractions" search={queue} className={buttonClasses("secondary")}>
      <Trans>All extractions</Trans>
    </Link>
  );
  const isGone = error instanceof SheafError && error.code === "not_found";
  return (
    <Page title={t`Review`}>
      {isGone ? (
        <Empty title={t`This extraction does not exist`} action={back}>
          <Trans>
            It was deleted, it has expired, or you may not see it. Extractions are kept for a limited time only.
          </Trans>
        </Empty>
      ) : (
        <Failure message={wordsOf(error)} onRetry={() => refetch()} />
      )}
    </Page>
  );
}
