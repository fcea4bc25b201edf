/** Settings of the organization. */
import { useLingui } from "@lingui/react/macro";
import type { Organization } from "@sheaf/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { sessionQuery } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { useFormats } from "../../ui/formats.ts";
import { notify } from "../../ui/notifications.tsx";
import { Card, Failure } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { Loaded } from "./loaded.tsx";
import { organizationQuery } from "./organization.queries.ts";
import { RetentionSection } from "./retention-section.tsx";

export function SettingsTab() {
  const { t } = useLingui();
  const { date } = useFormats();
  return (
    <Loaded query={useQuery(organizationQuery)}>
      {(organization) => (
        <>
          <NameSection organization={organization} />
          <RetentionSection organization={organization} />
          <Section title={t`Id of the organization`} description={t`Support and the command line ask for it.`}>
            <div className="max-w-xl">
              <CopyText label={t`Id of the organization`} text={organization.id} />
              <p className="mt-2 text-[0.9rem] text-muted">{t`Created on ${date(organization.created_at)}`}</p>
            </div>
          </Section>
        </>
      )}
    </Loaded>
  );
}

function NameSection({ organization }: { organization: Organization }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const [name, setName] = useState(organization.name);
  const save = useMutation({
    mutationFn: () => sheaf.updateOrganization({ name: name.trim() }),
    onSuccess: async ({ data }) => {
      queries.setQueryData(organizationQuery.queryKey, data);
      setName(data.name);
      notify(t`The name was saved.`);
      // The account menu shows the name too.
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <Section title={t`Name`}>
      <Card className="max-w-xl">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
          className="flex flex-col gap-4"
        >
          <Field label={t`Name of the organization`} description={t`All members see it.`}>
            <Input required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          {save.isError && <Failure message={wordsOf(save.error)} />}
          <div>
            <Button look="primary" type="submit" busy={save.isPending} disabled={name.trim() === organization.name}>
              {t`Save`}
            </Button>
          </div>
        </form>
      </Card>
    </Section>
  );
}
