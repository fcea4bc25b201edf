/**
 * Form for sign-on: the registration at the identity provider, the mapping of its groups, and
 * whether sign-on is enforced.
 */
import { useLingui } from "@lingui/react/macro";
import { type PutSignOnRequest, SheafError, type SignOnGroup, type SignOnProvider } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Card, Failure } from "../../ui/page.tsx";
import { membersQuery, organizationSignOnQuery } from "./organization.queries.ts";
import { SignOnGroups } from "./sign-on-groups.tsx";

const defaultScope = "openid email profile";

export function SignOnForm({ provider }: { provider: SignOnProvider | null }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [issuer, setIssuer] = useState(provider?.issuer ?? "");
  const [clientId, setClientId] = useState(provider?.client_id ?? "");
  const [secret, setSecret] = useState("");
  const [scope, setScope] = useState(provider?.scope ?? defaultScope);
  const [claim, setClaim] = useState(provider?.groups_claim ?? "");
  const [administrators, setAdministrators] = useState(provider?.administrator_value ?? "");
  const [groups, setGroups] = useState<readonly SignOnGroup[]>(provider?.groups ?? []);
  const [isEnforced, setEnforced] = useState(provider?.enforced ?? false);
  const [breakGlass, setBreakGlass] = useState(provider?.break_glass_member_id ?? "");
  const members = useQuery(membersQuery).data ?? [];
  const isNew = provider?.issuer !== issuer.trim() || provider.client_id !== clientId.trim();
  const save = useMutation({
    mutationFn: () => {
      const body: PutSignOnRequest = {
        issuer: issuer.trim(),
        client_id: clientId.trim(),
        scope: scope.trim(),
        groups_claim: claim.trim() || null,
        administrator_value: administrators.trim() || null,
        groups,
        enforced: isEnforced,
        ...(secret !== "" && { client_secret: secret }),
        ...(isEnforced && breakGlass !== "" && { break_glass_member_id: breakGlass }),
      };
      return sheaf.putSignOn(body);
    },
    onSuccess: ({ data }) => {
      notify(t`The sign-on was saved. Try it in another browser before you enforce it.`);
      queries.setQueryData(organizationSignOnQuery.queryKey, data);
    },
  });
  const refusedPaths =
    save.error instanceof SheafError && save.error.is("invalid_request") ? save.error.detail.issues : [];
  const isRefused = (path: string) => refusedPaths.some((issue) => issue.path === path);
  const words: Record<string, string> = {
    "/issuer": t`No OpenID Connect provider with this issuer responds at this URL.`,
    "/client_secret": t`A new issuer or client id needs its client secret.`,
    "/scope": t`The scopes must contain openid.`,
    "/break_glass_member_id": t`Choose an active administrator with a password.`,
  };
  const errorAt = (path: string) => (isRefused(path) ? words[path] : undefined);
  const isShownAtField = Object.keys(words).some(isRefused);
  return (
    <Card className="max-w-2xl">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field
          label={t`Issuer`}
          description={t`URL of the provider, for example https://login.example.com`}
          error={errorAt("/issuer")}
        >
          <Input type="url" required value={issuer} onChange={({ target }) => setIssuer(target.value)} />
        </Field>
        <Field label={t`Client id`}>
          <Input
            required
            autoComplete="off"
            maxLength={500}
            value={clientId}
            onChange={({ target }) => setClientId(target.value)}
          />
        </Field>
        <Field
          label={t`Client secret`}
          description={isNew ? undefined : t`Stored, and never shown again. Enter one only to replace it.`}
          error={errorAt("/client_secret")}
        >
          <Input
            type="password"
            autoComplete="off"
            required={isNew}
            maxLength={500}
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
          />
        </Field>
        <Field
          label={t`Scopes`}
          description={t`Separated by spaces. Some providers send groups only with a scope for them.`}
          error={errorAt("/scope")}
        >
          <Input required maxLength={500} value={scope} onChange={({ target }) => setScope(target.value)} />
        </Field>
        <Field
          label={t`Groups claim`}
          description={t`Name of the claim with the groups of a user. Leave it empty to manage roles and groups here alone.`}
        >
          <Input maxLength={500} value={claim} onChange={({ target }) => setClaim(target.value)} />
        </Field>
        {claim.trim() !== "" && (
          <>
            <Field
              label={t`Value for administrators`}
              description={t`At sign-in, members with this value become administrators, and all others members. Leave it empty to manage roles here.`}
            >
              <Input
                maxLength={500}
                value={administrators}
                onChange={({ target }) => setAdministrators(target.value)}
              />
            </Field>
            <SignOnGroups groups={groups} onChange={setGroups} />
          </>
        )}
        <label className="flex cursor-pointer items-start gap-3">
          <input
            type="checkbox"
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={isEnforced}
            onChange={({ target }) => setEnforced(target.checked)}
          />
          <span>
            <span className="block font-medium">{t`Enforce sign-on`}</span>
            <span className="block text-[0.9rem] text-muted">
              {t`Passwords and passkeys of members with an address of your domains give no access to this organization any more.`}
            </span>
          </span>
        </label>
        {isEnforced && (
          <Field
            label={t`Administrator for emergencies`}
            description={t`Can still sign in with a password if the provider fails.`}
            error={errorAt("/break_glass_member_id")}
          >
            <Select value={breakGlass} onChange={({ target }) => setBreakGlass(target.value)}>
              <option value="">{t`Myself`}</option>
              {members
                .filter(({ role, status }) => role === "administrator" && status === "active")
                .map(({ id, name, email }) => (
                  <option key={id} value={id}>
                    {`${name} (${email})`}
                  </option>
                ))}
            </Select>
          </Field>
        )}
        {save.error !== null && !isShownAtField && <Failure message={wordsOf(save.error)} />}
        <div>
          <Button look="primary" type="submit" busy={save.isPending}>
            {t`Save`}
          </Button>
        </div>
      </form>
    </Card>
  );
}
