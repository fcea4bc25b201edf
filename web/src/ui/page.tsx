/** Parts that all screens share: heading, cards, and the states loading, empty and failed. */
import { useLingui } from "@lingui/react/macro";
import { CircleAlert, Inbox } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { Spinner } from "./spinner.tsx";

interface PageProps {
  title: string;
  /** Shown in the heading instead of the title if the heading contains controls. */
  heading?: ReactNode;
  description?: ReactNode;
  /** Link back to the list that contains the item shown on this screen. */
  back?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}

/**
 * A screen with its heading. Sets the title of the browser tab and moves the focus to the heading.
 */
export function Page({ title, heading, description, back, actions, children, wide = false }: PageProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Sheaf`;
  }, [title]);
  useEffect(() => {
    // Makes screen readers start at the heading after a navigation.
    ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={classes("mx-auto w-full px-4 py-6 sm:px-8", wide ? "max-w-[110rem]" : "max-w-5xl")}>
      <header className="mb-6 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-52">
          {back}
          <h1 ref={ref} tabIndex={-1} className="text-2xl font-semibold break-words outline-none">
            {heading ?? title}
          </h1>
          {description !== undefined && <p className="mt-1 max-w-2xl text-muted">{description}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export const Card = ({ className, children }: { className?: string; children: ReactNode }) => (
  <section className={classes("rounded-xl border border-line bg-surface p-5", className)}>{children}</section>
);

export function Loading({ label }: { label?: string }) {
  const { t } = useLingui();
  return (
    <div role="status" className="flex items-center justify-center gap-3 p-10 text-muted">
      <Spinner size={20} />
      {label ?? t`Loading…`}
    </div>
  );
}

interface EmptyProps {
  title: ReactNode;
  children?: ReactNode;
  icon?: ReactNode;
  action?: ReactNode;
}

/** Says that there are no items yet, and what the user can do. */
export const Empty = ({ title, children, icon, action }: EmptyProps) => (
  <div className="flex flex-col items-center rounded-xl border border-dashed border-line-strong/50 px-6 py-12 text-center">
    <span className="mb-3 text-muted" aria-hidden>
      {icon ?? <Inbox size={32} strokeWidth={1.5} />}
    </span>
    <h2 className="font-semibold">{title}</h2>
    {children !== undefined && <p className="mt-1 max-w-md text-muted">{children}</p>}
    {action !== undefined && <div className="mt-5">{action}</div>}
  </div>
);

interface FailureProps {
  /** Text that says what happened and what to do. */
  message: string;
  onRetry?: (() => void) | undefined;
}

/** Shown instead of content that could not be loaded. */
export function Failure({ message, onRetry }: FailureProps) {
  const { t } = useLingui();
  return (
    <div role="alert" className="flex items-start gap-3 rounded-xl border border-danger/50 bg-danger-soft p-4">
      <CircleAlert size={20} className="mt-0.5 shrink-0 text-danger" aria-hidden />
      <div>
        <p>{message}</p>
        {onRetry !== undefined && <Button small className="mt-3" onClick={onRetry}>{t`Try again`}</Button>}
      </div>
    </div>
  );
}

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

const tones: Record<Tone, string> = {
  neutral: "bg-sunken text-ink",
  accent: "bg-accent-soft text-accent",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
};

/**
 * Shows a state as a short word. The colour adds no information, so users who cannot see it miss
 * nothing.
 */
export const Badge = ({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes(
      "inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-[0.83rem] font-medium",
      tones[tone],
    )}
  >
    {children}
  </span>
);
