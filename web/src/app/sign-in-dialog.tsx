/**
 * Asks the user to sign in again when the session has ended. The screen stays below the dialog, and
 * its inputs keep their content.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import type { Session } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/page.tsx";
import { useErrorWords } from "./error-words.tsx";
import { sendsPassword } from "./queries.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { leaveForProvider } from "./sign-on.ts";

export function SignInDialog({ session: { user, sign_on } }: { session: Session }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  return (
    <Dialog
      open
      title={t`Your session has ended`}
      description={
        sign_on
          ? t`Sign in again with the provider of your organization. You leave this page for that: copy what you typed.`
          : t`Sign in again to go on. Nothing that you typed is lost.`
      }
    >
      {sign_on ? (
        <SignOnAgain email={user.email} />
      ) : (
        <SignInForm email={user.email} onSignedIn={() => void queries.invalidateQueries()} />
      )}
    </Dialog>
  );
}

function SignOnAgain({ email }: { email: string }) {
  const wordsOf = useErrorWords();
  const leave = useMutation({
    meta: sendsPassword,
    mutationFn: () => leaveForProvider(email, location.pathname + location.search),
    // Runs only if the organization has turned sign-on off meanwhile. Otherwise the mutation never
    // ends, because the browser leaves the page.
    onSuccess: () => location.assign("/sign-in"),
  });
  return (
    <div className="flex flex-col gap-4">
      {leave.error !== null && <Failure message={wordsOf(leave.error)} />}
      <Button look="primary" busy={leave.isPending} onClick={() => leave.mutate()}>
        <Trans>Sign in</Trans>
      </Button>
    </div>
  );
}
