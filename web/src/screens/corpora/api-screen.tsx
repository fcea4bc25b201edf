/** Shows how programs upload documents to a corpus and ask questions about them. */
import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi } from "@tanstack/react-router";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { Card } from "../../ui/page.tsx";
import { CorpusPage } from "./corpus-page.tsx";
import { type Language, languages, snippetsFor } from "./snippets.ts";

const route = getRouteApi("/shell/corpora/$reference/api");

export function ApiScreen() {
  const { t } = useLingui();
  const { reference } = route.useParams();
  const [language, setLanguage] = useState<Language>("curl");
  const snippets = snippetsFor(language, location.origin, reference);
  return (
    <CorpusPage reference={reference} screen={t`API`}>
      <div className="flex max-w-3xl flex-col gap-6">
        <Card>
          <h2 className="mb-1 text-lg font-semibold">
            <Trans>Use this corpus from a program</Trans>
          </h2>
          <p className="mb-4 text-muted">
            <Trans>
              Programs sign in with a credential, which an administrator creates under Organization. The examples expect
              it in two environment variables, CLIENT_ID and CLIENT_SECRET.
            </Trans>
          </p>
          <p className="mb-1 text-[0.9rem] font-medium">
            <Trans>Reference of this corpus</Trans>
          </p>
          <CopyText text={reference} label={t`reference`} />
        </Card>
        <fieldset className="flex w-fit gap-1 rounded-lg bg-sunken p-1">
          <legend className="sr-only">
            <Trans>Programming language</Trans>
          </legend>
          {Object.entries(languages).map(([value, name]) => (
            <label
              key={value}
              className={classes(
                "cursor-pointer rounded-md px-4 py-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                value === language ? "bg-surface font-medium shadow-sm" : "text-muted hover:text-ink",
              )}
            >
              <input
                type="radio"
                name="language"
                className="sr-only"
                checked={value === language}
                onChange={() => setLanguage(value as Language)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <Snippet title={t`Sign in`} code={snippets.signIn} />
        <Snippet title={t`Upload a document`} code={snippets.upload} />
        <Snippet title={t`Ask a question`} code={snippets.ask} />
      </div>
    </CorpusPage>
  );
}

function Snippet({ title, code }: { title: string; code: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <section>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="font-semibold">{title}</h2>
        <Button small onClick={copy}>
          {isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          {isCopied ? <Trans>Copied</Trans> : <Trans>Copy</Trans>}
          <span className="sr-only">{title}</span>
        </Button>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line bg-sunken p-4 font-mono text-[0.85rem]"
      >
        <code>{code}</code>
      </pre>
    </section>
  );
}
