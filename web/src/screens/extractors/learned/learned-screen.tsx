/** Lists what an extractor has learned from reviewed and corrected documents. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { LearnedPaper } from "@sheaf/client";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useIsAdministrator } from "../../../app/session.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { useFormats } from "../../../ui/formats.ts";
import { notify } from "../../../ui/notifications.tsx";
import { Empty, Failure, Loading } from "../../../ui/page.tsx";

const learnedQuery = (reference: string) =>
  queryOptions({
    queryKey: ["learned", reference],
    // Without a limit, the API returns the whole list, oldest first.
    queryFn: async ({ signal }) => (await sheaf.listLearned(reference, { signal })).data.toReversed(),
  });

export function LearnedScreen() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { reference } = useParams({ from: "/shell/extractors/$reference/learned" });
  const { data: papers, error, refetch } = useQuery(learnedQuery(reference));
  if (papers === undefined)
    return error === null ? <Loading /> : <Failure message={wordsOf(error)} onRetry={() => refetch()} />;
  if (papers.length === 0)
    return (
      <Empty title={t`Nothing learned yet`}>
        {t`The extractor learns from each document that is marked as reviewed, and reads the next one of the same layout accordingly.`}
      </Empty>
    );
  return (
    <ul className="flex max-w-4xl flex-col gap-4">
      {papers.map((paper) => (
        <Paper key={paper.id} reference={reference} paper={paper} />
      ))}
    </ul>
  );
}

function Paper({ reference, paper }: { reference: string; paper: LearnedPaper }) {
  const { t } = useLingui();
  const { dateTime } = useFormats();
  const wordsOf = useErrorWords();
  const queryClient = useQueryClient();
  const isAdministrator = useIsAdministrator();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => sheaf.deleteLearned(reference, paper.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["learned", reference] }),
    onError: (error) => notify(wordsOf(error), "error"),
    onSettled: () => setOpen(false),
  });
  const used = plural(paper.times_used, { 0: "never used", one: "used # time", other: "used # times" });
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 grow">
          <h2 className="font-semibold break-words">{paper.filename}</h2>
          <p className="text-sm text-muted">
            {dateTime(paper.created_at)} · {used}
          </p>
        </div>
        {isAdministrator && (
          <Button onClick={() => setOpen(true)}>
            <Trans>Forget</Trans>
          </Button>
        )}
      </div>
      <ul className="mt-2 list-disc pl-5 text-sm">
        {paper.learned.map((fact) => (
          <li key={`${fact.field} ${fact.item ?? ""}`}>
            <Fact fact={fact} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={t`Forget “${paper.filename}”?`}
        description={t`Documents are read as if the extractor had never learned from this one.`}
        action={t`Forget`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </li>
  );
}

function Fact({ fact }: { fact: LearnedPaper["learned"][number] }) {
  const { t } = useLingui();
  const { label, rule } = fact;
  const words: Record<typeof rule, string> = {
    label_left: t`to the right of “${label}”`,
    label_above: t`below “${label}”`,
    label_before: t`after “${label}”`,
    position: t`at its place on the page`,
    column: label === "" ? t`in its column of the table` : t`in the column “${label}”`,
    absent: t`not on documents of this layout`,
  };
  return (
    <>
      <b className="font-medium">{fact.item === undefined ? fact.field : `${fact.field} / ${fact.item}`}</b>:{" "}
      {words[rule]}
    </>
  );
}
