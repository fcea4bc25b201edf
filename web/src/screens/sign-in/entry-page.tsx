/** Frame that all screens before sign-in share. */
import { type ReactNode, useEffect } from "react";

export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Sheaf`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-4 py-10">
      <p className="mb-6 flex items-center justify-center gap-3 text-2xl font-semibold">
        <img src="/sheaf.svg" alt="" className="size-9" />
        Sheaf
      </p>
      <div className="rounded-xl border border-line bg-surface p-6 shadow-sm sm:p-8">
        <h1 className="mb-5 text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  );
}
