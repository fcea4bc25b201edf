/** The delivery log of an event: what was sent, and how the receiver responded. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { DeliverySummary, EventName } from "@sheaf/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsLive } from "../../app/live-states.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { Badge, Empty, Failure, Loading } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Cell, HeadCell, Table } from "../../ui/table.tsx";
import { deliveriesQuery } from "./deliveries.queries.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryStatus, deliveryStatuses } from "./delivery-status.tsx";
import { useTime } from "./delivery-time.ts";
import type { WebhooksSearch } from "./organization-search.ts";
import { eventWords, webhookEvents } from "./webhook-words.ts";

const route = getRouteApi("/shell/organization/webhooks");

export function DeliveriesSection() {
  const { t } = useLingui();
  const { event = webhookEvents[0], status, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const wordsOf = useErrorWords();
  const log = useInfiniteQuery(deliveriesQuery(event, status, useIsLive()));
  const deliveries = log.data?.pages.flatMap(({ data }) => data) ?? [];
  const count = deliveries.length;
  return (
    <Section
      title={t`Delivery log`}
      description={t`Every delivery of the last 30 days with its attempts, including deliveries to callbacks of single requests.`}
    >
      <Filters event={event} status={status} />
      {log.isPending && <Loading />}
      {log.isError && (
        <div className="mb-4">
          <Failure message={wordsOf(log.error)} onRetry={() => void log.refetch()} />
        </div>
      )}
      {log.isSuccess && count === 0 && (
        <Empty icon={<Send size={32} strokeWidth={1.5} />} title={t`No deliveries`}>
          {status === undefined ? (
            <Trans>Nothing was sent for this event yet. Send a test event to try your receiver.</Trans>
          ) : (
            <Trans>No delivery of this event has this status.</Trans>
          )}
        </Empty>
      )}
      {count > 0 && (
        <>
          <Table caption={t`Delivery log`}>
            <thead>
              <tr>
                <HeadCell>{t`Time of the event`}</HeadCell>
                <HeadCell>{t`Status`}</HeadCell>
                <HeadCell>{t`Sent to`}</HeadCell>
                <HeadCell>{t`Attempts`}</HeadCell>
                <HeadCell>
                  <span className="sr-only">{t`Actions`}</span>
                </HeadCell>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((each) => (
                <DeliveryRow key={each.id} delivery={each} />
              ))}
            </tbody>
          </Table>
          <div className="mt-4 flex flex-wrap items-center gap-4">
            <p role="status" className="text-[0.9rem] text-muted">
              {log.hasNextPage
                ? t`${count} deliveries shown, there are more.`
                : t`All deliveries are shown (${count}).`}
            </p>
            {log.hasNextPage && (
              <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                <Trans>Show more</Trans>
              </Button>
            )}
          </div>
        </>
      )}
      {delivery !== undefined && (
        <DeliveryDialog
          key={delivery}
          id={delivery}
          onClose={() =>
            void navigate({
              search: (before) => ({ ...before, delivery: undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
    </Section>
  );
}

function Filters({ event, status }: { event: EventName; status: DeliverySummary["status"] | undefined }) {
  const { t, i18n } = useLingui();
  const navigate = route.useNavigate();
  const change = (part: WebhooksSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  return (
    <div className="mb-4 grid gap-3 sm:grid-cols-2">
      <Field label={t`Event`}>
        <Select value={event} onChange={({ target }) => change({ event: target.value as EventName })}>
          {webhookEvents.map((each) => (
            <option key={each} value={each}>
              {i18n._(eventWords[each].name)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t`Status`}>
        <Select
          value={status ?? ""}
          onChange={({ target }) => change({ status: (target.value || undefined) as WebhooksSearch["status"] })}
        >
          <option value="">{t`All statuses`}</option>
          {Object.entries(deliveryStatuses).map(([value, { name }]) => (
            <option key={value} value={value}>
              {i18n._(name)}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

function DeliveryRow({ delivery }: { delivery: DeliverySummary }) {
  const { t } = useLingui();
  const { number } = useFormats();
  const time = useTime();
  const { id, status, failure, kind, test } = delivery;
  const at = time(delivery.created_at);
  return (
    <tr className="align-top">
      <Cell className="whitespace-nowrap">
        <time dateTime={delivery.created_at}>{at}</time>
      </Cell>
      <Cell className="min-w-48">
        <span className="flex flex-wrap gap-1.5">
          <DeliveryStatus status={status} />
          {test && <Badge>{t`Test`}</Badge>}
        </span>
        {failure !== null && <span className="mt-1 block text-[0.87rem] text-muted">{failure}</span>}
      </Cell>
      <Cell>{kind === "webhook" ? t`Webhook` : t`Callback`}</Cell>
      <Cell className="tabular-nums">{number(delivery.attempts_count)}</Cell>
      <Cell className="text-right">
        <Link
          from="/organization/webhooks"
          to="/organization/webhooks"
          search={(before) => ({ ...before, delivery: id })}
          resetScroll={false}
          aria-label={t`Details: ${at}`}
          className={buttonClasses("secondary", true)}
        >
          {t`Details`}
        </Link>
      </Cell>
    </tr>
  );
}
