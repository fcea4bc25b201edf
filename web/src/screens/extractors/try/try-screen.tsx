/** Tries an extractor on a file, and on pinned samples after each change of its fields. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Agent } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Braces, Pin, PinOff, RotateCw, ScanSearch } from "lucide-react";
import { useState } from "react";
import { useSession } from "../../../app/session.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Empty, Failure, Loading } from "../../../ui/page.tsx";
import { DropZone } from "../drop-zone.tsx";
import { extractorQuery, fieldsOf } from "../extractors.queries.ts";
import { keptExtractionQuery, keptExtractionsQuery } from "../kept-extractions.queries.ts";
import { ReviewLink } from "../review-link.tsx";
import { runExtractor } from "../run-extractor.ts";
import { useFileWords } from "../use-file-words.ts";
import { EvidencePanel } from "./evidence-panel.tsx";
import { type Result, selectedAt } from "./result.ts";
import { ResultPages } from "./result-pages.tsx";
import { ResultView } from "./result-view.tsx";
import { SampleCard } from "./sample-list.tsx";
import { maxSamples, type Sample, useSamples } from "./samples.ts";
import { useIsWide } from "./use-is-wide.ts";

export function TryScreen() {
  const { reference } = useParams({ from: "/shell/extractors/$reference/try" });
  const { data: extractor } = useSuspenseQuery(extractorQuery(reference));
  if (fieldsOf(extractor).length === 0) return <NoFields reference={reference} />;
  return <Trial key={reference} extractor={extractor} />;
}

function NoFields({ reference }: { reference: string }) {
  const { t } = useLingui();
  return (
    <Empty
      title={t`There is nothing to read yet`}
      action={
        <Link to="/extractors/$reference/fields" params={{ reference }} className={buttonClasses("primary")}>
          <Trans>Go to the fields</Trans>
        </Link>
      }
    >
      {t`The extractor has no fields. Add at least one and save.`}
    </Empty>
  );
}

function Trial({ extractor }: { extractor: Agent }) {
  const { t } = useLingui();
  const wordsOf = useFileWords();
  const queries = useQueryClient();
  const { reference } = extractor;
  const { extraction } = useSearch({ from: "/shell/extractors/$reference/try" });
  const navigate = useNavigate({ from: "/extractors/$reference/try" });
  const { organization_id } = useSession();
  const { samples, change } = useSamples(organization_id ?? "", reference);
  const [round, setRound] = useState(0);
  const run = useMutation({
    mutationFn: async (file: File) => {
      const { data, evidence, extractionId } = await runExtractor(reference, file, file.name);
      return { id: extractionId, filename: file.name, pages: undefined, fields: fieldsOf(extractor), data, evidence };
    },
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: keptExtractionsQuery(reference).queryKey });
      await navigate({ search: id === undefined ? {} : { extraction: id }, resetScroll: false });
    },
  });
  const kept = useQuery({ ...keptExtractionQuery(extraction ?? ""), enabled: extraction !== undefined });
  const result: Result | undefined =
    (kept.data && { ...kept.data, fields: kept.data.params }) ??
    (run.data !== undefined && run.data.id === extraction ? run.data : undefined);
  const isPinned = samples.some(({ baseline }) => baseline === extraction);
  const changeSample = (sample: Sample) => (next: Sample | undefined) =>
    change((all) =>
      all.flatMap((each) => (each.baseline !== sample.baseline ? [each] : next === undefined ? [] : [next])),
    );

  return (
    <div className="flex flex-col gap-6">
      <DropZone
        label={t`Drop a document here, or click to choose one`}
        compact={result !== undefined}
        disabled={run.isPending}
        onFiles={([file]) => file !== undefined && run.mutate(file)}
      />
      {run.isPending && <Loading label={t`Reading the document…`} />}
      {run.error !== null && <Failure message={wordsOf(run.error)} />}
      {!run.isPending && result === undefined && kept.error !== null && extraction !== undefined && (
        <Failure message={wordsOf(kept.error)} onRetry={() => kept.refetch()} />
      )}
      {!run.isPending && result === undefined && kept.isLoading && <Loading />}
      {!run.isPending && result !== undefined && (
        <ResultPanel
          key={result.id ?? result.filename}
          result={result}
          pin={
            result.id !== undefined && (
              <Button
                small
                disabled={!isPinned && samples.length >= maxSamples}
                onClick={() => {
                  const { id } = result;
                  if (id === undefined) return;
                  change((all) =>
                    isPinned
                      ? all.filter(({ baseline }) => baseline !== id)
                      : [...all, { baseline: id }].slice(0, maxSamples),
                  );
                }}
              >
                {isPinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
                {isPinned ? t`Unpin` : t`Pin as a sample`}
              </Button>
            )
          }
        />
      )}
      {samples.length > 0 && (
        <section aria-labelledby="samples" className="mt-4">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
            <div>
              <h2 id="samples" className="text-lg font-semibold">
                <Trans>Pinned samples</Trans>
              </h2>
              <p className="text-[0.9rem] text-muted">
                <Trans>Run them again after you have changed the fields, to see what became better or worse.</Trans>
              </p>
            </div>
            <Button onClick={() => setRound(round + 1)}>
              <RotateCw size={16} aria-hidden />
              <Trans>Run all again</Trans>
            </Button>
          </div>
          <ul className="flex flex-col gap-3">
            {samples.map((sample) => (
              <li key={sample.baseline}>
                <SampleCard extractor={extractor} sample={sample} round={round} onChange={changeSample(sample)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function ResultPanel({ result, pin }: { result: Result; pin: React.ReactNode }) {
  const { t } = useLingui();
  const { reference } = useParams({ from: "/shell/extractors/$reference/try" });
  const { value } = useSearch({ from: "/shell/extractors/$reference/try" });
  const navigate = useNavigate({ from: "/extractors/$reference/try" });
  const [hasJson, setJson] = useState(false);
  const isWide = useIsWide();
  const selected = value === undefined ? undefined : selectedAt(result, value);
  const select = (path: string) =>
    void navigate({ search: (search) => ({ ...search, value: path }), replace: true, resetScroll: false });
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <div className="min-w-0">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          <h2 className="min-w-0 font-semibold break-words">{result.filename}</h2>
          <div className="flex flex-wrap gap-2">
            {pin}
            <Button small aria-pressed={hasJson} onClick={() => setJson(!hasJson)}>
              <Braces size={16} aria-hidden />
              {hasJson ? t`Hide JSON` : t`Show JSON`}
            </Button>
            {result.id !== undefined && (
              <ReviewLink
                id={result.id}
                agent={reference}
                status="all"
                field={value}
                className={buttonClasses("primary", true)}
              >
                <ScanSearch size={16} aria-hidden />
                <Trans>Check and correct</Trans>
              </ReviewLink>
            )}
          </div>
        </div>
        {hasJson && (
          <section
            aria-label={t`Result as JSON`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
            tabIndex={0}
            className="mb-4 max-h-96 overflow-auto rounded-xl border border-line bg-sunken p-4"
          >
            <pre className="font-mono text-[0.83rem]">
              {JSON.stringify({ data: result.data, evidence: result.evidence }, null, 2)}
            </pre>
          </section>
        )}
        <ResultView result={result} selected={value} onSelect={({ path }) => select(path)} />
      </div>
      {/* On a narrow screen, the panel stays visible below the selected value. */}
      <div
        className={classes(
          "xl:sticky xl:top-6",
          selected !== undefined && "max-xl:sticky max-xl:bottom-2 max-xl:max-h-[45dvh] max-xl:overflow-y-auto",
        )}
      >
        <EvidencePanel selected={selected}>
          {result.id !== undefined && !isWide && (
            <p className="mt-3">
              <ReviewLink id={result.id} agent={reference} status="all" field={value}>
                <Trans>See it on the page</Trans>
              </ReviewLink>
            </p>
          )}
        </EvidencePanel>
        {isWide && <ResultPages result={result} selected={selected} onSelect={select} />}
      </div>
    </div>
  );
}
