/** Audit log: who changed what, when and from where. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { Empty, Failure, Loading } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { HeadCell, Table } from "../../ui/table.tsx";
import { auditQuery } from "./audit.queries.ts";
import { AuditExport } from "./audit-export-menu.tsx";
import { AuditRow } from "./audit-row.tsx";
import { auditActions } from "./audit-words.ts";
import { membersQuery } from "./organization.queries.ts";
import type { AuditSearch } from "./organization-search.ts";

const route = getRouteApi("/shell/organization/audit");

export function AuditTab() {
  const { t } = useLingui();
  const search = route.useSearch();
  const wordsOf = useErrorWords();
  const log = useInfiniteQuery(auditQuery(search));
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  const count = entries.length;
  const members = useQuery(membersQuery);
  const names = useMemo(() => new Map(members.data?.map(({ id, name }) => [id, name])), [members.data]);
  const isFiltered = search.action !== undefined || search.since !== undefined;
  return (
    <Section
      title={t`Audit log`}
      description={t`Every change of settings, people, credentials, documents and webhooks. Entries are never changed or deleted. Questions and extractions are not recorded here.`}
      actions={<AuditExport search={search} />}
    >
      <Filters />
      {log.isPending && <Loading />}
      {log.isError && (
        <div className="mb-4">
          <Failure message={wordsOf(log.error)} onRetry={() => void log.refetch()} />
        </div>
      )}
      {log.isSuccess && count === 0 && (
        <Empty
          icon={<ScrollText size={32} strokeWidth={1.5} />}
          title={isFiltered ? t`No entry matches the filters` : t`The audit log is empty`}
        >
          {isFiltered ? (
            <Trans>Choose another action or an earlier day.</Trans>
          ) : (
            <Trans>Changes are listed here as soon as somebody makes one.</Trans>
          )}
        </Empty>
      )}
      {count > 0 && (
        <>
          <Table caption={t`Audit log`}>
            <thead>
              <tr>
                <HeadCell>{t`Time`}</HeadCell>
                <HeadCell>{t`Action`}</HeadCell>
                <HeadCell>{t`Changed by`}</HeadCell>
                <HeadCell>{t`Details`}</HeadCell>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <AuditRow key={entry.id} entry={entry} names={names} />
              ))}
            </tbody>
          </Table>
          <div className="mt-4 flex flex-wrap items-center gap-4">
            <p role="status" className="text-[0.9rem] text-muted">
              {log.hasNextPage ? t`${count} entries shown, there are more.` : t`All entries are shown (${count}).`}
            </p>
            {log.hasNextPage && (
              <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                <Trans>Show more</Trans>
              </Button>
            )}
          </div>
        </>
      )}
    </Section>
  );
}

function Filters() {
  const { t, i18n } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: AuditSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  const collator = new Intl.Collator(i18n.locale);
  const known = Object.entries(auditActions)
    .map(([action, words]) => ({ action, words: i18n._(words) }))
    .sort((a, b) => collator.compare(a.words, b.words));
  const isUnknown = search.action !== undefined && !Object.hasOwn(auditActions, search.action);
  return (
    <div className="mb-4 grid gap-3 sm:grid-cols-3">
      <Field label={t`Action`}>
        <Select value={search.action ?? ""} onChange={({ target }) => change({ action: target.value || undefined })}>
          <option value="">{t`All actions`}</option>
          {isUnknown && <option value={search.action}>{search.action}</option>}
          {known.map(({ action, words }) => (
            <option key={action} value={action}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t`From this day on`}>
        <Input
          type="date"
          value={search.since ?? ""}
          onChange={({ target }) => change({ since: target.value || undefined })}
        />
      </Field>
      <Field label={t`Sort order`}>
        <Select
          value={search.order ?? "newest"}
          onChange={({ target }) => change({ order: target.value === "oldest" ? "oldest" : undefined })}
        >
          <option value="newest">{t`Newest first`}</option>
          <option value="oldest">{t`Oldest first`}</option>
        </Select>
      </Field>
    </div>
  );
}
