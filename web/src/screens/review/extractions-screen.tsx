/** The extractions that are kept for review. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtractionSummary } from "@sheaf/client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Ellipsis, Trash2 } from "lucide-react";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button, buttonClasses, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Empty, Failure, Loading, Page } from "../../ui/page.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import type { QueueSearch } from "./routes.tsx";

const route = getRouteApi("/shell/extractions");
const pageSize = 50;
const selectClasses = "h-9 max-w-64 rounded-md border border-line-strong/50 bg-surface px-2 text-[0.93rem]";

export function ExtractionsScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const search = route.useSearch();
  const { agent, status = "to_review" } = search;
  const list = useInfiniteQuery({
    queryKey: ["kept-extractions", "pages", agent ?? "", status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      sheaf.listKeptExtractions({
        ...(agent !== undefined && { agent }),
        ...(status !== "all" && { status }),
        limit: pageSize,
        ...(pageParam !== undefined && { cursor: pageParam }),
        signal,
      }),
    getNextPageParam: ({ metadata }) => metadata?.next_cursor ?? undefined,
  });
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const [first] = rows;
  return (
    <Page
      title={t`Review`}
      description={t`Check extracted values beside their document, and correct them.`}
      wide
      actions={
        status !== "reviewed" && first !== undefined ? (
          <Link to="/extractions/$id" params={{ id: first.id }} search={search} className={buttonClasses("primary")}>
            <Trans>Start reviewing</Trans>
          </Link>
        ) : undefined
      }
    >
      <Filters />
      {list.error !== null && list.data === undefined ? (
        <Failure message={wordsOf(list.error)} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        <NothingThere search={search} />
      ) : (
        <>
          <Extractions rows={rows} search={search} />
          {list.hasNextPage && (
            <div className="mt-4 flex justify-center">
              <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
                <Trans>Show more</Trans>
              </Button>
            </div>
          )}
          {list.isFetchNextPageError && <Failure message={wordsOf(list.error)} onRetry={() => list.fetchNextPage()} />}
        </>
      )}
    </Page>
  );
}

const extractorsQuery = {
  queryKey: ["agents", "extractor-names"],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await sheaf.listAgents({ signal })).data.filter(({ type }) => type === "EXTRACTOR"),
};

function Filters() {
  const { t } = useLingui();
  const { agent, status = "to_review" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: extractors = [] } = useQuery(extractorsQuery);
  const show = (next: { agent?: string | undefined; status: QueueSearch["status"] }) =>
    navigate({
      search: {
        ...(next.agent !== undefined && { agent: next.agent }),
        ...(next.status !== undefined && next.status !== "to_review" && { status: next.status }),
      },
    });
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-[0.87rem]">
        <span className="text-muted">{t`State`}</span>
        <select
          className={selectClasses}
          value={status}
          onChange={({ target }) => show({ agent, status: target.value as QueueSearch["status"] })}
        >
          <option value="to_review">{t`To review`}</option>
          <option value="reviewed">{t`Reviewed`}</option>
          <option value="all">{t`All`}</option>
        </select>
      </label>
      <label className="flex flex-col gap-1 text-[0.87rem]">
        <span className="text-muted">{t`Extractor`}</span>
        <select
          className={selectClasses}
          value={agent ?? ""}
          onChange={({ target }) => show({ agent: target.value || undefined, status })}
        >
          <option value="">{t`All extractors`}</option>
          {extractors.map(({ reference, name }) => (
            <option key={reference} value={reference}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function NothingThere({ search: { agent, status } }: { search: QueueSearch }) {
  const { t } = useLingui();
  if (agent === undefined && status === undefined)
    return (
      <Empty
        title={t`Nothing to review`}
        action={
          <Link to="/extractors" className={buttonClasses("primary")}>
            <Trans>Open the extractors</Trans>
          </Link>
        }
      >
        <Trans>When you extract data from a file, it is listed here for some time, so that you can check it.</Trans>
      </Empty>
    );
  return (
    <Empty
      title={t`No extractions match the filter`}
      action={
        <Link to="/extractions" search={{ status: "all" }} className={buttonClasses()}>
          <Trans>Show all</Trans>
        </Link>
      }
    >
      <Trans>Choose another state or extractor.</Trans>
    </Empty>
  );
}

function Extractions({ rows, search }: { rows: readonly KeptExtractionSummary[]; search: QueueSearch }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const { dateTime, date, number } = useFormats();
  const { data: extractors = [] } = useQuery(extractorsQuery);
  const [toDelete, setToDelete] = useState<KeptExtractionSummary>();
  const remove = useMutation({
    mutationFn: (id: string) => sheaf.deleteKeptExtraction(id),
    onSuccess: async () => {
      setToDelete(undefined);
      notify(t`The extraction was deleted.`);
      await queries.invalidateQueries({ queryKey: ["kept-extractions"] });
    },
    onError: (error) => notify(wordsOf(error), "error"),
  });
  const nameOf = (reference: string | null) =>
    reference === null ? t`Without extractor` : (extractors.find((each) => each.reference === reference)?.name ?? "");
  return (
    <>
      <Table caption={t`Extractions`}>
        <thead>
          <tr>
            <HeadCell>{t`File`}</HeadCell>
            <HeadCell>{t`Extractor`}</HeadCell>
            <HeadCell>{t`State`}</HeadCell>
            <HeadCell className="text-right">{t`Pages`}</HeadCell>
            <HeadCell>{t`Extracted`}</HeadCell>
            <HeadCell>{t`Kept until`}</HeadCell>
            <HeadCell>
              <span className="sr-only">{t`Actions`}</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="hover:bg-sunken/60">
              <Cell className="max-w-96 min-w-48">
                <Link
                  to="/extractions/$id"
                  params={{ id: row.id }}
                  search={search}
                  className="font-medium break-words underline-offset-2 hover:underline"
                >
                  {row.filename}
                </Link>
              </Cell>
              <Cell>{nameOf(row.agent_reference)}</Cell>
              <Cell>
                <State row={row} />
              </Cell>
              <Cell className="text-right tabular-nums">{number(row.pages)}</Cell>
              <Cell className="whitespace-nowrap">{dateTime(row.created_at)}</Cell>
              <Cell className="whitespace-nowrap">{date(row.expires_at)}</Cell>
              <Cell className="py-1 text-right">
                <Menu
                  trigger={
                    <IconButton label={t`Actions for ${row.filename}`}>
                      <Ellipsis size={18} aria-hidden />
                    </IconButton>
                  }
                >
                  <MenuItem danger onClick={() => setToDelete(row)}>
                    <Trash2 size={16} aria-hidden />
                    <Trans>Delete</Trans>
                  </MenuItem>
                </Menu>
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        open={toDelete !== undefined}
        onOpenChange={(isOpen) => !isOpen && setToDelete(undefined)}
        title={t`Delete this extraction?`}
        description={t`The file “${toDelete?.filename ?? ""}”, its values and all corrections are removed for good.`}
        action={t`Delete`}
        busy={remove.isPending}
        onConfirm={() => toDelete && remove.mutate(toDelete.id)}
      />
    </>
  );
}

function State({ row }: { row: KeptExtractionSummary }) {
  const { t } = useLingui();
  if (row.status === "reviewed") return <Badge tone="success">{t`Reviewed`}</Badge>;
  if (!row.needs_review) return <Badge>{t`To review`}</Badge>;
  return (
    <Badge tone="warning">
      {plural(row.values_to_review, { one: "# value to check", other: "# values to check" })}
    </Badge>
  );
}
