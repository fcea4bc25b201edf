/** Shows the usage of the month compared with the limits of the plan. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Usage } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useFormats } from "../../ui/formats.ts";
import { Badge, Card, type Tone } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Loaded } from "./loaded.tsx";
import { usageQuery } from "./organization.queries.ts";
import { UsageBar } from "./usage-bar.tsx";

export function UsageTab() {
  return <Loaded query={useQuery(usageQuery)}>{(usage) => <UsageSections usage={usage} />}</Loaded>;
}

function UsageSections({ usage: { subscription, quotas, usage } }: { usage: Usage }) {
  const { t } = useLingui();
  const { number } = useFormats();
  const month = useMonth(usage.period);
  const { included_api_tokens: included, billable_tokens: billable, api_tokens: api, overage_tokens: overage } = usage;
  return (
    <>
      <Section
        title={t`Language model tokens in ${month}`}
        description={t`Work of the built-in engine consumes no tokens. The month is the calendar month in UTC, not the billing period.`}
      >
        <Card>
          <UsageBar label={t`Billable tokens`} used={billable} limit={included} />
          <dl className="mt-5 grid gap-x-8 gap-y-4 sm:grid-cols-3">
            <Figure term={t`Through the API`} value={number(api)} />
            <Figure term={t`Through public channels`} value={number(billable - api)} />
            <Figure
              term={t`Beyond the plan`}
              value={included === null ? t`The plan sets no limit` : number(overage)}
              isWarning={overage > 0}
            />
          </dl>
          <p className="mt-4 text-[0.9rem] text-muted">
            <Trans>Tokens of this web application are not counted.</Trans>
          </p>
        </Card>
      </Section>
      <Section title={t`Quotas`} description={t`Limits of the plan. The operator of the service can change them.`}>
        <div className="grid gap-4 lg:grid-cols-[2fr_1fr_1fr]">
          <Card>
            <UsageBar
              label={t`Extractors, corpora and assistants`}
              used={quotas.max_agents.used}
              limit={quotas.max_agents.limit}
            />
          </Card>
          <Card>
            <dl>
              <Figure
                term={t`Documents per corpus, at most`}
                value={
                  quotas.max_documents_per_agent.limit === null
                    ? t`The plan sets no limit`
                    : number(quotas.max_documents_per_agent.limit)
                }
              />
            </dl>
          </Card>
          <Card>
            <dl>
              <Figure
                term={t`Size of a file, at most`}
                value={
                  quotas.max_upload_mb.limit === null
                    ? t`The plan sets no limit`
                    : t`${number(quotas.max_upload_mb.limit)} MB`
                }
              />
            </dl>
          </Card>
        </div>
      </Section>
      <Section title={t`Plan`}>
        <Card>
          <Plan subscription={subscription} />
        </Card>
      </Section>
    </>
  );
}

function Plan({ subscription }: { subscription: Usage["subscription"] }) {
  const { t } = useLingui();
  const { date } = useFormats();
  const { status, billing_cycle: cycle, current_period_end: end } = subscription;
  if (status === null)
    return <p>{t`There is no subscription: the quotas above are set by the operator of the service.`}</p>;
  const words: Record<string, [string, Tone]> = {
    active: [t`Active`, "success"],
    trialing: [t`Trial`, "accent"],
    past_due: [t`Payment overdue`, "warning"],
    canceled: [t`Cancelled`, "danger"],
  };
  const [word, tone] = words[status] ?? [status, "neutral"];
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
      <Figure term={t`Subscription`} value={<Badge tone={tone}>{word}</Badge>} />
      {cycle !== null && <Figure term={t`Billed`} value={cycle === "monthly" ? t`Monthly` : t`Yearly`} />}
      {end !== null && <Figure term={t`Current period ends`} value={date(end)} />}
    </dl>
  );
}

interface FigureProps {
  term: string;
  value: ReactNode;
  isWarning?: boolean;
}

const Figure = ({ term, value, isWarning = false }: FigureProps) => (
  <div>
    <dt className="text-[0.87rem] text-muted">{term}</dt>
    <dd className={isWarning ? "text-lg font-semibold text-warning" : "text-lg font-semibold"}>{value}</dd>
  </div>
);

/** Formats a month such as "2026-11" as text. */
function useMonth(period: string): string {
  const { i18n } = useLingui();
  const format = new Intl.DateTimeFormat(i18n.locale, { month: "long", year: "numeric", timeZone: "UTC" });
  return format.format(new Date(`${period}-01T00:00:00Z`));
}
