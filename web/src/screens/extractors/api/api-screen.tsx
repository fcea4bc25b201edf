/** Shows how a program uses the extractor, with examples to copy. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useParams } from "@tanstack/react-router";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useErrorWords } from "../../../app/error-words.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { notify } from "../../../ui/notifications.tsx";
import { type SnippetLanguage, snippets } from "./snippets.ts";

const languages: readonly { key: SnippetLanguage; name: string }[] = [
  { key: "curl", name: "curl" },
  { key: "typescript", name: "TypeScript" },
  { key: "python", name: "Python" },
];

export function ApiScreen() {
  const { t } = useLingui();
  const { reference } = useParams({ from: "/shell/extractors/$reference/api" });
  const input = { origin: location.origin, reference };
  return (
    <div className="flex max-w-4xl flex-col gap-8">
      <div>
        <p className="mb-4 max-w-2xl text-muted">
          <Trans>
            A program uses this extractor with a client id and a secret. An administrator makes them under Organization.
            The examples read them from the environment variables SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET.
          </Trans>
        </p>
        <p className="mb-1 text-[0.9rem] font-medium">
          <Trans>Reference of the extractor</Trans>
        </p>
        <div className="max-w-md">
          <CopyText text={reference} label={t`the reference`} />
        </div>
      </div>
      {languages.map(({ key, name }) => (
        <Snippet key={key} name={name} code={snippets[key](input)} />
      ))}
    </div>
  );
}

function Snippet({ name, code }: { name: string; code: string }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
    } catch (error) {
      notify(wordsOf(error), "error");
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <section aria-label={name}>
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 className="font-semibold">{name}</h2>
        <Button small onClick={copy} aria-label={t`Copy the example in ${name}`}>
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          <span role="status">{isCopied ? t`Copied` : t`Copy`}</span>
        </Button>
      </div>
      <section
        aria-label={t`Example in ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-xl border border-line bg-sunken p-4"
      >
        <pre className="font-mono text-[0.85rem]">{code}</pre>
      </section>
    </section>
  );
}
