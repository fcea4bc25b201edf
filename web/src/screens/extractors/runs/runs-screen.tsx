/** The kept results of an extractor: filters, upload of many files, export. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Agent, ExtractionParam, KeptExtractionSummary } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Field, Input, Select } from "../../../ui/field.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { notify } from "../../../ui/notifications.tsx";
import { Badge, Empty, Failure, Loading } from "../../../ui/page.tsx";
import { Cell, HeadCell, Table } from "../../../ui/table.tsx";
import { extractorQuery, fieldsOf } from "../extractors.queries.ts";
import { keptExtractionQuery, keptExtractionsQuery } from "../kept-extractions.queries.ts";
import { ReviewLink } from "../review-link.tsx";
import { type ExportFormat, loadResults, saveResults } from "./export-results.ts";
import { type RunState, runStates } from "./run-states.ts";
import { UploadList } from "./upload-list.tsx";

/** Maximum number of rows shown at first. */
const pageRows = 100;

export function RunsScreen() {
  const { reference } = useParams({ from: "/shell/extractors/$reference/runs" });
  const { data: extractor } = useSuspenseQuery(extractorQuery(reference));
  const hasFields = fieldsOf(extractor).length > 0;
  return (
    <div className="flex flex-col gap-8">
      {hasFields && <UploadList reference={reference} />}
      <Runs key={reference} extractor={extractor} />
    </div>
  );
}

