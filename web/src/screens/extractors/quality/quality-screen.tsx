/**
 * Shows the quality of an extractor: its scores, its versions, and the confidence that the values
 * of each field need to be accepted without review.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useErrorWords } from "../../../app/error-words.tsx";
import { buttonClasses } from "../../../ui/button.tsx";
import { Empty, Failure, Loading } from "../../../ui/page.tsx";
import { CoverageSection } from "./coverage-section.tsx";
import { EvaluationSection } from "./evaluation-section.tsx";
import { coverageQuery } from "./quality.queries.ts";
import { VersionsSection } from "./versions-section.tsx";

export function QualityScreen() {
  const { reference } = useParams({ from: "/shell/extractors/$reference/quality" });
  return (
    <div className="max-w-5xl">
      <Measurements reference={reference} />
      <VersionsSection reference={reference} />
    </div>
  );
}

/** Shows the scores and the coverage. Measuring them requires reviewed documents. */
function Measurements({ reference }: { reference: string }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { data: coverage, error, refetch } = useQuery(coverageQuery(reference));
  if (coverage === undefined)
    return (
      <div className="mb-10">
        {error === null ? <Loading /> : <Failure message={wordsOf(error)} onRetry={() => refetch()} />}
      </div>
    );
  if (coverage.documents === 0)
    return (
      <div className="mb-10">
        <Empty
          title={t`No reviewed documents yet`}
          action={
            <Link to="/extractions" search={{ agent: reference }} className={buttonClasses("primary")}>
              <Trans>Review documents</Trans>
            </Link>
          }
        >
          <Trans>The quality is measured on documents whose values were checked and marked as reviewed.</Trans>
        </Empty>
      </div>
    );
  return (
    <>
      <EvaluationSection reference={reference} reviewed={coverage.documents} />
      <CoverageSection coverage={coverage} />
    </>
  );
}
