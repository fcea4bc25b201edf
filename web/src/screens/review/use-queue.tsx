/** The queue of a review: previous and next extraction, and marking the open one as reviewed. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtraction } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { notify } from "../../ui/notifications.tsx";
import { neighboursOf, queueQuery } from "./kept-extraction.ts";
import type { useCorrections } from "./use-corrections.ts";

const route = getRouteApi("/shell/extractions/$id");

export interface Queue {
  /**
   * Position of the extraction in the queue and the length of the queue; undefined if it is not in
   * the queue.
   */
  position: { index: number; length: number } | undefined;
  openPrevious: (() => void) | undefined;
  openNext: (() => void) | undefined;
  markReviewed: () => void;
  reopen: () => void;
  isMarking: boolean;
  /**
   * Dialog that asks for confirmation before an extraction with unchecked values is marked as
   * reviewed.
   */
  dialog: ReactNode;
}

interface QueueInput {
  extraction: KeptExtraction;
  saving: ReturnType<typeof useCorrections>;
  /** Number of values that still need a check. */
  toLook: number;
}

export function useQueue({ extraction, saving, toLook }: QueueInput): Queue {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const wordsOf = useErrorWords();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const [isAsking, setAsking] = useState(false);
  const { agent, status } = search;
  const filter = { ...(agent !== undefined && { agent }), ...(status !== undefined && { status }) };
  const { data: queue = [] } = useQuery(queueQuery(filter));
  const { data: toReview = [] } = useQuery(queueQuery({ ...filter, status: "to_review" }));
  const { previous, next } = neighboursOf(queue, extraction);
  const index = queue.findIndex(({ id }) => id === extraction.id);

  const open = (id: string) =>
    navigate({
      to: "/extractions/$id",
      params: { id },
      search: { ...filter, ...(search.sort !== undefined && { sort: search.sort }) },
    });

  const setStatus = useMutation({
    mutationFn: async (wanted: "reviewed" | "to_review") => {
      if (!(await saving.saver.flush())) return undefined;
      const { version } = saving.saver;
      return (await sheaf.updateKeptExtraction(extraction.id, { status: wanted, version })).data;
    },
    onSuccess: (stored) => {
      setAsking(false);
      // Corrections could not be saved. The workbench shows the reason.
      if (stored === undefined) return;
      saving.adopt(stored);
      if (stored.status === "to_review") return;
      const { agent_reference: reference, learned } = stored;
      if (learned && reference !== null) {
        void queryClient.invalidateQueries({ queryKey: ["learned", reference] });
        notify(
          plural(learned.fields, {
            one: "The extractor learned # field from this document.",
            other: "The extractor learned # fields from this document.",
          }),
          "success",
          {
            label: t`What it learned`,
            onClick: () => void navigate({ to: "/extractors/$reference/learned", params: { reference } }),
          },
        );
      }
      const others = neighboursOf(toReview, extraction);
      const following = others.next ?? toReview.find(({ id }) => id !== extraction.id);
      if (following !== undefined) {
        notify(t`Reviewed. This is the next document.`);
        void open(following.id);
      } else {
        notify(t`Reviewed. There is nothing more to review.`);
        void navigate({ to: "/extractions", search: filter });
      }
    },
    onError: (error) => {
      setAsking(false);
      notify(wordsOf(error), "error");
    },
  });

  return {
    position: index === -1 ? undefined : { index, length: queue.length },
    openPrevious: previous && (() => void open(previous.id)),
    openNext: next && (() => void open(next.id)),
    markReviewed: () => {
      if (setStatus.isPending || extraction.status === "reviewed") return;
      if (toLook > 0) setAsking(true);
      else setStatus.mutate("reviewed");
    },
    reopen: () => setStatus.mutate("to_review"),
    isMarking: setStatus.isPending,
    dialog: (
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Mark as reviewed?`}
        description={plural(toLook, {
          one: "# value was not checked. It is taken as it is.",
          other: "# values were not checked. They are taken as they are.",
        })}
      >
        <DialogActions>
          <Button onClick={() => setAsking(false)}>
            <Trans>Go on checking</Trans>
          </Button>
          <Button look="primary" busy={setStatus.isPending} onClick={() => setStatus.mutate("reviewed")}>
            <Trans>Mark as reviewed</Trans>
          </Button>
        </DialogActions>
      </Dialog>
    ),
  };
}
