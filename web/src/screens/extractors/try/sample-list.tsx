/**
 * Lists pinned samples: files that are read again after each change of the fields, and compared
 * cell by cell.
 */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { type Agent, type KeptExtraction, SheafError } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PinOff, RotateCw } from "lucide-react";
import { useEffect, useRef } from "react";
import { sheaf } from "../../../app/api.ts";
import { Button, buttonClasses, IconButton } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { Badge, Card, Failure, Loading } from "../../../ui/page.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { fieldsOf } from "../extractors.queries.ts";
import { keptExtractionQuery, keptExtractionsQuery } from "../kept-extractions.queries.ts";
import { ReviewLink } from "../review-link.tsx";
import { runExtractor } from "../run-extractor.ts";
import { useFileWords } from "../use-file-words.ts";
import { compareResults, type Difference, type DifferenceKind } from "./compare-results.ts";
import type { Value } from "./result.ts";
import type { Sample } from "./samples.ts";
import { useValueWords } from "./use-value-words.ts";

/** Maximum number of differences listed. For the rest, only their number is shown. */
const maxShown = 100;

interface SampleProps {
  extractor: Agent;
  sample: Sample;
  /** A counter. Each time it increases, all samples are read again. */
  round: number;
  onChange: (sample: Sample | undefined) => void;
}

export function SampleCard({ extractor, sample, round, onChange }: SampleProps) {
  const { t } = useLingui();
  const wordsOf = useFileWords();
  const formats = useFormats();
  const queries = useQueryClient();
  const baseline = useQuery(keptExtractionQuery(sample.baseline));
  const latest = useQuery({ ...keptExtractionQuery(sample.latest ?? ""), enabled: sample.latest !== undefined });
  const run = useMutation({
    mutationFn: () => repeat(extractor.reference, sample),
    onSuccess: (id) => {
      onChange({ ...sample, latest: id });
      void queries.invalidateQueries({ queryKey: keptExtractionsQuery(extractor.reference).queryKey });
    },
  });
  const { mutate } = run;
  // Starts at the current value, so that a newly pinned sample is not read again at once.
  const lastRound = useRef(round);
  useEffect(() => {
    if (round === lastRound.current) return;
    lastRound.current = round;
    mutate();
  }, [round, mutate]);

  if (baseline.data === undefined) {
    const isGone = baseline.error instanceof SheafError && baseline.error.status === 404;
    return (
      <Card>
        {baseline.error === null ? (
          <Loading />
        ) : (
          <Failure
            message={isGone ? t`This sample is not kept any more.` : wordsOf(baseline.error)}
            onRetry={isGone ? undefined : () => baseline.refetch()}
          />
        )}
        {baseline.error !== null && (
          <Button small className="mt-3" onClick={() => onChange(undefined)}>
            <PinOff size={16} aria-hidden />
            <Trans>Unpin</Trans>
          </Button>
        )}
      </Card>
    );
  }
  const { filename, created_at } = baseline.data;
  const date = formats.dateTime(created_at);
  const hasNewFields = !isSameSchema(latest.data ?? baseline.data, extractor);
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-medium break-words">{filename}</h3>
          <p className="text-[0.85rem] text-muted">
            <Trans>Compared with the result of {date}, with its corrections</Trans>
          </p>
        </div>
        <div className="flex items-center gap-1">
          {hasNewFields && (
            <Badge tone="warning">
              <Trans>Fields have changed since</Trans>
            </Badge>
          )}
          <Button small busy={run.isPending} onClick={() => run.mutate()} aria-label={t`Run again: ${filename}`}>
            <RotateCw size={16} aria-hidden />
            <Trans>Run again</Trans>
          </Button>
          <IconButton label={t`Unpin “${filename}”`} onClick={() => onChange(undefined)}>
            <PinOff size={16} aria-hidden />
          </IconButton>
        </div>
      </div>
      <div aria-live="polite">
        {run.error !== null && (
          <div className="mt-3">
            <Failure
              message={
                run.error instanceof NotKept
                  ? t`The result was not kept, so it cannot be compared.`
                  : wordsOf(run.error)
              }
            />
          </div>
        )}
        {latest.data !== undefined && (
          <ComparisonView
            reference={extractor.reference}
            before={baseline.data}
            after={latest.data}
            onAccept={() => onChange({ baseline: latest.data.id })}
          />
        )}
      </div>
    </Card>
  );
}

const isSameSchema = ({ params }: KeptExtraction, extractor: Agent): boolean =>
  schemaText(params) === schemaText(fieldsOf(extractor));

