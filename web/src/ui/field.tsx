/** Inputs with label, description and error. */
import { Field as BaseField } from "@base-ui/react/field";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";

export const inputClasses = classes(
  "w-full rounded-md border border-line-strong/60 bg-surface px-3 py-2 text-ink placeholder:text-muted",
  "hover:border-line-strong focus-visible:outline-offset-0 disabled:opacity-60",
  "data-invalid:border-danger aria-invalid:border-danger",
);

interface FieldProps {
  label: ReactNode;
  description?: ReactNode;
  /** Error message: what is wrong with the value, and how to correct it. */
  error?: string | undefined;
  /** The control. Base UI links it to the label. */
  children: ReactNode;
  className?: string;
}

/**
 * Lays out a label, its control (`Input`, `TextArea` or another Base UI control), a description and
 * an error.
 */
export function Field({ label, description, error, children, className }: FieldProps) {
  return (
    <BaseField.Root invalid={error !== undefined} className={classes("flex flex-col gap-1", className)}>
      <BaseField.Label className="text-[0.9rem] font-medium">{label}</BaseField.Label>
      {children}
      {description !== undefined && (
        <BaseField.Description className="text-[0.85rem] text-muted">{description}</BaseField.Description>
      )}
      {error !== undefined && (
        <BaseField.Error match role="alert" className="text-[0.87rem] text-danger">
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}

export const Input = ({ className, ...rest }: ComponentProps<typeof BaseField.Control>) => (
  <BaseField.Control className={classes(inputClasses, className as string | undefined)} {...rest} />
);

export const TextArea = ({ className, ...rest }: ComponentProps<"textarea">) => (
  <BaseField.Control render={<textarea rows={3} className={classes(inputClasses, className)} {...rest} />} />
);

/** A native select, which works with every keyboard, screen reader and phone. */
export const Select = ({ className, ...rest }: ComponentProps<"select">) => (
  <BaseField.Control render={<select className={classes(inputClasses, "pr-8", className)} {...rest} />} />
);
