/** Proposes fields from sample files, and adds those that the user selects. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentParam, ProposedField } from "@sheaf/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { i18n, isLanguage } from "../../../app/language.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Failure, Loading } from "../../../ui/page.tsx";
import { agentParamsOf } from "../agent-params.ts";
import { DropZone } from "../drop-zone.tsx";
import { useValueWords } from "../try/use-value-words.ts";

interface ProposeDialogProps {
  /** Names of the fields that the extractor already has. */
  names: ReadonlySet<string>;
  onClose: () => void;
  onAdd: (fields: AgentParam[]) => void;
}

/** Maximum number of files, which is a limit of the API. */
const maxFiles = 20;
/** Timeout in milliseconds. Longer than for other requests, because many pages may be read. */
const timeoutMs = 300_000;

export function ProposeDialog({ names, onClose, onAdd }: ProposeDialogProps) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const propose = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const samples = files.slice(0, maxFiles).map((file) => ({ file }));
      const lang = isLanguage(i18n.locale) ? i18n.locale : "en";
      const { data } = await sheaf.inferFields({ files: samples, lang }, { timeoutMs });
      return data.fields.filter(({ param }) => !names.has(param.name));
    },
    onSuccess: () => setChosen(new Set()),
  });
  const { data: fields } = propose;
  const toggle = (name: string) =>
    setChosen((before) => new Set(before.has(name) ? [...before].filter((each) => each !== name) : [...before, name]));
  const count = fields?.length ?? 0;
  const added = chosen.size;
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t`Propose fields`}
      description={t`From one or more documents of the kind that the extractor is for. They are read, not stored.`}
    >
      <DropZone
        label={t`Choose sample documents or drop them here`}
        multiple
        compact
        disabled={propose.isPending}
        onFiles={(files) => propose.mutate(files)}
      />
      <div className="mt-4" aria-live="polite">
        {propose.isPending && <Loading />}
        {propose.error !== null && <Failure message={wordsOf(propose.error)} />}
        {fields !== undefined && !propose.isPending && (
          <>
            <p className="mb-2">
              {count === 0
                ? t`No fields were found that the extractor does not have yet.`
                : t`${plural(count, { one: "# field was found.", other: "# fields were found." })}`}
            </p>
            <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto">
              {fields.map((field) => (
                <ProposedRow
                  key={field.param.name}
                  field={field}
                  isChosen={chosen.has(field.param.name)}
                  onToggle={() => toggle(field.param.name)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          look="primary"
          disabled={added === 0}
          onClick={() =>
            onAdd(agentParamsOf((fields ?? []).map(({ param }) => param).filter(({ name }) => chosen.has(name))))
          }
        >
          {t`${plural(added, { one: "Add # field", other: "Add # fields" })}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ProposedRowProps {
  field: ProposedField;
  isChosen: boolean;
  onToggle: () => void;
}

function ProposedRow({ field: { param, values }, isChosen, onToggle }: ProposedRowProps) {
  const { t } = useLingui();
  const wordsOf = useValueWords();
  const shown = values.map(({ value }) => {
    if (!Array.isArray(value)) return wordsOf(value);
    const rows = value.length;
    return t`${plural(rows, { one: "# row", other: "# rows" })}`;
  });
  const text = [...new Set(shown)].join(" · ");
  return (
    <li>
      <label className="flex cursor-pointer items-start gap-3 rounded-md border border-line p-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft">
        <input type="checkbox" className="mt-1 accent-accent" checked={isChosen} onChange={onToggle} />
        <span className="min-w-0 grow">
          <span className="block break-words font-mono text-[0.87rem] font-medium">{param.name}</span>
          <span className="block break-words text-[0.83rem] text-muted">{param.description}</span>
        </span>
        <span className="max-w-[45%] shrink-0 break-words text-right text-[0.87rem]">{text}</span>
      </label>
    </li>
  );
}