function Runs({ extractor }: { extractor: Agent }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { state, q = "" } = useSearch({ from: "/shell/extractors/$reference/runs" });
  const navigate = useNavigate({ from: "/extractors/$reference/runs" });
  const { data: runs, error, refetch } = useQuery(keptExtractionsQuery(extractor.reference));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  if (runs === undefined)
    return error === null ? <Loading /> : <Failure message={wordsOf(error)} onRetry={() => refetch()} />;
  if (runs.length === 0)
    return (
      <Empty title={t`No results yet`}>
        {fieldsOf(extractor).length === 0
          ? t`The extractor has no fields. Add at least one and save.`
          : t`Results appear here as soon as documents are read, with the files, for as long as your organization keeps them.`}
      </Empty>
    );
  const words = q.toLowerCase();
  const shown = runs.filter((run) => hasState(run, state) && run.filename.toLowerCase().includes(words));
  // Ignores selected rows that the filter hides, so that they are not exported or deleted.
  const selected = shown.filter(({ id }) => chosen.has(id));
  const stateNames: Record<RunState, string> = {
    needs_review: t`With values to check`,
    to_review: t`To review`,
    reviewed: t`Reviewed`,
  };
  return (
    <div>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <Field label={t`State`} className="w-56">
          <Select
            className="h-10"
            value={state ?? ""}
            onChange={({ target: { value } }) => {
              const next = runStates.find((each) => each === value);
              void navigate({
                search: ({ state: _, ...search }) => (next === undefined ? search : { ...search, state: next }),
                replace: true,
                resetScroll: false,
              });
            }}
          >
            <option value="">{t`All`}</option>
            {runStates.map((each) => (
              <option key={each} value={each}>
                {stateNames[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t`File name`} className="w-64">
          <Input
            type="search"
            className="h-10"
            value={q}
            onChange={({ target: { value } }) =>
              void navigate({
                search: ({ q: _, ...search }) => (value === "" ? search : { ...search, q: value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Field>
        <div className="ml-auto flex flex-wrap gap-2">
          {selected.length > 0 && (
            <DeleteRuns
              reference={extractor.reference}
              ids={selected.map(({ id }) => id)}
              onDeleted={() => setChosen(new Set())}
            />
          )}
          <ExportMenu
            extractor={extractor}
            runs={selected.length > 0 ? selected : shown}
            isSelection={selected.length > 0}
          />
        </div>
      </div>
      {shown.length === 0 ? (
        <p className="text-muted">
          <Trans>No result fits these filters.</Trans>
        </p>
      ) : (
        <RunTable key={`${state} ${q}`} runs={shown} chosen={chosen} onChosen={setChosen} />
      )}
    </div>
  );
}

const hasState = (run: KeptExtractionSummary, state: RunState | undefined): boolean =>
  state === undefined || (state === "needs_review" ? run.needs_review : run.status === state);

interface RunTableProps {
  runs: readonly KeptExtractionSummary[];
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
}

function RunTable({ runs, chosen, onChosen }: RunTableProps) {
  const { t } = useLingui();
  const [limit, setLimit] = useState(pageRows);
  const isAllChosen = runs.every(({ id }) => chosen.has(id));
  const rest = runs.length - limit;
  return (
    <>
      <Table caption={t`Results`}>
        <thead>
          <tr>
            <HeadCell className="w-10">
              <input
                type="checkbox"
                aria-label={t`Choose all`}
                className="size-4 accent-accent"
                checked={isAllChosen}
                onChange={() => onChosen(new Set(isAllChosen ? [] : runs.map(({ id }) => id)))}
              />
            </HeadCell>
            <HeadCell>
              <Trans>File</Trans>
            </HeadCell>
            <HeadCell>
              <Trans>State</Trans>
            </HeadCell>
            <HeadCell className="text-right">
              <Trans>Pages</Trans>
            </HeadCell>
            <HeadCell>
              <Trans>Read on</Trans>
            </HeadCell>
            <HeadCell>
              <Trans>Kept until</Trans>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, limit).map((run) => (
            <RunRow
              key={run.id}
              run={run}
              isChosen={chosen.has(run.id)}
              onToggle={() => {
                const next = new Set(chosen);
                if (!next.delete(run.id)) next.add(run.id);
                onChosen(next);
              }}
            />
          ))}
        </tbody>
      </Table>
      {rest > 0 && (
        <Button className="mt-3" onClick={() => setLimit(limit + pageRows)}>
          {t`Show more (${plural(rest, { one: "# further result", other: "# further results" })})`}
        </Button>
      )}
    </>
  );
}

/** Returns the status filter of the review queue that matches the filter of this screen. */
const queueOf = (state: RunState | undefined) =>
  state === "reviewed" ? "reviewed" : state === undefined ? "all" : undefined;

function RunRow({ run, isChosen, onToggle }: { run: KeptExtractionSummary; isChosen: boolean; onToggle: () => void }) {
  const { t } = useLingui();
  const formats = useFormats();
  const { reference } = useParams({ from: "/shell/extractors/$reference/runs" });
  const { state } = useSearch({ from: "/shell/extractors/$reference/runs" });
  const { id, filename, status, values_to_review, pages, created_at, expires_at } = run;
  return (
    <tr>
      <Cell>
        <input
          type="checkbox"
          aria-label={t`Choose ${filename}`}
          className="size-4 accent-accent"
          checked={isChosen}
          onChange={onToggle}
        />
      </Cell>
      <Cell className="min-w-48 break-words">
        <ReviewLink id={id} agent={reference} status={queueOf(state)}>
          {filename}
        </ReviewLink>
      </Cell>
      <Cell className="whitespace-nowrap">
        {status === "reviewed" ? (
          <Badge tone="success">
            <Trans>Reviewed</Trans>
          </Badge>
        ) : values_to_review > 0 ? (
          <Badge tone="warning">
            {t`${plural(values_to_review, { one: "# value to check", other: "# values to check" })}`}
          </Badge>
        ) : (
          <Badge>
            <Trans>To review</Trans>
          </Badge>
        )}
      </Cell>
      <Cell className="text-right">{formats.number(pages)}</Cell>
      <Cell className="whitespace-nowrap">{formats.dateTime(created_at)}</Cell>
      <Cell className="whitespace-nowrap text-muted">{formats.date(expires_at)}</Cell>
    </tr>
  );
}

interface ExportMenuProps {
  extractor: Agent;
  runs: readonly KeptExtractionSummary[];
  isSelection: boolean;
}

function ExportMenu({ extractor, runs, isSelection }: ExportMenuProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [loaded, setLoaded] = useState(0);
  const count = runs.length;
  const titles = { documents: t`Documents`, number: t`No.`, file: t`File`, date: t`Read on (UTC)`, row: t`Row` };
  const save = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const ids = runs.map(({ id }) => id);
      await saveResults(extractor.name, await loadResults(ids, setLoaded), format, titles);
    },
    onMutate: () => setLoaded(0),
    onError: (error) => notify(wordsOf(error), "error"),
  });
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={buttonClasses(isSelection ? "primary" : "secondary")}
          disabled={count === 0 || save.isPending}
        >
          <Download size={16} aria-hidden />
          {save.isPending
            ? t`Loading ${loaded} of ${count}…`
            : isSelection
              ? t`Export ${plural(count, { one: "# chosen", other: "# chosen" })}`
              : t`Export all ${count}`}
        </button>
      }
    >
      <MenuItem onClick={() => save.mutate({ kind: "excel" })}>
        <Trans>Excel, with a sheet for each list</Trans>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onClick={() => save.mutate({ kind: "csv" })}>
        <Trans>CSV of the single values</Trans>
      </MenuItem>
      {listNames(fieldsOf(extractor)).map((list) => (
        <MenuItem key={list} onClick={() => save.mutate({ kind: "csv", list })}>
          {t`CSV of the list “${list}”`}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onClick={() => save.mutate({ kind: "json" })}>
        <Trans>JSON</Trans>
      </MenuItem>
    </Menu>
  );
}

/**
 * Returns the names of all lists as they appear in the exported tables. A nested list is named
 * `outer.inner`.
 */
const listNames = (fields: readonly ExtractionParam[], parent = ""): string[] =>
  fields
    .filter(({ format }) => format === "list")
    .flatMap(({ name, items }) => [`${parent}${name}`, ...listNames(items ?? [], `${parent}${name}.`)]);

interface DeleteRunsProps {
  reference: string;
  ids: readonly string[];
  onDeleted: () => void;
}

function DeleteRuns({ reference, ids, onDeleted }: DeleteRunsProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const count = ids.length;
  const remove = useMutation({
    mutationFn: async () => {
      for (const id of ids) {
        await sheaf.deleteKeptExtraction(id);
        queries.removeQueries({ queryKey: keptExtractionQuery(id).queryKey });
      }
    },
    onSuccess: () => {
      setOpen(false);
      onDeleted();
      notify(t`${plural(count, { one: "# result was deleted.", other: "# results were deleted." })}`);
    },
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => queries.invalidateQueries({ queryKey: keptExtractionsQuery(reference).queryKey }),
  });
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        <Trash2 size={16} aria-hidden />
        {t`Delete ${plural(count, { one: "# chosen", other: "# chosen" })}`}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Delete ${plural(count, { one: "# result", other: "# results" })}?`}
        description={t`The values, their corrections and the files are deleted. This cannot be undone.`}
        action={t`Delete`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}
