/**
 * Measures the extractor on its reviewed documents, and shows the scores of the last evaluation.
 */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { type Score, SheafError } from "@sheaf/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { useId, useRef, useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useSession } from "../../../app/session.ts";
import { Button } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { Failure } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { shownPath } from "./field-path.ts";
import { type LastEvaluation, lastEvaluationOf, readLastEvaluation, storeLastEvaluation } from "./last-evaluation.ts";
import { versionsQuery } from "./quality.queries.ts";

/** Choices for the number of documents to evaluate. The largest is the limit of the API. */
const sizes = [20, 50, 200] as const;

export function EvaluationSection({ reference, reviewed }: { reference: string; reviewed: number }) {
  const { t } = useLingui();
  const { organization_id } = useSession();
  const owner = organization_id ?? "";
  const select = useId();
  const { data: versions } = useQuery(versionsQuery(reference));
  const current = versions?.find(({ is_current }) => is_current)?.number;
  const [last, setLast] = useState(() => readLastEvaluation(owner, reference));
  const [size, setSize] = useState<number>(50);
  const running = useRef<AbortController>(undefined);
  const measure = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      const { signal } = running.current;
      // Has no timeout, because the service itself limits how long an evaluation takes.
      const limits = { signal, timeoutMs: Number.POSITIVE_INFINITY };
      const { data } = await sheaf.evaluateExtractor(reference, { documents: size }, limits);
      const evaluation = lastEvaluationOf(data, current ?? null);
      storeLastEvaluation(owner, reference, evaluation);
      return evaluation;
    },
    onSuccess: setLast,
  });
  const isCancelled = measure.isError && running.current?.signal.aborted === true;
  return (
    <Section
      title={t`Reviewed documents`}
      description={
        <>
          {plural(reviewed, {
            one: "# document was reviewed. Its checked values count as right.",
            other: "# documents were reviewed. Their checked values count as right.",
          })}{" "}
          <Trans>
            Measuring extracts the reviewed documents again with the present fields, but without what was learned from
            them.
          </Trans>
        </>
      }
      actions={
        <>
          {reviewed > sizes[0] && (
            <>
              <label htmlFor={select} className="text-[0.87rem] text-muted">
                {t`At most`}
              </label>
              <select
                id={select}
                value={size}
                onChange={({ target }) => setSize(Number(target.value))}
                className="h-10 rounded-md border border-line-strong/50 bg-surface px-2 text-[0.93rem]"
              >
                {sizes.map((each) => (
                  <option key={each} value={each}>
                    {t`${each} documents`}
                  </option>
                ))}
              </select>
            </>
          )}
          <Button look="primary" busy={measure.isPending} onClick={() => measure.mutate()}>
            <Gauge size={16} aria-hidden />
            {last === undefined ? <Trans>Measure</Trans> : <Trans>Measure again</Trans>}
          </Button>
        </>
      }
    >
      <div role="status">
        {measure.isPending && (
          <div className="mb-4 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-surface p-4">
            <Spinner />
            <span className="grow">
              {plural(Math.min(size, reviewed), {
                one: "Extracting # document again…",
                other: "Extracting # documents again…",
              })}{" "}
              <span className="text-muted">
                <Trans>This can take a few minutes.</Trans>
              </span>
            </span>
            <Button small onClick={() => running.current?.abort()}>
              <Trans>Cancel</Trans>
            </Button>
          </div>
        )}
      </div>
      {measure.isError && !isCancelled && (
        <div className="mb-4">
          <EvaluationFailure error={measure.error} onRetry={() => measure.mutate()} />
        </div>
      )}
      {last === undefined ? (
        <p className="text-muted">
          <Trans>Not measured in this browser yet.</Trans>
        </p>
      ) : (
        <Scores evaluation={last} current={current} />
      )}
    </Section>
  );
}

function EvaluationFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const code = error instanceof SheafError ? error.code : undefined;
  if (code === "agent_timeout")
    return <Failure message={t`This took too long and was stopped. Measure fewer documents.`} />;
  if (code === "extraction_failed")
    return <Failure message={t`A document could not be extracted again.`} onRetry={onRetry} />;
  const canRetry = code !== "forbidden" && code !== "agent_not_found" && code !== "invalid_config";
  return <Failure message={wordsOf(error)} onRetry={canRetry ? onRetry : undefined} />;
}

function Scores({ evaluation, current }: { evaluation: LastEvaluation; current: number | undefined }) {
  const { t } = useLingui();
  const { dateTime } = useFormats();
  const { at, version, documents, reviewed, total, fields, withoutTruth } = evaluation;
  const time = dateTime(at);
  const isOld = version !== null && current !== undefined && version !== current;
  return (
    <>
      <p className="mb-3 text-[0.93rem]">
        {documents < reviewed
          ? t`Measured on ${time} with the ${documents} documents reviewed last, of ${reviewed}.`
          : plural(documents, {
              one: `Measured on ${time} with # document.`,
              other: `Measured on ${time} with # documents.`,
            })}{" "}
        {isOld && (
          <strong className="font-medium">
            <Trans>The fields or settings have changed since then: that was version {version}.</Trans>
          </strong>
        )}
      </p>
      {documents === 0 ? (
        <p className="text-muted">
          <Trans>The stored documents could not be used any more. Review others.</Trans>
        </p>
      ) : (
        <Table caption={t`Scores by field`}>
          <thead>
            <tr>
              <HeadCell>{t`Field`}</HeadCell>
              <HeadCell>{t`F1 score`}</HeadCell>
              <HeadCell className="text-right">{t`Right`}</HeadCell>
              <HeadCell className="text-right">{t`Wrong`}</HeadCell>
              <HeadCell className="text-right">{t`Missing`}</HeadCell>
            </tr>
          </thead>
          <tbody>
            <ScoreRow name={t`All fields`} score={total} isTotal />
            {fields.map(({ path, score }) => (
              <ScoreRow key={path} name={shownPath(path)} score={score} />
            ))}
          </tbody>
        </Table>
      )}
      <p className="mt-2 max-w-2xl text-[0.87rem] text-muted">
        <Trans>The F1 score is 100% if every value was found and is right. Wrong values count as missing, too.</Trans>{" "}
        {withoutTruth.length > 0 && (
          <Trans>Not in any reviewed document: {withoutTruth.map(shownPath).join(", ")}.</Trans>
        )}
      </p>
    </>
  );
}

function ScoreRow({ name, score, isTotal = false }: { name: string; score: Score; isTotal?: boolean }) {
  const { t } = useLingui();
  const { number, finePercent } = useFormats();
  const { f1, right, wrong, missing } = score;
  const weight = isTotal ? "font-semibold" : undefined;
  return (
    <tr className={weight}>
      <Cell className="min-w-40 break-words">{name}</Cell>
      <Cell>
        {f1 === null ? (
          <span className="text-muted">{t`No values`}</span>
        ) : (
          <span className="flex items-center gap-3">
            <span className="w-14 tabular-nums">{finePercent(f1)}</span>
            <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-full bg-sunken max-sm:hidden">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${100 * f1}%` }} />
            </span>
          </span>
        )}
      </Cell>
      <Cell className="text-right tabular-nums">{number(right)}</Cell>
      <Cell className="text-right tabular-nums">{number(wrong)}</Cell>
      <Cell className="text-right tabular-nums">{number(missing)}</Cell>
    </tr>
  );
}
