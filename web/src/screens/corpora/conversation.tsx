/**
 * A conversation with an agent: questions, answers with quotes, and the input for the next
 * question.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { SheafError, type ThreadTurn } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp, Clock, MessageCircleQuestionMark, SlidersHorizontal, Square } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { inputClasses } from "../../ui/field.tsx";
import { Failure, Loading } from "../../ui/page.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { AnswerView } from "./answer-view.tsx";
import { threadQuery } from "./queries.ts";
import { type OpenQuestion, useAsk } from "./use-ask.ts";

interface ConversationProps {
  agent: string;
  threadId: string | undefined;
  showsSources: boolean;
  onThread: (threadId: string) => void;
  /** Suggestion for a first question, shown while the thread has no questions. */
  hint: ReactNode;
  /** Says why answers may be incomplete now, for example because some documents are not ready. */
  note?: ReactNode;
}

export function Conversation({ agent, threadId, showsSources, onThread, hint, note }: ConversationProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { open, answered, isAsking, ask, stop, dismiss } = useAsk(agent, threadId, onThread);
  const thread = useQuery({ ...threadQuery(agent, threadId ?? ""), enabled: threadId !== undefined });
  const end = useRef<HTMLDivElement>(null);
  const turns = threadId === undefined ? [] : (thread.data?.turns ?? []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question or thread begins at its end
  useEffect(() => {
    if (open !== undefined || turns.length > 0) end.current?.scrollIntoView({ block: "end" });
  }, [open?.query, open?.state, threadId, turns.length]);

  if (threadId !== undefined && thread.error !== null && thread.data === undefined)
    return <Failure message={wordsOf(thread.error)} onRetry={() => thread.refetch()} />;
  if (threadId !== undefined && thread.isPending) return <Loading />;
  return (
    <div className="flex min-h-[calc(100dvh-14rem)] flex-col">
      {note && (
        <p className="mb-4 flex max-w-3xl items-center gap-2 rounded-lg bg-sunken px-3 py-2 text-[0.9rem]">
          <Clock size={16} aria-hidden className="shrink-0 text-muted" />
          {note}
        </p>
      )}
      <div className="flex grow flex-col gap-8 pb-6">
        {turns.length === 0 && open === undefined && (
          <div className="m-auto flex max-w-md flex-col items-center py-10 text-center">
            <MessageCircleQuestionMark size={32} strokeWidth={1.5} aria-hidden className="mb-3 text-muted" />
            <h2 className="font-semibold">
              <Trans>Ask a question</Trans>
            </h2>
            <p className="mt-1 text-muted">{hint}</p>
          </div>
        )}
        {turns.map((turn, index) => (
          <TurnView
            // biome-ignore lint/suspicious/noArrayIndexKey: turns are only added at the end
            key={index}
            turn={turn}
            agent={agent}
            thread={threadId ?? ""}
            number={index + 1}
            showsSources={showsSources}
          />
        ))}
        {open !== undefined && <OpenView open={open} onAskAgain={() => ask(open.query, open.instructions)} />}
      </div>
      <p role="status" className="sr-only">
        {isAsking ? t`The answer is being written.` : answered}
      </p>
      <div ref={end} className="scroll-mb-40" />
      {thread.data?.archived_at ? (
        <ArchivedNote agent={agent} threadId={thread.data.thread_id} />
      ) : (
        <Composer
          key={agent}
          isAsking={isAsking}
          returned={open?.state === "stopped" ? open : undefined}
          onAsk={(query, instructions) => {
            dismiss();
            void ask(query, instructions);
          }}
          onStop={stop}
        />
      )}
    </div>
  );
}

const Question = ({ text }: { text: string }) => (
  <h2 className="mb-3 w-fit max-w-[85%] rounded-2xl bg-sunken px-4 py-2.5 font-normal break-words whitespace-pre-wrap">
    <span className="sr-only">
      <Trans>Question:</Trans>{" "}
    </span>
    {text}
  </h2>
);

interface TurnViewProps {
  turn: ThreadTurn;
  agent: string;
  thread: string;
  number: number;
  showsSources: boolean;
}

function TurnView({ turn: { query, answer, citations }, agent, thread, number, showsSources }: TurnViewProps) {
  return (
    <article className="max-w-3xl">
      <Question text={query} />
      {answer === null || answer === "" ? (
        <p className="text-muted">
          <Trans>This answer was based on a document that has been deleted since. Ask again for a new one.</Trans>
        </p>
      ) : (
        <AnswerView
          answer={answer}
          citations={citations}
          showsSources={showsSources}
          agent={agent}
          thread={thread}
          turn={number}
        />
      )}
    </article>
  );
}

function OpenView({ open, onAskAgain }: { open: OpenQuestion; onAskAgain: () => void }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const { query, text, state, error } = open;
  const words = (thrown: unknown) =>
    thrown instanceof SheafError && thrown.code === "extraction_failed"
      ? t`The question could not be answered. Ask again, or put it in other words.`
      : wordsOf(thrown);
  return (
    <article className="max-w-3xl">
      <Question text={query} />
      {text !== "" && <p className="mb-3 break-words whitespace-pre-wrap">{text}</p>}
      {state === "asking" && (
        <p className="flex items-center gap-2 text-muted">
          <Spinner />
          {text === "" ? <Trans>Searching the documents…</Trans> : <Trans>Writing…</Trans>}
        </p>
      )}
      {state === "stopped" && (
        <p className="text-muted">
          <Trans>Stopped. This answer is not kept.</Trans>
        </p>
      )}
      {state === "failed" && <Failure message={words(error)} onRetry={onAskAgain} />}
    </article>
  );
}

interface ComposerProps {
  isAsking: boolean;
  /**
   * The question whose answer the user stopped. Its text is put back into the input, so that the
   * user can change it.
   */
  returned: OpenQuestion | undefined;
  onAsk: (query: string, instructions: string) => void;
  onStop: () => void;
}

function Composer({ isAsking, returned, onAsk, onStop }: ComposerProps) {
  const { t } = useLingui();
  const [query, setQuery] = useState("");
  const [instructions, setInstructions] = useState("");
  const [hasInstructions, setHasInstructions] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    // The stop button has disappeared, so the focus moves to the input.
    if (wasAsking.current && !isAsking) input.current?.focus({ preventScroll: true });
    wasAsking.current = isAsking;
  }, [isAsking]);
  useEffect(() => {
    if (returned !== undefined) setQuery((typed) => (typed === "" ? returned.query : typed));
  }, [returned]);
  const submit = () => {
    const text = query.trim();
    if (text === "" || isAsking) return;
    onAsk(text, hasInstructions ? instructions.trim() : "");
    setQuery("");
  };
  return (
    <form
      className="sticky bottom-0 -mx-1 bg-page px-1 pt-2 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="max-w-3xl rounded-xl border border-line-strong/60 bg-surface p-2 shadow-sm focus-within:border-accent focus-within:outline-2 focus-within:outline-accent">
        {hasInstructions && (
          <textarea
            aria-label={t`Instructions for this question`}
            placeholder={t`Instructions for this question, such as “Answer in one sentence.”`}
            className={`${inputClasses} mb-2 field-sizing-content max-h-40 min-h-10`}
            maxLength={4000}
            value={instructions}
            onChange={(event) => setInstructions(event.target.value)}
          />
        )}
        <textarea
          ref={input}
          aria-label={t`Your question`}
          placeholder={t`Ask about the documents`}
          className="field-sizing-content max-h-60 min-h-12 w-full resize-none bg-transparent px-2 py-2 outline-none placeholder:text-muted"
          maxLength={8000}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className="flex items-center justify-between gap-2">
          <Button
            small
            look="quiet"
            aria-expanded={hasInstructions}
            onClick={() => setHasInstructions(!hasInstructions)}
          >
            <SlidersHorizontal size={15} aria-hidden />
            <Trans>Instructions</Trans>
          </Button>
          <div className="flex items-center gap-3">
            <span className="hidden text-[0.82rem] text-muted sm:inline">
              <Trans>Enter asks, Shift+Enter begins a new line</Trans>
            </span>
            {isAsking ? (
              <Button small onClick={onStop}>
                <Square size={13} fill="currentColor" aria-hidden />
                <Trans>Stop</Trans>
              </Button>
            ) : (
              <Button small look="primary" type="submit" disabled={query.trim() === ""}>
                <ArrowUp size={16} aria-hidden />
                <Trans>Ask</Trans>
              </Button>
            )}
          </div>
        </div>
      </div>
    </form>
  );
}

function ArchivedNote({ agent, threadId }: { agent: string; threadId: string }) {
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const restore = useMutation({
    mutationFn: () => sheaf.updateThread(agent, threadId, { archived: false }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["threads", agent] }),
  });
  return (
    <div className="mb-4 flex max-w-3xl flex-wrap items-center justify-between gap-3 rounded-xl bg-sunken px-4 py-3">
      <p>
        <Trans>This conversation is archived. Bring it back to go on.</Trans>
      </p>
      <Button small busy={restore.isPending} onClick={() => restore.mutate()}>
        <Trans>Bring back</Trans>
      </Button>
      {restore.error !== null && <Failure message={wordsOf(restore.error)} />}
    </div>
  );
}
