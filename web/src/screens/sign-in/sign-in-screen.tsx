import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { SignInSteps } from "../../app/sign-in-steps.tsx";
import { EntryPage } from "./entry-page.tsx";

export function SignInScreen() {
  const { t } = useLingui();
  const { to = "/" } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  return (
    <EntryPage title={t`Sign in`}>
      <SignInSteps target={to} onSignedIn={() => void navigate({ href: to, replace: true })} />
      <p className="mt-6 text-[0.87rem] text-muted">
        <Trans>
          Forgotten your password? An administrator of your installation can set a new one. Sheaf sends no mail.
        </Trans>
      </p>
    </EntryPage>
  );
}
