/** The workbench: a document beside its extracted values, which a person checks and corrects. */
import { Trans, useLingui } from "@lingui/react/macro";
import type { KeptExtraction } from "@sheaf/client";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { DrawnBox } from "../../document/page-sheet.tsx";
import type { PageWords } from "../../document/page-source.ts";
import { extractionPages } from "../../document/page-sources.ts";
import { PageView } from "../../document/page-view.tsx";
import { classes } from "../../ui/classes.ts";
import { notify } from "../../ui/notifications.tsx";
import { correctionOf, type Editing, startEditing, withDrawn } from "./editing.ts";
import { FailedRules } from "./failed-rules.tsx";
import { type SortOrder, sequenceOf } from "./field-order.ts";
import { FieldPanel } from "./field-panel.tsx";
import type { EditingState } from "./field-row.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { countsOf, nextToLook } from "./looks.ts";
import { PanelHead } from "./panel-head.tsx";
import { fieldAt, reviewOf, valueOfWord } from "./review-model.ts";
import { SaveProblem } from "./save-state.tsx";
import { useActions } from "./use-actions.ts";
import { useCorrections } from "./use-corrections.ts";
import { useHighlights } from "./use-highlights.ts";
import { usePrefetchedWords } from "./use-prefetched-words.ts";
import { useQueue } from "./use-queue.tsx";
import { focusField, useSelection } from "./use-selection.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { WorkbenchHead } from "./workbench-head.tsx";

const route = getRouteApi("/shell/extractions/$id");

