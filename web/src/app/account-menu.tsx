/** Menu of the signed-in user: account, organization, language, theme, sign-out. */
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, LogOut, Settings } from "lucide-react";
import { useState } from "react";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { notify } from "../ui/notifications.tsx";
import { sheaf } from "./api.ts";
import { useErrorWords } from "./error-words.tsx";
import { forgetUser } from "./forget-user.ts";
import { chooseLanguage, i18n, type Language, languages } from "./language.ts";
import { sessionQuery } from "./queries.ts";
import { useMembership, useSession } from "./session.ts";
import { chooseTheme, chosenTheme, type Theme } from "./theme.ts";

export function AccountMenu() {
  const { t } = useLingui();
  const { user, organization_id, organizations } = useSession();
  const membership = useMembership();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [theme, setTheme] = useState(chosenTheme);
  const onError = (error: unknown) => notify(wordsOf(error), "error");

  const signOut = useMutation({
    mutationFn: () => sheaf.deleteSession(),
    onSuccess: () => {
      forgetUser();
      // Reloads the page, so that nothing of the old session stays in memory.
      location.assign("/sign-in");
    },
    onError,
  });
  const chooseOrganization = useMutation({
    mutationFn: (id: string) => sheaf.updateSession({ organization_id: id }),
    onSuccess: async ({ data }) => {
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      queries.setQueryData(sessionQuery.queryKey, data);
      await navigate({ to: "/" });
    },
    onError,
  });

  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
        >
          <span
            aria-hidden
            className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
          >
            {initialsOf(user.name)}
          </span>
          <span className="min-w-0 grow">
            <span className="block truncate text-[0.9rem] font-medium">{user.name}</span>
            <span className="block truncate text-[0.8rem] text-muted">{membership?.name ?? user.email}</span>
          </span>
          <ChevronsUpDown size={16} className="shrink-0 text-muted" aria-hidden />
        </button>
      }
    >
      <MenuItem onClick={() => navigate({ to: "/account" })}>
        <Settings size={16} aria-hidden />
        <Trans>Account</Trans>
      </MenuItem>
      {organizations.length > 1 && (
        <>
          <MenuSeparator />
          <MenuChoice
            label={t`Organization`}
            value={organization_id ?? ""}
            choices={organizations.map(({ organization_id: value, name }) => ({ value, label: name }))}
            onChange={(id) => chooseOrganization.mutate(id)}
          />
        </>
      )}
      <MenuSeparator />
      <MenuChoice
        label={t`Language`}
        value={i18n.locale as Language}
        choices={Object.entries(languages).map(([value, label]) => ({ value: value as Language, label }))}
        onChange={(language) => void chooseLanguage(language)}
      />
      <MenuSeparator />
      <MenuChoice<Theme>
        label={t`Theme`}
        value={theme}
        choices={[
          { value: "system", label: t`Like the system` },
          { value: "light", label: t`Light` },
          { value: "dark", label: t`Dark` },
        ]}
        onChange={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
      <MenuSeparator />
      <MenuItem onClick={() => signOut.mutate()}>
        <LogOut size={16} aria-hidden />
        <Trans>Sign out</Trans>
      </MenuItem>
    </Menu>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}
