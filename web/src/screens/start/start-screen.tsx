/** The first screen after sign-in: recent agents, samples, and a tour of five steps. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentSummary } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileSearch, Library, Scissors } from "lucide-react";
import type { ReactNode } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { useIsAdministrator, useMembership, useSession } from "../../app/session.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { Card, Failure, Loading, Page } from "../../ui/page.tsx";
import { agentsQuery } from "./agents-query.ts";
import { useAddingSamples, useAddSamples, useRemoveSamples } from "./sample-state.ts";
import { type Samples, samplesAmong } from "./samples.ts";
import { Tour } from "./tour.tsx";

export function StartScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { user } = useSession();
  const membership = useMembership();
  const isAdministrator = useIsAdministrator();
  const { data: agents, error, isPending, refetch } = useQuery(agentsQuery);
  const samples = samplesAmong(agents ?? []);
  return (
    <Page title={t`Start`} heading={t`Hello, ${user.name}`} description={membership?.name}>
      <div className="grid gap-4 md:grid-cols-3">
        <Way
          to="/extractors"
          icon={<FileSearch size={22} />}
          title={t`Read data from documents`}
          text={t`Describe the fields once. Each value comes with the words it was read from.`}
        />
        <Way
          to="/corpora"
          icon={<Library size={22} />}
          title={t`Ask your documents`}
          text={t`Upload contracts or manuals and ask questions. Each answer names its page.`}
        />
        <Way
          to="/split"
          icon={<Scissors size={22} />}
          title={t`Split and classify`}
          text={t`Split a scanned pile into documents, and find out what each of them is.`}
        />
      </div>
      <Tour samples={samples} isAdministrator={isAdministrator} />
      {isPending ? (
        <Loading />
      ) : error !== null ? (
        <Failure message={wordsOf(error)} onRetry={() => refetch()} />
      ) : (
        <>
          {isAdministrator && <SamplesCard samples={samples} />}
          <div className="mt-6 grid gap-6 md:grid-cols-2">
            <Recent title={t`Extractors`} agents={agents.filter(({ type }) => type === "EXTRACTOR")} to="/extractors" />
            <Recent title={t`Corpora`} agents={agents.filter(({ type }) => type === "DOCUMENTALIST")} to="/corpora" />
          </div>
        </>
      )}
    </Page>
  );
}

interface WayProps {
  to: "/extractors" | "/corpora" | "/split";
  icon: ReactNode;
  title: string;
  text: string;
}

const Way = ({ to, icon, title, text }: WayProps) => (
  <Link to={to} className="group rounded-xl border border-line bg-surface p-5 transition-colors hover:border-accent">
    <span aria-hidden className="mb-3 inline-flex rounded-lg bg-accent-soft p-2 text-accent">
      {icon}
    </span>
    <h2 className="font-semibold group-hover:text-accent">{title}</h2>
    <p className="mt-1 text-[0.93rem] text-muted">{text}</p>
  </Link>
);

function SamplesCard({ samples }: { samples: Samples }) {
  const { t } = useLingui();
  const add = useAddSamples();
  const share = useAddingSamples();
  const remove = useRemoveSamples();
  const isThere = samples.extractor !== undefined && samples.corpus !== undefined;
  return (
    <Card className="mt-6 flex flex-wrap items-center justify-between gap-4">
      <div className="min-w-0">
        <h2 className="font-semibold">
          <Trans>Samples</Trans>
        </h2>
        <p className="mt-0.5 text-[0.93rem] text-muted">
          {share !== undefined ? (
            <Trans>The samples are being added…</Trans>
          ) : isThere ? (
            <Trans>An extractor with five invoices and a corpus with three documents, to try everything out.</Trans>
          ) : (
            <Trans>Add an extractor with five invoices and a corpus with three documents, to try everything out.</Trans>
          )}
        </p>
        {share !== undefined && (
          <progress
            value={share}
            aria-label={t`Samples added`}
            className="mt-2 h-1.5 w-64 max-w-full overflow-hidden rounded-full accent-accent"
          />
        )}
      </div>
      {share === undefined &&
        (isThere ? (
          <Button busy={remove.isPending} onClick={() => remove.mutate(samples)}>
            <Trans>Remove the samples</Trans>
          </Button>
        ) : (
          <Button onClick={add}>
            <Trans>Add samples</Trans>
          </Button>
        ))}
    </Card>
  );
}

interface RecentProps {
  title: string;
  agents: readonly AgentSummary[];
  to: "/extractors" | "/corpora";
}

/** Lists the most recently changed agents of one type. */
function Recent({ title, agents, to }: RecentProps) {
  const latest = [...agents].sort((one, other) => other.updated_at.localeCompare(one.updated_at)).slice(0, 5);
  return (
    <section>
      <div className="mb-2 flex items-baseline justify-between">
        <h2 className="font-semibold">{title}</h2>
        <Link to={to} className={buttonClasses("quiet", true)}>
          <Trans>Show all</Trans>
        </Link>
      </div>
      {latest.length === 0 ? (
        <p className="text-muted">
          <Trans>None yet.</Trans>
        </p>
      ) : (
        <ul className="overflow-hidden rounded-xl border border-line bg-surface">
          {latest.map(({ reference, name }) => (
            <li key={reference} className="border-b border-line last:border-b-0">
              <Link
                to={to === "/extractors" ? "/extractors/$reference" : "/corpora/$reference"}
                params={{ reference }}
                className="block px-4 py-2.5 hover:bg-sunken"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