export function Workbench({ extraction }: { extraction: KeptExtraction }) {
  const { t, i18n } = useLingui();
  const { locale } = i18n;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const saving = useCorrections(extraction);
  const { corrections, change, undo } = saving;
  const records = useMemo(() => reviewOf(extraction, corrections), [extraction, corrections]);
  const order: SortOrder = search.sort ?? "document";
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hasDocument, setDocument] = useState(true);
  const [edited, setEdited] = useState<EditingState>();
  const sequence = useCallback(() => [...sequenceOf(records, order)], [records, order]);
  const [first] = useState(() => search.field ?? nextToLook(sequence(), undefined, 1)?.path);
  const { selected, select, focus } = useSelection({
    records,
    initial: first,
    onSettled: (field) => {
      if (field === search.field) return;
      void navigate({
        search: ({ field: _, ...rest }) => ({ ...rest, ...(field !== undefined && { field }) }),
        replace: true,
      });
    },
  });
  const selectedNode = fieldAt(records, selected);
  const highlights = useHighlights(records, selected, edited?.editing.marks);
  const { id, filename, pages } = extraction;
  const source = useMemo(() => extractionPages({ id, filename, pages }), [id, filename, pages]);
  usePrefetchedWords(source, records);
  const counts = useMemo(() => countsOf(records), [records]);
  const queue = useQueue({ extraction, saving, toLook: counts.toLook });

  const goToNext = (direction: 1 | -1, from = records) => {
    const next = nextToLook([...sequenceOf(from, order)], selected, direction);
    if (next !== undefined) select(next.path, true);
    return next;
  };

  const confirm = (path: string | undefined) => {
    const node = fieldAt(records, path);
    if (node === undefined) return;
    const isOpen = node.kind === "list" || node.state === "unchanged";
    if (isOpen) change({ path: node.path, confirmed: true });
    const after = isOpen ? reviewOf(extraction, [...corrections, { path: node.path, confirmed: true }]) : records;
    if (goToNext(1, after) === undefined && countsOf(after).toLook === 0) notify(t`All values are checked.`);
  };

  const edit = (path: string | undefined, mode: Editing["mode"]) => {
    const node = fieldAt(records, path);
    if (node?.kind !== "value") return;
    if (path !== selected) select(path);
    setEdited({ editing: startEditing(node, mode, locale), problem: undefined });
  };

  /** Saves the value that is being edited. Returns false if its text is not valid. */
  const submit = (): boolean => {
    if (edited === undefined) return true;
    const node = fieldAt(records, edited.editing.path);
    const outcome = node?.kind === "value" ? correctionOf(edited.editing, node, locale) : { correction: undefined };
    if ("problem" in outcome) {
      setEdited({ ...edited, problem: outcome.problem });
      return false;
    }
    if (outcome.correction !== undefined) change(outcome.correction);
    setEdited(undefined);
    return true;
  };

  const cancel = () => {
    setEdited(undefined);
    if (selected !== undefined) focusField(selected);
  };

  const draw = (drawn: DrawnBox, words: PageWords) => {
    const node = edited ? fieldAt(records, edited.editing.path) : selectedNode;
    if (node?.kind !== "value") {
      notify(t`Select a field first. Then draw the box again.`);
      return;
    }
    const editing = edited?.editing ?? startEditing(node, "value", locale);
    setEdited({ editing: withDrawn(editing, node, drawn, words, locale), problem: undefined });
    if (node.path !== selected) select(node.path, false, false);
  };

  const actions = useActions({
    // Saves the typed text when another field is selected. If the text is not valid, the selection
    // does not change.
    select: (path) => submit() && select(path, true),
    confirm: (path) => submit() && confirm(path),
    edit: (path) => submit() && edit(path, "value"),
    remove: (path) => submit() && edit(path, "null"),
    changeEditing: (editing) => setEdited({ editing, problem: undefined }),
    submitEditing: () => submit() && selected !== undefined && focusField(selected),
    cancelEditing: cancel,
    insertRow: (list, index) => {
      if (!submit()) return;
      change({ path: `${list}/${index}`, op: "insert", value: {} });
      const node = fieldAt(records, list);
      const [item] = node?.param.items ?? [];
      const added = item && `${list}/${index}/${item.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (added !== undefined) select(added, true);
    },
    removeRow: (row) => {
      if (!submit()) return;
      change({ path: row, op: "remove" });
      select(row.slice(0, row.lastIndexOf("/")), true);
    },
  });

  useShortcuts({
    j: () => goToNext(1),
    k: () => goToNext(-1),
    Enter: () => confirm(selected),
    e: () => edit(selected, "value"),
    n: () => edit(selected, "null"),
    u: undo,
    r: queue.markReviewed,
    "[": queue.openPrevious,
    "]": queue.openNext,
    "?": () => setHelpOpen(true),
  });

  return (
    <div className="flex h-[calc(100dvh-3.6rem)] flex-col lg:h-dvh">
      <WorkbenchHead
        extraction={extraction}
        records={records}
        queue={queue}
        saving={saving}
        onHelp={() => setHelpOpen(true)}
        hasDocument={hasDocument}
        onDocument={setDocument}
      />
      <SaveProblem
        state={saving.state}
        onRetry={() => void saving.saver.flush()}
        onTakeTheirs={saving.adopt}
        onKeepMine={(latest) => void saving.saver.overwrite(latest)}
      />
      <div className="flex min-h-0 grow flex-col md:flex-row">
        <section
          aria-label={t`Extracted values`}
          className="flex min-h-0 min-w-0 grow basis-0 flex-col bg-surface md:order-2 md:max-w-[34rem] md:grow-0 md:basis-[48%]"
        >
          <PanelHead
            counts={counts}
            order={order}
            onOrder={(sort) =>
              navigate({
                search: ({ sort: _, ...rest }) => ({ ...rest, ...(sort === "confidence" && { sort }) }),
                replace: true,
              })
            }
          />
          <FailedRules
            failed={extraction.failed_rules ?? []}
            records={records}
            onSelect={(path) => submit() && select(path, true)}
          />
          <div className="min-h-0 grow overflow-y-auto">
            <FieldPanel records={records} order={order} selected={selected} edited={edited} actions={actions} />
          </div>
        </section>
        <PageView
          className={classes(
            "shrink-0 border-line max-md:h-[45dvh] max-md:border-t md:order-1 md:min-w-0 md:grow md:basis-0 md:border-r",
            !hasDocument && "max-md:hidden",
          )}
          source={source}
          label={extraction.filename}
          highlights={highlights}
          focus={focus}
          drawing={edited !== undefined}
          onWord={(page, word, words) => {
            const box = words.boxes[word];
            const node = box && valueOfWord(records, page, box);
            if (node !== undefined) select(node.path, true, false);
          }}
          onBox={draw}
        />
      </div>
      <p role="status" className="sr-only">
        {edited !== undefined && <Trans>Editing. Drag a box around words in the document to take them.</Trans>}
      </p>
      <HelpDialog open={isHelpOpen} onOpenChange={setHelpOpen} />
      {queue.dialog}
    </div>
  );
}
