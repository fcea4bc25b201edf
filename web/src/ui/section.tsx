/** A part of a screen: heading, explanation, buttons. */
import type { ReactNode } from "react";

interface SectionProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <section data-section className="mb-10">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 tabIndex={-1} className="text-lg font-semibold outline-none">
            {title}
          </h2>
          {description !== undefined && <p className="mt-0.5 max-w-2xl text-muted">{description}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
