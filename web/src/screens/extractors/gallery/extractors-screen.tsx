/** Gallery: the extractors visible to the user, and templates for new ones. */

import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentSummary, Template } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { FileSearch, Plus } from "lucide-react";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useDescriptionWords } from "../../../app/sample-description.ts";
import { useIsAdministrator } from "../../../app/session.ts";
import { buttonClasses } from "../../../ui/button.tsx";
import { Field, Input } from "../../../ui/field.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { Empty, Failure, Loading, Page } from "../../../ui/page.tsx";
import { extractorsQuery, templatesQuery } from "../extractors.queries.ts";
import { CreateDialog } from "./extractor-dialogs.tsx";
import { ExtractorMenu } from "./extractor-menu.tsx";
import { iconOf } from "./template-icons.ts";

/** A search field is shown if there are at least this many extractors. */
const searchFrom = 9;

export function ExtractorsScreen() {
  const { t } = useLingui();
  const { create } = useSearch({ from: "/shell/extractors" });
  const navigate = useNavigate({ from: "/extractors" });
  const isAdministrator = useIsAdministrator();
  return (
    <Page
      title={t`Extractors`}
      description={t`An extractor reads the values you need out of documents of one kind, such as the number and total of invoices.`}
      actions={
        isAdministrator && (
          <Link
            from="/extractors"
            search={(search) => ({ ...search, create: "empty" })}
            className={buttonClasses("primary")}
          >
            <Plus size={18} aria-hidden />
            <Trans>New extractor</Trans>
          </Link>
        )
      }
    >
      <Extractors />
      {isAdministrator && <Templates />}
      {create !== undefined && isAdministrator && (
        <CreateFrom
          key={create}
          name={create}
          onClose={() => void navigate({ search: ({ create: _, ...search }) => search })}
        />
      )}
    </Page>
  );
}

/**
 * Opens the dialog when the template is loaded. If there is no template with this name, the dialog
 * starts without fields.
 */
function CreateFrom({ name, onClose }: { name: string; onClose: () => void }) {
  const { data: templates, isPending } = useQuery(templatesQuery());
  if (isPending) return null;
  return <CreateDialog template={templates?.find((template) => template.name === name)} onClose={onClose} />;
}

function Extractors() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const isAdministrator = useIsAdministrator();
  const { q = "" } = useSearch({ from: "/shell/extractors" });
  const navigate = useNavigate({ from: "/extractors" });
  const { data: extractors, error, refetch } = useQuery(extractorsQuery);
  if (error !== null && extractors === undefined) return <Failure message={wordsOf(error)} onRetry={() => refetch()} />;
  if (extractors === undefined) return <Loading />;
  if (extractors.length === 0)
    return (
      <Empty title={t`There is no extractor yet`} icon={<FileSearch size={32} strokeWidth={1.5} />}>
        {isAdministrator
          ? t`Choose a template below, or begin with an empty one.`
          : t`An administrator of your organization can create one.`}
      </Empty>
    );
  const words = q.toLowerCase();
  const found = extractors.filter(({ name, description }) =>
    `${name} ${description ?? ""}`.toLowerCase().includes(words),
  );
  return (
    <section aria-label={t`Extractors of the organization`}>
      {(extractors.length >= searchFrom || q !== "") && (
        <Field label={t`Search`} className="mb-4 max-w-sm">
          <Input
            type="search"
            value={q}
            onChange={({ target: { value } }) =>
              void navigate({
                search: ({ q: _, ...search }) => (value === "" ? search : { ...search, q: value }),
                replace: true,
              })
            }
          />
        </Field>
      )}
      {found.length === 0 ? (
        <p className="text-muted">
          <Trans>No extractor has these words in its name or description.</Trans>
        </p>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">
          {found.map((extractor) => (
            <ExtractorCard key={extractor.reference} extractor={extractor} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ExtractorCard({ extractor }: { extractor: AgentSummary }) {
  const formats = useFormats();
  const { reference, name, description, updated_at } = extractor;
  const descriptionWords = useDescriptionWords();
  const date = formats.date(updated_at);
  return (
    <li className="relative flex items-start gap-3 rounded-xl border border-line bg-surface p-4 hover:border-line-strong">
      <span className="rounded-lg bg-accent-soft p-2.5 text-accent" aria-hidden>
        <FileSearch size={20} />
      </span>
      <div className="min-w-0 grow">
        <h2 className="font-semibold break-words">
          {/* The link covers the whole card, except for the menu. */}
          <Link
            to="/extractors/$reference/fields"
            params={{ reference }}
            className="after:absolute after:inset-0 after:rounded-xl"
          >
            {name}
          </Link>
        </h2>
        {description !== null && (
          <p className="line-clamp-2 text-[0.9rem] text-muted">{descriptionWords(description)}</p>
        )}
        <p className="mt-1 text-[0.83rem] text-muted">
          <Trans>Changed on {date}</Trans>
        </p>
      </div>
      <div className="relative -mt-1 -mr-1.5">
        <ExtractorMenu extractor={extractor} />
      </div>
    </li>
  );
}

function Templates() {
  const wordsOf = useErrorWords();
  const { data: templates, error, refetch } = useQuery(templatesQuery());
  return (
    <section className="mt-10" aria-labelledby="templates">
      <h2 id="templates" className="text-lg font-semibold">
        <Trans>Start from a template</Trans>
      </h2>
      <p className="mt-1 mb-4 max-w-2xl text-muted">
        <Trans>
          The share of right values was measured without a language model, on invented documents that the templates were
          not made with. Yours may differ: try some before you rely on it.
        </Trans>
      </p>
      {error !== null && templates === undefined ? (
        <Failure message={wordsOf(error)} onRetry={() => refetch()} />
      ) : templates === undefined ? (
        <Loading />
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {templates.map((template) => (
            <TemplateCard key={template.name} template={template} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TemplateCard({ template: { name, title, description, params, quality } }: { template: Template }) {
  const { t } = useLingui();
  const formats = useFormats();
  const Icon = iconOf(name);
  const count = params.length;
  const fieldCount = t`${plural(count, { one: "# field", other: "# fields" })}`;
  const share = quality === null ? undefined : formats.percent(quality.f1);
  return (
    <li className="relative flex items-start gap-3 rounded-xl border border-line bg-surface p-4 hover:border-line-strong">
      <span className="rounded-lg bg-sunken p-2.5 text-muted" aria-hidden>
        <Icon size={20} />
      </span>
      <div className="min-w-0">
        <h3 className="font-medium hyphens-auto break-words">
          <Link
            from="/extractors"
            search={(search) => ({ ...search, create: name })}
            resetScroll={false}
            className="after:absolute after:inset-0 after:rounded-xl"
          >
            {title}
          </Link>
        </h3>
        <p className="text-[0.87rem] text-muted">{description}</p>
        <p className="mt-1 text-[0.83rem] text-muted">
          {share === undefined ? fieldCount : t`${fieldCount} · ${share} measured (F1)`}
        </p>
      </div>
    </li>
  );
}
