/** Tries an extractor on a file. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Agent } from "@sheaf/client";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { buttonClasses } from "../../../ui/button.tsx";
import { Empty, Failure, Loading } from "../../../ui/page.tsx";
import { DropZone } from "../drop-zone.tsx";
import { extractorQuery, fieldsOf } from "../extractors.queries.ts";
import { EvidencePanel } from "./evidence-panel.tsx";
import type { Result, SelectedValue } from "./result.ts";
import { ResultView } from "./result-view.tsx";

export function TryScreen() {
  const { reference } = useParams({ from: "/shell/extractors/$reference/try" });
  const { data: extractor } = useSuspenseQuery(extractorQuery(reference));
  if (fieldsOf(extractor).length === 0) return <NoFields reference={reference} />;
  return <Trial key={reference} extractor={extractor} />;
}

function NoFields({ reference }: { reference: string }) {
  const { t } = useLingui();
  return (
    <Empty
      title={t`There is nothing to read yet`}
      action={
        <Link to="/extractors/$reference/fields" params={{ reference }} className={buttonClasses("primary")}>
          <Trans>Go to the fields</Trans>
        </Link>
      }
    >
      {t`The extractor has no fields. Add at least one and save.`}
    </Empty>
  );
}

function Trial({ extractor }: { extractor: Agent }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [selected, setSelected] = useState<SelectedValue>();
  const run = useMutation({
    mutationFn: async (file: File): Promise<Result> => {
      const { data, metadata } = await sheaf.extractWithAgent(extractor.reference, { file, include: ["evidence"] });
      return { filename: file.name, fields: fieldsOf(extractor), data, evidence: metadata.evidence ?? [] };
    },
    onMutate: () => setSelected(undefined),
  });
  return (
    <div className="flex flex-col gap-6">
      <DropZone
        label={t`Drop a document here, or click to choose one`}
        disabled={run.isPending}
        onFiles={([file]) => file !== undefined && run.mutate(file)}
      />
      {run.isPending && <Loading label={t`Reading the document…`} />}
      {run.error !== null && <Failure message={wordsOf(run.error)} />}
      {run.data !== undefined && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(20rem,28rem)]">
          <div>
            <h2 className="mb-3 font-semibold break-words">{run.data.filename}</h2>
            <ResultView result={run.data} selected={selected?.path} onSelect={setSelected} />
          </div>
          <div className="xl:sticky xl:top-6">
            <EvidencePanel selected={selected} />
          </div>
        </div>
      )}
    </div>
  );
}
