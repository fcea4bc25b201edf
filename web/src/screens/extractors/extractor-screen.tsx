/** Frame that all screens of one extractor share: its name, menu and tabs. */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useErrorWords } from "../../app/error-words.tsx";
import { useDescriptionWords } from "../../app/sample-description.ts";
import { Failure, Loading, Page } from "../../ui/page.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { extractorQuery } from "./extractors.queries.ts";
import { ExtractorMenu } from "./gallery/extractor-menu.tsx";

export function ExtractorScreen() {
  const { t } = useLingui();
  const { reference } = useParams({ from: "/shell/extractors/$reference" });
  const wordsOf = useErrorWords();
  const descriptionWords = useDescriptionWords();
  const { data: extractor, error, refetch } = useQuery(extractorQuery(reference));
  if (extractor === undefined)
    return error === null ? (
      <Loading />
    ) : (
      <Page title={t`Extractor`}>
        <Failure
          message={wordsOf(error)}
          onRetry={error instanceof SheafError && error.status === 404 ? undefined : () => refetch()}
        />
        <BackLink />
      </Page>
    );
  if (extractor.type !== "EXTRACTOR")
    return (
      <Page title={extractor.name}>
        <Failure message={t`This is not an extractor.`} />
        <BackLink />
      </Page>
    );
  const params = { reference };
  return (
    <Page
      key={reference}
      wide
      title={extractor.name}
      back={
        <Link to="/extractors" className="mb-1 flex w-fit items-center gap-1 text-[0.87rem] text-muted hover:text-ink">
          <ChevronLeft size={16} aria-hidden />
          {t`Extractors`}
        </Link>
      }
      description={descriptionWords(extractor.description)}
      actions={<ExtractorMenu extractor={extractor} />}
    >
      <TabLinks
        label={t`Parts of the extractor`}
        tabs={[
          { to: "/extractors/$reference/fields", params, label: t`Fields` },
          { to: "/extractors/$reference/try", params, label: t`Try it` },
          { to: "/extractors/$reference/runs", params, label: t`Results` },
          { to: "/extractors/$reference/learned", params, label: t`Learned` },
          { to: "/extractors/$reference/quality", params, label: t`Quality` },
          { to: "/extractors/$reference/api", params, label: t`Use from a program` },
        ]}
      />
      <Outlet />
    </Page>
  );
}

const BackLink = () => (
  <Link to="/extractors" className="mt-4 inline-flex items-center gap-1 underline">
    <ChevronLeft size={16} aria-hidden />
    <Trans>All extractors</Trans>
  </Link>
);
