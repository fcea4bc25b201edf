/** Pages for unknown addresses and for screens that fail. */
import { Trans, useLingui } from "@lingui/react/macro";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Failure, Page } from "../ui/page.tsx";
import { useErrorWords } from "./error-words.tsx";

export function NotFound() {
  const { t } = useLingui();
  return (
    <Page title={t`Page not found`}>
      <p>
        <Trans>Nothing is at this address.</Trans>{" "}
        <Link to="/" className="underline">
          <Trans>Go to the start page</Trans>
        </Link>
      </p>
    </Page>
  );
}

export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  return (
    <Page title={t`Something went wrong`}>
      <Failure message={wordsOf(error)} onRetry={reset} />
    </Page>
  );
}

/** Shown instead of a screen to a user who belongs to no organization, or was removed from it. */
export function NoMembership() {
  const { t } = useLingui();
  return (
    <Page title={t`No organization`}>
      <p>
        <Trans>You belong to no organization. Ask an administrator to invite you.</Trans>
      </p>
    </Page>
  );
}
