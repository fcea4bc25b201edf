/** Name, instructions and corpora of an assistant. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { PersonalConfiguration } from "@sheaf/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useErrorWords } from "../../app/error-words.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Input, TextArea } from "../../ui/field.tsx";
import { Failure, Loading } from "../../ui/page.tsx";
import { corporaQuery } from "../corpora/queries.ts";

export interface AssistantInput {
  name: string;
  /** Instructions, one per line. */
  instructions: string;
  /** References of the corpora. */
  corpora: readonly string[];
}

/**
 * Maximum number of corpora of an assistant. It is low, because each question searches all of them.
 */
const maxCorpora = 20;

export const inputOf = (name: string, { instructions, corpora }: PersonalConfiguration): AssistantInput => ({
  name,
  instructions: instructions.map((each) => each.replace(/\s*\n\s*/g, " ")).join("\n"),
  corpora,
});

export const configurationOf = ({ instructions, corpora }: AssistantInput) => ({
  instructions: instructions
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
  corpora,
});

interface AssistantFormProps {
  input?: AssistantInput;
  /** Verb on the button, such as "Create". */
  action: string;
  error: unknown;
  isBusy: boolean;
  onSubmit: (input: AssistantInput) => void;
  onCancel?: () => void;
}

const noInput: AssistantInput = { name: "", instructions: "", corpora: [] };

export function AssistantForm({ input = noInput, action, error, isBusy, onSubmit, onCancel }: AssistantFormProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const corpora = useQuery(corporaQuery);
  const [name, setName] = useState(input.name);
  const [instructions, setInstructions] = useState(input.instructions);
  const [chosen, setChosen] = useState<readonly string[]>(input.corpora);
  const isFull = chosen.length >= maxCorpora;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        // Leaves out corpora that are no longer visible to the user, because the service would
        // refuse them.
        const seen = chosen.filter((reference) => corpora.data?.some((each) => each.reference === reference));
        onSubmit({ name: name.trim(), instructions, corpora: seen });
      }}
    >
      <Field label={t`Name`}>
        <Input required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label={t`Instructions`} description={t`Optional. One per line, such as “Answer in one sentence.”`}>
        <TextArea rows={4} value={instructions} onChange={(event) => setInstructions(event.target.value)} />
      </Field>
      <fieldset>
        <legend className="mb-1 text-[0.9rem] font-medium">
          <Trans>Corpora that it searches</Trans>
        </legend>
        {corpora.isPending && <Loading />}
        {corpora.error !== null && <Failure message={wordsOf(corpora.error)} onRetry={() => void corpora.refetch()} />}
        {corpora.data?.length === 0 && (
          <p className="text-muted">
            <Trans>You cannot see any corpus yet. Ask an administrator to create one.</Trans>
          </p>
        )}
        <div className="flex max-h-56 flex-col gap-1 overflow-y-auto">
          {corpora.data?.map(({ reference, name: corpus }) => {
            const isChosen = chosen.includes(reference);
            return (
              <label key={reference} className="flex items-center gap-3 rounded-md px-2 py-1.5 hover:bg-sunken">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-accent"
                  checked={isChosen}
                  disabled={isFull && !isChosen}
                  onChange={() =>
                    setChosen(isChosen ? chosen.filter((each) => each !== reference) : [...chosen, reference])
                  }
                />
                <span className="min-w-0 break-words">{corpus}</span>
              </label>
            );
          })}
        </div>
        {isFull && (
          <p className="mt-1 text-[0.87rem] text-muted">
            <Trans>An assistant can search at most {maxCorpora} corpora.</Trans>
          </p>
        )}
      </fieldset>
      {error !== null && <Failure message={wordsOf(error)} />}
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel !== undefined && (
          <Button onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <Button type="submit" look="primary" busy={isBusy} disabled={name.trim() === "" || !corpora.isSuccess}>
          {action}
        </Button>
      </div>
    </form>
  );
}