type Fields = readonly { name: string; format: string; description: string; items?: Fields }[];

/**
 * Returns the fields as text for comparison. Leaves out empty `items`, because requests may omit
 * them.
 */
const schemaText = (fields: Fields): string =>
  JSON.stringify(fields, (key, value) => (key === "items" && value.length === 0 ? undefined : value));

class NotKept extends Error {}

/** Runs the extractor on the sample's file. Returns the id of the new result. */
async function repeat(reference: string, sample: Sample): Promise<string> {
  const [{ data }, bytes] = await Promise.all([
    sheaf.getKeptExtraction(sample.baseline),
    sheaf.getKeptExtractionFile(sample.baseline),
  ]);
  const { extractionId } = await runExtractor(reference, new Blob([bytes.slice()]), data.filename);
  if (extractionId === undefined) throw new NotKept();
  if (sample.latest !== undefined) await discard(sample.latest);
  return extractionId;
}

/** Deletes the result of an earlier run of the sample, unless somebody has reviewed it. */
async function discard(id: string): Promise<void> {
  try {
    const { data } = await sheaf.getKeptExtraction(id);
    if (data.version === 1) await sheaf.deleteKeptExtraction(id);
  } catch (error) {
    // A kept extraction expires by itself, so a failed deletion does no harm.
    if (!(error instanceof SheafError)) throw error;
  }
}

interface ComparisonProps {
  /** Reference of the extractor. */
  reference: string;
  before: KeptExtraction;
  after: KeptExtraction;
  onAccept: () => void;
}

function ComparisonView({ reference, before, after, onAccept }: ComparisonProps) {
  const { t } = useLingui();
  const { differences, same } = compareResults(
    { fields: before.params, data: before.corrected_data },
    { fields: after.params, data: after.corrected_data },
  );
  const count = differences.length;
  const hidden = count - maxShown;
  const sameWords = t`${plural(same, { one: "# value is the same", other: "# values are the same" })}`;
  return (
    <div className="mt-3">
      <p>
        {count === 0
          ? t`No difference: ${sameWords}.`
          : t`${plural(count, { one: "# difference", other: "# differences" })}, ${sameWords}.`}
      </p>
      {count > 0 && (
        <div className="mt-2">
          <DifferenceTable
            caption={t`Differences of ${before.filename}`}
            differences={differences.slice(0, maxShown)}
          />
          {hidden > 0 && (
            <p className="mt-2 text-muted">{t`${plural(hidden, { one: "and # more", other: "and # more" })}`}</p>
          )}
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <ReviewLink id={after.id} agent={reference} status="all" className={buttonClasses("secondary", true)}>
          <Trans>Open the new result</Trans>
        </ReviewLink>
        {count > 0 && (
          <Button small className="whitespace-normal!" onClick={onAccept}>
            <Trans>Compare with the new result from now on</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}

function DifferenceTable({ caption, differences }: { caption: string; differences: readonly Difference[] }) {
  const { t } = useLingui();
  const kinds: Record<DifferenceKind, string> = {
    changed: t`changed`,
    found: t`newly found`,
    lost: t`not found any more`,
    row_added: t`row added`,
    row_removed: t`row removed`,
    field_added: t`new field`,
    field_removed: t`removed field`,
  };
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          <HeadCell>
            <Trans>Field</Trans>
          </HeadCell>
          <HeadCell>
            <Trans>What</Trans>
          </HeadCell>
          <HeadCell>
            <Trans>Before</Trans>
          </HeadCell>
          <HeadCell>
            <Trans>Now</Trans>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ kind, place, before, after }) => (
          <tr key={`${kind} ${place.join("/")}`}>
            <Cell className="font-mono text-[0.85rem]">{place.join(" › ")}</Cell>
            <Cell className="whitespace-nowrap">{kinds[kind]}</Cell>
            <Cell className="text-danger">
              <ShortValue value={before} />
            </Cell>
            <Cell className="text-success">
              <ShortValue value={after} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Shows a value, or all cells of a row, in one line. */
function ShortValue({ value }: { value: Value | undefined }) {
  const { t } = useLingui();
  const wordsOf = useValueWords();
  if (value === undefined) return "–";
  if (value === null || typeof value !== "object") return wordsOf(value);
  const [row] = value;
  if (row === undefined) return t`no rows`;
  if (value.length > 1) return t`${plural(value.length, { one: "# row", other: "# rows" })}`;
  return Object.values(row)
    .filter((cell) => cell !== null && typeof cell !== "object")
    .map((cell) => wordsOf(cell))
    .join(" · ");
}
