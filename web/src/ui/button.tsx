/** Buttons, and links that look like them. */
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import { Spinner } from "./spinner.tsx";

export type ButtonLook = "primary" | "secondary" | "quiet" | "danger";

const looks: Record<ButtonLook, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
  secondary: "bg-surface text-ink border-line-strong/50 hover:bg-sunken",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-surface text-danger border-danger/50 hover:bg-danger-soft",
};

/** Returns the classes of a button, for links that look like one. */
export const buttonClasses = (look: ButtonLook = "secondary", isSmall = false): string =>
  classes(
    "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:opacity-55",
    isSmall ? "min-h-8 px-2.5 text-[0.87rem]" : "min-h-10 px-4 text-[0.93rem]",
    looks[look],
  );

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook;
  small?: boolean;
  /** If true, shows that the action is running, and prevents the user from starting it again. */
  busy?: boolean;
}

export function Button({ look, small, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classes(buttonClasses(look, small), className)}
      // Marks the button as disabled for screen readers only. With the `disabled` attribute, it
      // could not keep the focus that a closing dialog returns to it.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A button with only an icon. `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: Omit<ComponentProps<"button">, "aria-label" | "title"> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        "inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink",
        "disabled:cursor-not-allowed disabled:opacity-40",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
