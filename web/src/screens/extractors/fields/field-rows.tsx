/**
 * Rows of the field editor. The fields of one list (siblings) can be changed, moved, duplicated and
 * removed.
 */
import { Trans, useLingui } from "@lingui/react/macro";
import { ArrowDown, ArrowUp, CopyPlus, EllipsisVertical, GripVertical, ListChecks, Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, memo, useState } from "react";
import { Button, IconButton } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { inputClasses } from "../../../ui/field.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import type { FieldPart, FieldProblem, FieldProblems } from "./field-problems.ts";
import {
  addField,
  changeField,
  copyOf,
  type FieldFormat,
  type FieldNode,
  type FieldTree,
  fieldFormats,
  fieldLimits,
  insertAfter,
  moveField,
  newField,
  removeField,
  rulesFor,
  shiftField,
  sumsOf,
} from "./field-tree.ts";
import { RulesDialog, useRuleWords } from "./rules-dialog.tsx";

export type ChangeFields = (edit: (present: FieldTree) => FieldTree, key?: string) => void;

interface FieldRowsProps {
  tree: FieldTree;
  depth: number;
  problems: FieldProblems;
  isReadOnly: boolean;
  change: ChangeFields;
  /** Makes screen readers announce what was moved or removed. */
  announce: (words: string) => void;
  /** Name of the list that the fields belong to; absent at the top level. */
  listName?: string;
}

export function FieldRows({ tree, depth, problems, listName, ...rest }: FieldRowsProps) {
  const { t } = useLingui();
  const [ruledId, setRuledId] = useState<string>();
  const ruled = tree.find(({ id }) => id === ruledId);
  return (
    <>
      {depth === 1 && (
        <div
          aria-hidden
          className={classes(
            "mb-1 hidden border border-transparent px-3 text-[0.85rem] font-medium text-muted md:grid",
            columns,
          )}
        >
          <span className="w-7" />
          <span>{t`Name`}</span>
          <span>{t`Format`}</span>
          <span>{t`Description`}</span>
          <span className="w-9" />
        </div>
      )}
      <ul
        className="flex flex-col gap-2"
        aria-label={listName === undefined ? t`Fields` : t`Fields of each row of “${listName}”`}
      >
        {tree.map((node, index) => (
          <FieldRow
            key={node.id}
            node={node}
            depth={depth}
            isFirst={index === 0}
            isLast={index === tree.length - 1}
            // A row without problems always gets the same array, so that it is not rendered again.
            problems={concerns(problems, node) ? problems : none}
            onRules={setRuledId}
            {...rest}
          />
        ))}
      </ul>
      {ruled !== undefined && (
        <RulesDialog
          node={ruled}
          sums={sumsOf(tree)}
          onClose={() => setRuledId(undefined)}
          onSave={(rules) => {
            rest.change((present) => changeField(present, ruled.id, { rules }));
            setRuledId(undefined);
          }}
        />
      )}
    </>
  );
}

/** Widths of the columns of a row and of its headings. */
const columns = "gap-x-2 md:grid-cols-[auto_minmax(9rem,16rem)_8.5rem_1fr_auto]";

const none: FieldProblems = { byField: new Map(), general: [] };

const concerns = (problems: FieldProblems, node: FieldNode): boolean =>
  problems.byField.has(node.id) || node.items.some((item) => concerns(problems, item));

/** Moves the focus to the name input of a field that will be rendered next. */
export function focusName(id: string): void {
  requestAnimationFrame(() => document.getElementById(`${id}-name`)?.focus());
}

/**
 * Id of the field that is being dragged. Needed because browsers reveal the data of a drag only
 * when it is dropped.
 */
let draggedId: string | undefined;

interface FieldRowProps extends Omit<FieldRowsProps, "tree" | "listName"> {
  node: FieldNode;
  isFirst: boolean;
  isLast: boolean;
  /** Opens the rules of a field. */
  onRules: (id: string) => void;
}

