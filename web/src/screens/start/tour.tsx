/**
 * A tour of five steps that shows what the application can do. Visited steps are stored in this
 * browser.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Card } from "../../ui/page.tsx";
import type { Samples } from "./samples.ts";

const storageKey = "sheaf.tour";
const stopNames = ["review", "ask", "extractor", "people", "program"] as const;
type StopName = (typeof stopNames)[number];

interface TourState {
  visited: readonly StopName[];
  isClosed: boolean;
}

function readState(): TourState {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<TourState>;
    return { visited: stored.visited ?? [], isClosed: stored.isClosed === true };
  } catch {
    return { visited: [], isClosed: false };
  }
}

interface Stop {
  name: StopName;
  title: string;
  text: string;
  to: NonNullable<LinkProps["to"]>;
  params?: { reference: string } | undefined;
}

export function Tour({ samples, isAdministrator }: { samples: Samples; isAdministrator: boolean }) {
  const { t } = useLingui();
  const [state, setState] = useState(readState);
  const keep = (next: TourState) => {
    localStorage.setItem(storageKey, JSON.stringify(next));
    setState(next);
  };
  if (state.isClosed) return null;
  const { extractor, corpus } = samples;
  const all: readonly (Stop | false)[] = [
    extractor !== undefined && {
      name: "review",
      title: t`Check what was read`,
      text: t`Open a sample invoice and click its values.`,
      to: "/extractors/$reference/runs",
      params: { reference: extractor.reference },
    },
    corpus !== undefined && {
      name: "ask",
      title: t`Ask a question`,
      text: t`For example: how many days of annual leave are there?`,
      to: "/corpora/$reference/ask/{-$threadId}",
      params: { reference: corpus.reference },
    },
    {
      name: "extractor",
      title: t`Make your own extractor`,
      text: t`Start from a template and try it with your own file.`,
      to: "/extractors",
    },
    isAdministrator && {
      name: "people",
      title: t`Invite people`,
      text: t`Decide who administers and who only works with documents.`,
      to: "/organization/members",
    },
    isAdministrator && {
      name: "program",
      title: t`Connect a program`,
      text: t`Create a credential and copy the first request.`,
      to: "/organization/api",
    },
  ];
  const stops = all.filter((stop) => stop !== false);
  return (
    <Card className="mt-6">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">
          <Trans>Tour</Trans>
        </h2>
        <Button look="quiet" small onClick={() => keep({ ...state, isClosed: true })}>
          <Trans>Close the tour</Trans>
        </Button>
      </div>
      <ol className="grid gap-2 sm:grid-cols-2 xl:grid-cols-5">
        {stops.map(({ name, title, text, to, params }, index) => {
          const isVisited = state.visited.includes(name);
          return (
            <li key={name}>
              <Link
                to={to}
                params={params as never}
                onClick={() => keep({ ...state, visited: [...new Set([...state.visited, name])] })}
                className="flex h-full gap-3 rounded-lg border border-line p-3 hover:border-accent"
              >
                <span
                  className={classes(
                    "flex size-6 shrink-0 items-center justify-center rounded-full text-[0.83rem] font-semibold",
                    isVisited ? "bg-accent text-on-accent" : "bg-sunken text-ink",
                  )}
                >
                  {isVisited ? <Check size={14} aria-label={t`Visited`} /> : index + 1}
                </span>
                <span>
                  <span className="block font-medium">{title}</span>
                  <span className="block text-[0.87rem] text-muted">{text}</span>
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
