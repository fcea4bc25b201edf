/** The user's own settings: password, sessions, language and theme. */
import { Trans, useLingui } from "@lingui/react/macro";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { chooseLanguage, i18n, isLanguage, languages } from "../../app/language.ts";
import { isUnauthorized, sendsPassword, sessionQuery } from "../../app/queries.ts";
import { useSession } from "../../app/session.ts";
import { chooseTheme, chosenTheme, themes } from "../../app/theme.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Badge, Card, Failure, Loading, Page } from "../../ui/page.tsx";
import { isPasswordRefused, NewPasswordField } from "../sign-in/new-password-field.tsx";
import { browserOf } from "./browser-name.ts";
import { Passkeys } from "./passkeys.tsx";
import { SecondFactor } from "./second-factor.tsx";

export function AccountScreen() {
  const { t } = useLingui();
  const { user, sign_on } = useSession();
  return (
    <Page title={t`Account`} description={`${user.name} · ${user.email}`}>
      <div className="flex flex-col gap-6">
        <Section title={t`Appearance`}>
          <Appearance />
        </Section>
        {sign_on ? (
          <Section title={t`Sign-in`}>
            <p>
              <Trans>
                You have signed in with the provider of your organization, which manages your password and second
                factor.
              </Trans>
            </p>
          </Section>
        ) : (
          <>
            <Section title={t`Password`}>
              <PasswordForm />
            </Section>
            <Section title={t`Second factor`}>
              <SecondFactor />
            </Section>
            <Section title={t`Passkeys`}>
              <Passkeys />
            </Section>
          </>
        )}
        <Section title={t`Sessions`}>
          <Sessions />
        </Section>
      </div>
    </Page>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card>
    <h2 className="mb-4 text-lg font-semibold">{title}</h2>
    {children}
  </Card>
);

function Appearance() {
  const { t } = useLingui();
  const [theme, setTheme] = useState(chosenTheme);
  const names = { system: t`Like the system`, light: t`Light`, dark: t`Dark` };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t`Language`}>
        <Select
          value={i18n.locale}
          onChange={({ target }) => {
            if (isLanguage(target.value)) void chooseLanguage(target.value);
          }}
        >
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t`Theme`}>
        <Select
          value={theme}
          onChange={({ target }) => {
            const chosen = themes.find((each) => each === target.value) ?? "system";
            chooseTheme(chosen);
            setTheme(chosen);
          }}
        >
          {themes.map((each) => (
            <option key={each} value={each}>
              {names[each]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

function PasswordForm() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const { user } = useSession();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    meta: sendsPassword,
    mutationFn: () =>
      sheaf.changePassword({ ...(user.has_password && { current_password: current }), new_password: next }),
    onSuccess: ({ data }) => {
      queries.setQueryData(sessionQuery.queryKey, data);
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      setCurrent("");
      setNext("");
      notify(t`Your password is changed. All other sessions have ended.`);
    },
    onError: async (error) => {
      // The service sends the same error for a wrong password and for a session that has ended.
      if (!isUnauthorized(error)) return;
      const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (session === null) change.reset();
    },
  });
  const isWrong = isUnauthorized(change.error);
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      {user.has_password && (
        <Field label={t`Current password`} error={isWrong ? t`This is not your current password.` : undefined}>
          <Input
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        </Field>
      )}
      <NewPasswordField value={next} onChange={setNext} error={change.error} />
      {change.error !== null && !isWrong && !isPasswordRefused(change.error) && (
        <Failure message={wordsOf(change.error)} />
      )}
      <div>
        <Button type="submit" busy={change.isPending}>
          <Trans>Change password</Trans>
        </Button>
      </div>
    </form>
  );
}

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async ({ signal }) => (await sheaf.listSessions({ signal })).data,
});

function Sessions() {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const { dateTime, date } = useFormats();
  const { data, error, isPending, refetch } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string) => sheaf.endSession(id),
    onSuccess: () => notify(t`The session has ended.`),
    onError: (failure) => notify(wordsOf(failure), "error"),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  if (isPending) return <Loading />;
  if (error !== null) return <Failure message={wordsOf(error)} onRetry={() => refetch()} />;
  return (
    <>
      <p className="mb-3 text-muted">
        <Trans>Where you are signed in. End sessions that you do not recognize, and change your password.</Trans>
      </p>
      <ul className="divide-y divide-line">
        {data.map(({ id, created_at, last_used_at, address, user_agent, is_current }) => {
          const browser = browserOf(user_agent) ?? t`Unknown browser`;
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div>
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {browser}
                  {is_current && <Badge tone="success">{t`This session`}</Badge>}
                </p>
                <p className="text-[0.87rem] text-muted">
                  {address !== null && <>{address} · </>}
                  <Trans>
                    signed in {dateTime(created_at)}, last used {date(last_used_at)}
                  </Trans>
                </p>
              </div>
              {!is_current && (
                <Button
                  small
                  busy={end.isPending && end.variables === id}
                  aria-label={t`End session: ${browser}`}
                  onClick={() => end.mutate(id)}
                >
                  <Trans>End session</Trans>
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
