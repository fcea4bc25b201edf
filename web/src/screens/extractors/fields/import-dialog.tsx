/** Imports fields from JSON or JSON Schema. Lists the parts that fields cannot represent. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { AgentParam } from "@sheaf/client";
import { useMemo, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";
import { type ImportNote, importFields } from "./json-fields.ts";

interface ImportDialogProps {
  hasFields: boolean;
  onClose: () => void;
  onImport: (fields: AgentParam[], isReplacing: boolean) => void;
}

/** Maximum number of notes listed. A large schema may cause hundreds. */
const maxShownNotes = 50;

export function ImportDialog({ hasFields, onClose, onImport }: ImportDialogProps) {
  const { t } = useLingui();
  const [text, setText] = useState("");
  const result = useMemo(() => (text.trim() === "" ? undefined : importFields(text)), [text]);
  const problems = {
    not_json: t`This is not JSON. Check that it was copied completely.`,
    no_fields: t`This contains no fields.`,
    unknown_form: t`These are neither fields of Sheaf nor a JSON Schema of an object.`,
  };
  const isReadable = result !== undefined && "fields" in result;
  const count = isReadable ? result.fields.length : 0;
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t`Import fields`}
      description={t`From a file, or pasted below: fields that were exported as JSON, or a JSON Schema.`}
    >
      <div className="flex flex-col gap-4">
        <label className="flex flex-col gap-1 text-[0.9rem] font-medium">
          <Trans>File</Trans>
          <input
            type="file"
            accept=".json,application/json"
            className="block w-full rounded-md border border-line p-2 font-normal file:mr-3 file:rounded file:border-0 file:bg-sunken file:px-3 file:py-1.5 file:text-ink"
            onChange={async ({ target: { files } }) => {
              const file = files?.[0];
              if (file !== undefined) setText(await file.text());
            }}
          />
        </label>
        <Field
          label={t`JSON`}
          error={result !== undefined && "problem" in result ? problems[result.problem] : undefined}
        >
          <TextArea
            rows={9}
            spellCheck={false}
            className="font-mono text-[0.85rem]"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {isReadable && (
          <div role="status">
            <p>{t`${plural(count, { one: "# field was found.", other: "# fields were found." })}`}</p>
            {result.notes.length > 0 && <Notes notes={result.notes} />}
          </div>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        {hasFields && (
          <Button disabled={!isReadable} onClick={() => isReadable && onImport(result.fields, true)}>
            <Trans>Replace the fields</Trans>
          </Button>
        )}
        <Button look="primary" disabled={!isReadable} onClick={() => isReadable && onImport(result.fields, false)}>
          <Trans>Add the fields</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Notes({ notes }: { notes: readonly ImportNote[] }) {
  const { t } = useLingui();
  const words: Record<ImportNote["kind"], string> = {
    date_as_text: t`A date becomes text, as printed in the document.`,
    integer_as_number: t`A whole number becomes a number.`,
    choices_in_description: t`The allowed values are named in the description; others are not refused.`,
    object_flattened: t`Nested objects are not supported: their fields get the name of the object as a prefix.`,
    values_as_list: t`A list of plain values becomes a list with one field, “value”.`,
    unknown_as_text: t`The format is not known here and becomes text.`,
    constraints_dropped: t`Rules for the value, such as a pattern or a minimum, are left out.`,
    too_deep_dropped: t`It is nested too deeply and is left out.`,
    reference_dropped: t`It refers to a part that is not in this file, and becomes text or is left out.`,
    name_dropped: t`An entry without a name is left out.`,
  };
  const hidden = notes.length - maxShownNotes;
  return (
    <details open className="mt-2 rounded-md border border-line p-3">
      <summary className="cursor-pointer font-medium">
        <Trans>What differs from the file</Trans>
      </summary>
      <ul className="mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto text-[0.9rem]">
        {notes.slice(0, maxShownNotes).map(({ kind, field }) => (
          <li key={`${kind} ${field}`}>
            {field !== "" && <code className="mr-2 rounded bg-sunken px-1 font-mono text-[0.85rem]">{field}</code>}
            {words[kind]}
          </li>
        ))}
        {hidden > 0 && <li>{t`${plural(hidden, { one: "and # more", other: "and # more" })}`}</li>}
      </ul>
    </details>
  );
}
