/**
 * Shows an answer with numbered quotes. The text is shown literally: markup in it is not
 * interpreted.
 */
import { PreviewCard } from "@base-ui/react/preview-card";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Citation } from "@sheaf/client";
import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { answerParts } from "./answer-parts.ts";

export interface AnswerViewProps {
  answer: string;
  citations: readonly Citation[];
  /** False if the corpus is set to hide its sources. */
  showsSources: boolean;
  /** Reference of the agent that was asked. */
  agent: string;
  thread: string;
  /** Position of the question in its thread, counted from 1. */
  turn: number;
}

export function AnswerView(props: AnswerViewProps) {
  const { answer, citations, showsSources } = props;
  return (
    <>
      <p className="break-words whitespace-pre-wrap">
        {answerParts(answer, citations).map(({ text, numbers }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer never change
          <span key={index}>
            {text}
            {numbers.map((number) => (
              <CitationMark key={number} {...props} number={number} />
            ))}
          </span>
        ))}
      </p>
      {citations.length > 0 && <Sources {...props} />}
      {citations.length === 0 && showsSources && (
        <p className="mt-3 flex items-start gap-2 rounded-lg bg-warning-soft px-3 py-2 text-[0.9rem] text-warning">
          <SearchX size={17} aria-hidden className="mt-0.5 shrink-0" />
          <Trans>Not found in the documents: no quote supports this answer. Try other words, or add a document.</Trans>
        </p>
      )}
    </>
  );
}

const linkTo = (
  { agent, thread, turn }: AnswerViewProps,
  { document_reference, agent_reference = agent, page }: Citation,
  number: number,
) => {
  // The thread belongs to the agent that was asked. If that agent is an assistant, it differs from
  // the corpus that contains the document, so the link names the assistant too.
  const asked = agent_reference === agent ? {} : { agent };
  return {
    to: "/corpora/$reference/documents/$documentReference",
    params: { reference: agent_reference, documentReference: document_reference },
    search: { page, ...asked, thread, turn, citation: number },
  } as const;
};

function CitationMark({ number, ...props }: AnswerViewProps & { number: number }) {
  const { t } = useLingui();
  const citation = props.citations[number - 1];
  if (citation === undefined) return null;
  const { name, page, quote } = citation;
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger
        delay={150}
        render={
          <Link
            {...linkTo(props, citation, number)}
            aria-label={t`Quote ${number}: ${name}, page ${page}`}
            className="mx-0.5 inline-flex min-w-5 justify-center rounded bg-accent-soft px-1 align-super text-[0.72rem] leading-4 font-semibold text-accent hover:bg-accent hover:text-on-accent"
          />
        }
      >
        {number}
      </PreviewCard.Trigger>
      <PreviewCard.Portal>
        <PreviewCard.Positioner sideOffset={6} className="z-40">
          <PreviewCard.Popup className="max-w-sm rounded-lg border border-line bg-surface p-4 shadow-xl">
            <blockquote className="line-clamp-6 border-l-2 border-highlight pl-3 break-words">{quote}</blockquote>
            <p className="mt-2 text-[0.85rem] break-words text-muted">{t`${name}, page ${page}`}</p>
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}

function Sources(props: AnswerViewProps) {
  const { t } = useLingui();
  return (
    <ol aria-label={t`Quotes`} className="mt-4 flex flex-col gap-2 border-t border-line pt-3">
      {props.citations.map((citation, index) => {
        const { name, path, page, quote } = citation;
        const number = index + 1;
        return (
          <li key={number} className="flex gap-3 text-[0.9rem]">
            <span className="w-5 shrink-0 text-right font-semibold text-accent">{number}</span>
            <div className="min-w-0">
              <q className="line-clamp-3 break-words">{quote}</q>
              <Link {...linkTo(props, citation, number)} className="text-[0.87rem] break-all text-accent underline">
                {path === "" ? t`${name}, page ${page}` : t`${path}/${name}, page ${page}`}
              </Link>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