const FieldRow = memo(function FieldRow({
  node,
  depth,
  problems,
  isReadOnly,
  isFirst,
  isLast,
  change,
  announce,
  onRules,
}: FieldRowProps) {
  const { t } = useLingui();
  const [isDragged, setDragged] = useState(false);
  const { id, name, format, description, items, rules } = node;
  const ruleWords = useRuleWords()(rulesFor(format, rules)).join(", ");
  const own = problems.byField.get(id) ?? {};
  const edit = (part: "name" | "description" | "format", value: string) =>
    change((present) => changeField(present, id, { [part]: value }), part === "format" ? undefined : `${id}-${part}`);
  const shownName = name || t`(no name)`;
  const shift = (step: -1 | 1) => {
    if (step < 0 ? isFirst : isLast) return;
    change((present) => shiftField(present, id, step));
    announce(step < 0 ? t`“${shownName}” was moved up.` : t`“${shownName}” was moved down.`);
    // Moving an element in the document can remove its focus, so the focus is restored.
    const focused = document.activeElement;
    requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus());
  };
  const duplicate = () =>
    change((present) => {
      const copy = copyOf(present, id);
      if (copy === undefined) return present;
      focusName(copy.id);
      return insertAfter(present, id, copy);
    });
  const remove = () => {
    change((present) => removeField(present, id));
    announce(t`“${shownName}” was removed.`);
  };
  const addItem = () => {
    const field = newField();
    change((present) => addField(present, id, field));
    focusName(field.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isReadOnly || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    shift(event.key === "ArrowUp" ? -1 : 1);
  };
  const formats: Record<FieldFormat, string> = {
    text: t`Text`,
    number: t`Number`,
    boolean: t`Yes or no`,
    list: t`List`,
  };
  return (
    <li
      className={classes(
        "rounded-lg border border-line bg-surface",
        // Lets the browser skip rows outside of the window, which matters with hundreds of fields.
        depth === 1 && "[contain-intrinsic-size:auto_4rem] [content-visibility:auto]",
        isDragged && "opacity-50",
      )}
      onKeyDown={onKeyDown}
      onDragOver={(event) => {
        if (draggedId === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const dragged = draggedId;
        if (dragged !== id) change((present) => moveField(present, dragged, id), `drag-${dragged}`);
      }}
      onDrop={(event) => event.preventDefault()}
    >
      <div className={classes("grid grid-cols-[auto_1fr_auto] items-start gap-y-2 p-2 sm:p-3", columns)}>
        {isReadOnly ? (
          <span className="w-7" />
        ) : (
          <button
            type="button"
            draggable
            title={t`Drag to move, or press the arrow keys`}
            aria-label={t`Move “${shownName}”: arrow keys`}
            className="mt-1 cursor-grab rounded p-1.5 text-muted hover:bg-sunken"
            onKeyDown={(event) => {
              if (event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
              event.preventDefault();
              shift(event.key === "ArrowUp" ? -1 : 1);
            }}
            onDragStart={(event) => {
              draggedId = id;
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", name);
              setDragged(true);
            }}
            onDragEnd={() => {
              draggedId = undefined;
              setDragged(false);
            }}
          >
            <GripVertical size={16} aria-hidden />
          </button>
        )}
        <FieldInput id={id} part="name" label={t`Name`} problem={own.name}>
          {(props) => (
            <input
              {...props}
              className={classes(inputClasses, "font-medium")}
              readOnly={isReadOnly}
              spellCheck={false}
              autoComplete="off"
              placeholder={t`invoice_number`}
              value={name}
              onChange={(event) => edit("name", event.target.value)}
            />
          )}
        </FieldInput>
        {!isReadOnly && (
          <div className="md:order-last">
            <Menu
              trigger={
                <IconButton label={t`More for “${shownName}”`}>
                  <EllipsisVertical size={18} aria-hidden />
                </IconButton>
              }
            >
              <MenuItem disabled={isFirst} onClick={() => shift(-1)}>
                <ArrowUp size={16} aria-hidden />
                <Trans>Move up</Trans>
              </MenuItem>
              <MenuItem disabled={isLast} onClick={() => shift(1)}>
                <ArrowDown size={16} aria-hidden />
                <Trans>Move down</Trans>
              </MenuItem>
              <MenuItem onClick={() => onRules(id)}>
                <ListChecks size={16} aria-hidden />
                <Trans>Rules…</Trans>
              </MenuItem>
              <MenuItem onClick={duplicate}>
                <CopyPlus size={16} aria-hidden />
                <Trans>Duplicate</Trans>
              </MenuItem>
              <MenuSeparator />
              <MenuItem danger onClick={remove}>
                <Trash2 size={16} aria-hidden />
                <Trans>Remove</Trans>
              </MenuItem>
            </Menu>
          </div>
        )}
        <div className="col-span-3 pl-9 md:col-span-1 md:pl-0">
          <FieldInput id={id} part="format" label={t`Format`} problem={own.format}>
            {(props) => (
              <select
                {...props}
                className={classes(inputClasses, "pr-8")}
                disabled={isReadOnly}
                value={format}
                onChange={(event) => edit("format", event.target.value)}
              >
                {fieldFormats.map((each) => (
                  <option key={each} value={each} disabled={each === "list" && depth >= fieldLimits.levels}>
                    {formats[each]}
                  </option>
                ))}
              </select>
            )}
          </FieldInput>
        </div>
        <div className="col-span-3 pl-9 md:col-span-1 md:pl-0">
          <FieldInput id={id} part="description" label={t`Description`} problem={own.description}>
            {(props) => (
              <textarea
                {...props}
                rows={1}
                className={classes(inputClasses, "block field-sizing-content max-h-60 resize-none")}
                readOnly={isReadOnly}
                placeholder={t`What the value is, in words`}
                value={description}
                onChange={(event) => edit("description", event.target.value)}
              />
            )}
          </FieldInput>
          {ruleWords !== "" && (
            <p className="mt-1 text-[0.83rem] break-words text-muted">
              <Trans>Rules: {ruleWords}</Trans>
            </p>
          )}
        </div>
      </div>
      {format === "list" && (
        <div className="border-t border-line bg-sunken/60 p-2 pl-4 sm:p-3 sm:pl-10">
          <p className="mb-2 text-[0.87rem] text-muted">
            <Trans>Fields of each row of the list</Trans>
          </p>
          <FieldRows
            tree={items}
            depth={depth + 1}
            problems={problems}
            isReadOnly={isReadOnly}
            change={change}
            announce={announce}
            listName={shownName}
          />
          {own.items !== undefined && <ProblemText id={`${id}-items-problem`} problem={own.items} />}
          {!isReadOnly && (
            <Button small className="mt-2" aria-invalid={own.items !== undefined || undefined} onClick={addItem}>
              <Plus size={16} aria-hidden />
              <Trans>Add a field to the list</Trans>
            </Button>
          )}
        </div>
      )}
    </li>
  );
});

interface ControlProps {
  id: string;
  "aria-label": string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldInputProps {
  id: string;
  part: FieldPart;
  label: string;
  problem: FieldProblem | undefined;
  children: (props: ControlProps) => React.ReactNode;
}

/**
 * An input or select, followed by a message if it has a problem. Its label is only for screen
 * readers, because sighted users see the column headings above the rows.
 */
function FieldInput({ id, part, label, problem, children }: FieldInputProps) {
  const problemId = `${id}-${part}-problem`;
  return (
    <div className="min-w-0">
      {children({
        id: `${id}-${part}`,
        "aria-label": label,
        "aria-invalid": problem === undefined ? undefined : true,
        "aria-describedby": problem === undefined ? undefined : problemId,
      })}
      {problem !== undefined && <ProblemText id={problemId} problem={problem} />}
    </div>
  );
}

function ProblemText({ id, problem }: { id: string; problem: FieldProblem }) {
  const { t } = useLingui();
  const { nameLength, descriptionLength, levels } = fieldLimits;
  const words: Record<Exclude<FieldProblem["kind"], "refused">, string> = {
    name_missing: t`Enter a name.`,
    name_taken: t`Another field on the same level has this name. Choose a different one.`,
    name_forbidden: t`This name cannot be used. Choose a different one.`,
    name_too_long: t`The name is longer than ${nameLength} characters.`,
    description_too_long: t`The description is longer than ${descriptionLength} characters.`,
    list_empty: t`A list needs at least one field.`,
    too_deep: t`Lists nest up to ${levels} levels only. Choose another format.`,
  };
  return (
    <p id={id} className="mt-1 text-[0.85rem] text-danger">
      {problem.kind === "refused" ? problem.message : words[problem.kind]}
    </p>
  );
}
