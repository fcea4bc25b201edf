/** Editor of the fields of an extractor. */
import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { type Agent, SheafError } from "@sheaf/client";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useBlocker, useParams } from "@tanstack/react-router";
import { Download, FileInput, FileJson, Plus, Redo2, Sparkles, Undo2 } from "lucide-react";
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from "react";
import { sheaf } from "../../../app/api.ts";
import { useErrorWords } from "../../../app/error-words.tsx";
import { useIsAdministrator } from "../../../app/session.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { notify } from "../../../ui/notifications.tsx";
import { Empty, Failure } from "../../../ui/page.tsx";
import { saveFile } from "../../../ui/save-file.ts";
import { extractorQuery, extractorsQuery, fieldsOf } from "../extractors.queries.ts";
import { changed, type FieldHistory, historyOf, redone, undone } from "./field-history.ts";
import { type FieldProblems, hasProblems, problemsOf, problemsOfIssues } from "./field-problems.ts";
import { FieldRows, focusName } from "./field-rows.tsx";
import {
  addField,
  countFields,
  type FieldTree,
  fieldLimits,
  newField,
  paramsOf,
  sameFields,
  treeOf,
} from "./field-tree.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { jsonSchemaOf, paramsJson } from "./json-fields.ts";
import { ProposeDialog } from "./propose-dialog.tsx";

export function FieldsScreen() {
  const { reference } = useParams({ from: "/shell/extractors/$reference/fields" });
  const { data: extractor } = useSuspenseQuery(extractorQuery(reference));
  return <FieldsEditor key={reference} extractor={extractor} />;
}

const saveText = (name: string, text: string, type: string) => saveFile(new Blob([text], { type }), name);

const noProblems: FieldProblems = { byField: new Map(), general: [] };

