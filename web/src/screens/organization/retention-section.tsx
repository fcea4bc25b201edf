/** Sets how long extractions are kept for review. */
import { useLingui } from "@lingui/react/macro";
import type { Organization } from "@sheaf/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../app/api.ts";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Input, Select } from "../../ui/field.tsx";
import { notify } from "../../ui/notifications.tsx";
import { Card, Failure } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { organizationQuery } from "./organization.queries.ts";

/** Maximum number of days that the API accepts. */
const maxDays = 3_650;
/** Default of the service, in days. Filled in when the user chooses to enter a number of days. */
const defaultDays = 30;

type Choice = "default" | "none" | "days";

const choiceOf = (days: number | null): Choice => (days === null ? "default" : days === 0 ? "none" : "days");

export function RetentionSection({ organization }: { organization: Organization }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const wordsOf = useErrorWords();
  const kept = organization.keep_extractions_days;
  const [choice, setChoice] = useState(() => choiceOf(kept));
  const [days, setDays] = useState(String(kept || defaultDays));
  const chosen = choice === "default" ? null : choice === "none" ? 0 : Number(days);
  const save = useMutation({
    mutationFn: () => sheaf.updateOrganization({ keep_extractions_days: chosen }),
    onSuccess: ({ data }) => {
      queries.setQueryData(organizationQuery.queryKey, data);
      notify(t`The retention was saved.`);
    },
  });
  const words: Record<Choice, string> = {
    default: t`Extractions of the web application are kept for ${defaultDays} days. Extractions that programs start are kept only if the program asks for it.`,
    none: t`Nothing is kept, so nothing can be reviewed later.`,
    days: t`All extractions are kept for this time, including those that programs start.`,
  };
  return (
    <Section
      title={t`Retention of extractions`}
      description={t`Extractions are kept with their files for review. An extractor can override this setting.`}
    >
      <Card className="max-w-xl">
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate();
          }}
        >
          <Field label={t`Keep extractions`} description={words[choice]}>
            <Select value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
              <option value="default">{t`Default`}</option>
              <option value="days">{t`For a number of days`}</option>
              <option value="none">{t`Not at all`}</option>
            </Select>
          </Field>
          {choice === "days" && (
            <Field label={t`Days`}>
              <Input
                type="number"
                required
                min={1}
                max={maxDays}
                step={1}
                className="max-w-40"
                value={days}
                onChange={({ target }) => setDays(target.value)}
              />
            </Field>
          )}
          {save.isError && <Failure message={wordsOf(save.error)} />}
          <div>
            <Button look="primary" type="submit" busy={save.isPending} disabled={chosen === kept}>
              {t`Save`}
            </Button>
          </div>
        </form>
      </Card>
    </Section>
  );
}