function FieldsEditor({ extractor }: { extractor: Agent }) {
  const { t } = useLingui();
  const wordsOf = useErrorWords();
  const queries = useQueryClient();
  const isReadOnly = !useIsAdministrator();
  const [history, setHistory] = useState<FieldHistory>(() => historyOf(treeOf(fieldsOf(extractor))));
  const [saved, setSaved] = useState<FieldTree>(history.present);
  const [isChecked, setChecked] = useState(false);
  /** Problems that the service reported, and the fields as they were sent. */
  const [refused, setRefused] = useState<{ tree: FieldTree; problems: FieldProblems }>();
  const [isImporting, setImporting] = useState(false);
  const [isProposing, setProposing] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const root = useRef<HTMLDivElement>(null);
  const tree = history.present;
  const isDirty = useMemo(() => !sameFields(tree, saved), [tree, saved]);
  const own = useMemo(() => problemsOf(tree), [tree]);
  const problems = refused?.tree === tree ? refused.problems : isChecked ? own : noProblems;

  // If the fields were changed elsewhere, shows the new fields, unless the user has unsaved
  // changes.
  const [base, setBase] = useState(extractor);
  const [isOvertaken, setOvertaken] = useState(false);
  if (base !== extractor) {
    setBase(extractor);
    const arrived = treeOf(fieldsOf(extractor));
    if (!sameFields(arrived, saved)) {
      setSaved(arrived);
      if (isDirty) setOvertaken(true);
      else setHistory(historyOf(arrived));
    }
  }

  // Must run after the problems are rendered.
  const focusFirstProblem = () =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  const save = useMutation({
    mutationFn: (sent: FieldTree) =>
      sheaf.updateAgent(extractor.reference, { configuration: { params: paramsOf(sent) } }),
    onSuccess: ({ data }, sent) => {
      setSaved(sent);
      setChecked(false);
      setOvertaken(false);
      setBase(data);
      queries.setQueryData(extractorQuery(extractor.reference).queryKey, data);
      void queries.invalidateQueries({ queryKey: extractorsQuery.queryKey });
      notify(t`The fields were saved.`);
    },
    onError: (error, sent) => {
      if (!(error instanceof SheafError) || !(error.is("invalid_config") || error.is("invalid_request"))) return;
      setRefused({ tree: sent, problems: problemsOfIssues(sent, error.detail?.issues ?? []) });
      focusFirstProblem();
    },
  });
  const submit = () => {
    setChecked(true);
    if (!hasProblems(own)) save.mutate(tree);
    else focusFirstProblem();
  };
  const change = useCallback(
    (edit: (present: FieldTree) => FieldTree, key?: string) =>
      setHistory((before) => changed(before, edit(before.present), key)),
    [],
  );
  const undo = () => setHistory(undone);
  const redo = () => setHistory(redone);
  const add = () => {
    const field = newField();
    change((present) => addField(present, undefined, field));
    focusName(field.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isReadOnly || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "s") submit();
    else if (key === "z" && !event.shiftKey) undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) redo();
    else return;
    event.preventDefault();
  };

  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });

  const count = countFields(tree);
  const isFieldError = refused?.tree === tree;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts for all controls of the editor
    <div ref={root} onKeyDown={onKeyDown}>
      {isReadOnly && (
        <p className="mb-4 text-muted">
          <Trans>Only administrators can change the fields.</Trans>
        </p>
      )}
      <div className="mb-4 flex flex-wrap items-center gap-2">
        {!isReadOnly && (
          <>
            <IconButton label={t`Undo`} disabled={history.past.length === 0} onClick={undo}>
              <Undo2 size={18} aria-hidden />
            </IconButton>
            <IconButton label={t`Redo`} disabled={history.future.length === 0} onClick={redo}>
              <Redo2 size={18} aria-hidden />
            </IconButton>
            <Button small onClick={() => setImporting(true)}>
              <FileInput size={16} aria-hidden />
              <Trans>Import</Trans>
            </Button>
            <Button small onClick={() => setProposing(true)}>
              <Sparkles size={16} aria-hidden />
              <Trans>Propose fields</Trans>
            </Button>
          </>
        )}
        <Button
          small
          onClick={() => saveText(`${extractor.name}.json`, paramsJson(paramsOf(tree)), "application/json")}
        >
          <Download size={16} aria-hidden />
          JSON
        </Button>
        <Button
          small
          onClick={() =>
            saveText(
              `${extractor.name}.schema.json`,
              jsonSchemaOf(extractor.name, paramsOf(tree)),
              "application/schema+json",
            )
          }
        >
          <FileJson size={16} aria-hidden />
          JSON Schema
        </Button>
        <span className="ml-auto text-[0.87rem] text-muted">
          {t`${plural(count, { one: "# field", other: "# fields" })}`}
        </span>
      </div>
      {tree.length > 0 && !isReadOnly && (
        <p className="mb-4 max-w-3xl text-[0.9rem] text-muted">
          <Trans>
            Values are found by their description: say what the value is, and what it must not be confused with. For a
            date, choose “Text”: it is read as printed.
          </Trans>
        </p>
      )}
      {tree.length === 0 ? (
        <Empty
          title={t`No fields yet`}
          action={
            !isReadOnly && (
              <Button look="primary" onClick={add}>
                <Plus size={18} aria-hidden />
                <Trans>Add a field</Trans>
              </Button>
            )
          }
        >
          {t`A field is one value to read, such as the number of an invoice. Say in its description what the value is, because it is found by its description.`}
        </Empty>
      ) : (
        <>
          <FieldRows
            tree={tree}
            depth={1}
            problems={problems}
            isReadOnly={isReadOnly}
            change={change}
            announce={setAnnouncement}
          />
          {!isReadOnly && (
            <Button className="mt-3" disabled={count >= fieldLimits.fields} onClick={add}>
              <Plus size={18} aria-hidden />
              <Trans>Add a field</Trans>
            </Button>
          )}
        </>
      )}
      <span role="status" className="sr-only">
        {announcement}
      </span>
      {!isReadOnly && (isDirty || save.isPending) && (
        <div className="sticky bottom-0 z-10 -mx-4 mt-6 -mb-6 border-t border-line bg-surface px-4 py-3 sm:-mx-8 sm:px-8">
          <SaveProblems problems={problems} error={isFieldError ? null : save.error} wordsOf={wordsOf} />
          <div className="flex flex-wrap items-center justify-end gap-2">
            <p className="mr-auto text-muted">
              {isOvertaken
                ? t`Somebody else has changed the fields in the meantime. Saving replaces their changes.`
                : t`There are changes that are not saved.`}
            </p>
            <Button
              onClick={() => {
                setHistory((before) => changed(before, saved));
                setChecked(false);
                setOvertaken(false);
              }}
            >
              <Trans>Discard</Trans>
            </Button>
            <Button look="primary" busy={save.isPending} onClick={submit}>
              <Trans>Save</Trans>
            </Button>
          </div>
        </div>
      )}
      {isImporting && (
        <ImportDialog
          hasFields={tree.length > 0}
          onClose={() => setImporting(false)}
          onImport={(params, isReplacing) => {
            change((present) => (isReplacing ? treeOf(params) : [...present, ...treeOf(params)]));
            setImporting(false);
          }}
        />
      )}
      {isProposing && (
        <ProposeDialog
          names={new Set(tree.map(({ name }) => name))}
          onClose={() => setProposing(false)}
          onAdd={(params) => {
            change((present) => [...present, ...treeOf(params)]);
            setProposing(false);
          }}
        />
      )}
      <Dialog
        open={blocker.status === "blocked"}
        onOpenChange={() => blocker.reset?.()}
        title={t`Leave without saving?`}
        description={t`Your changes to the fields are lost if you leave.`}
      >
        <DialogActions>
          <Button onClick={() => blocker.reset?.()}>
            <Trans>Stay</Trans>
          </Button>
          <Button look="danger" onClick={() => blocker.proceed?.()}>
            <Trans>Leave without saving</Trans>
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}

/** Explains, above the buttons, why the fields were not saved. */
function SaveProblems({
  problems,
  error,
  wordsOf,
}: {
  problems: FieldProblems;
  error: unknown;
  wordsOf: (error: unknown) => string;
}) {
  const { t } = useLingui();
  const count = problems.byField.size;
  const maximum = fieldLimits.fields;
  const words = [
    ...(count > 0
      ? [
          t`${plural(count, { one: "# field needs a change, marked above.", other: "# fields need a change, marked above." })}`,
        ]
      : []),
    ...problems.general.map((problem) =>
      problem === "too_many"
        ? t`There are more than ${maximum} fields. Remove some.`
        : problem.kind === "refused"
          ? problem.message
          : "",
    ),
    ...(error === null ? [] : [wordsOf(error)]),
  ];
  if (words.length === 0) return null;
  return (
    <div className="mb-3">
      <Failure message={words.join(" ")} />
    </div>
  );
}
