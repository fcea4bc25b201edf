/** Layouts of forms: the positions of labels, checkboxes and their texts. */
import type { Form, Group, Statement } from "./make-form.ts";
import type { Marks } from "./marks.ts";
import { textWidth } from "./sheet.ts";

/** Prints a part of a form from `y` downwards. Returns the `y` at which the next part begins. */
type Print<Part> = (marks: Marks, part: Part, x: number, y: number) => number;

export interface Layout {
  name: string;
  statement: Print<Statement>;
  questions: Print<readonly Group[]>;
  choice: Print<Group>;
}

const [left, top, right] = [60, 80, 535];
const size = 10;
const lineHeight = 17;

export function printForm(form: Form, layout: Layout, marks: Marks): Uint8Array {
  const { sheet } = marks;
  sheet.text(form.title, left, top, 16, true);
  let y = top + 36;
  for (const { label, value } of form.texts) {
    sheet.text(`${label}:`, left, y);
    sheet.text(value, left + 110, y);
    y += lineHeight;
  }
  y += lineHeight;
  for (const choice of form.choices) y = menuOr(layout.choice)(marks, choice, left, y) + 10;
  for (const statement of form.statements) y = layout.statement(marks, statement, left, y) + 6;
  layout.questions(marks, form.questions, left, y + 8);
  return sheet.finish();
}

/** Prints a menu instead of checkboxes if the style has menus. */
const menuOr =
  (print: Print<Group>): Print<Group> =>
  (marks, group, x, y) => {
    if (!marks.menu) return print(marks, group, x, y);
    const end = marks.sheet.text(`${group.text}:`, x, y);
    marks.menu(group.name, group.options, group.checked, end + 12, y);
    return y + lineHeight + 8;
  };

/** Prints a checkbox and its text. Returns the x coordinate at which the option ends. */
function option(marks: Marks, group: Group, index: number, x: number, y: number, after = false): number {
  const text = group.options[index] ?? "";
  const box = { name: group.name, text, index, checked: group.checked === index };
  if (after) {
    const end = marks.sheet.text(text, x, y) + 5;
    marks.box(box, end, y);
    return end + marks.width;
  }
  marks.box(box, x, y);
  return marks.sheet.text(text, x + marks.width, y);
}

function options(marks: Marks, group: Group, x: number, y: number, gap: number, after = false): number {
  let at = x;
  for (const index of group.options.keys()) at = option(marks, group, index, at, y, after) + gap;
  return at;
}

const alone = ({ name, text, checked }: Statement) => ({ name, text, checked });

const eachOf =
  (print: Print<Group>): Print<readonly Group[]> =>
  (marks, groups, x, y) =>
    groups.reduce((at, group) => print(marks, group, x, at) + 6, y);

/**
 * Prints text in lines of at most `width`. Returns the end of the last line: its x coordinate and
 * its baseline.
 */
function paragraph(marks: Marks, text: string, x: number, y: number, width: number): { x: number; y: number } {
  let at = y;
  let line = "";
  for (const word of text.split(" ")) {
    if (line && textWidth(`${line} ${word}`, size) > width) {
      marks.sheet.text(line, x, at);
      at += 12;
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return { x: marks.sheet.text(line, x, at), y: at };
}

const boxFirst: Print<Statement> = (marks, statement, x, y) => {
  marks.box(alone(statement), x, y);
  return paragraph(marks, statement.text, x + marks.width, y, 400).y + lineHeight;
};

const inlineGroup: Print<Group> = (marks, group, x, y) => {
  const end = marks.sheet.text(group.text, x, y);
  options(marks, group, end + 14, y, 16);
  return y + lineHeight;
};

const column: Print<Group> = (marks, group, x, y) => {
  marks.sheet.text(group.text, x, y, size, true);
  for (const index of group.options.keys()) option(marks, group, index, x + 10, y + 16 + index * 15);
  return y + 16 + group.options.length * 15 + 4;
};

/** Prints a table that has a column of checkboxes for each answer. */
const answerTable =
  (isRuled: boolean, isFirst: boolean): Print<readonly Group[]> =>
  (marks, groups, x, y) => {
    const { sheet } = marks;
    const [answers = []] = groups.map((group) => group.options);
    const width = 50;
    const first = isFirst ? x : right - answers.length * width;
    const textAt = isFirst ? x + answers.length * width + 8 : x + 4;
    for (const [at, answer] of answers.entries()) sheet.text(answer, first + at * width + 16, y);
    let at = y + 22;
    for (const group of groups) {
      const end = paragraph(marks, group.text, textAt, at, right - x - answers.length * width - 20).y;
      for (const index of group.options.keys())
        marks.box(
          { name: group.name, text: group.options[index] ?? "", index, checked: group.checked === index },
          first + index * width + 18,
          (at + end) / 2,
        );
      if (isRuled) sheet.line(x, end + 8, right, end + 8);
      at = end + 22;
    }
    if (isRuled) {
      sheet.line(x, y - 13, right, y - 13);
      sheet.line(x, y + 7, right, y + 7);
      for (const edge of [x, ...[...answers.keys()].map((index) => first + index * width), right])
        sheet.line(edge, y - 13, edge, at - 14);
    }
    return at;
  };

/** Layouts for development: the engine may be tuned on them. */
export const seenLayouts: Layout[] = [
  { name: "inline", statement: boxFirst, questions: eachOf(inlineGroup), choice: inlineGroup },
  { name: "column", statement: boxFirst, questions: eachOf(column), choice: column },
  {
    name: "grid",
    statement: boxFirst,
    questions: eachOf((marks, group, x, y) => {
      marks.sheet.text(group.text, x, y);
      options(marks, group, x, y + 16, 24);
      return y + 36;
    }),
    choice: (marks, group, x, y) => {
      marks.sheet.text(group.text, x, y, size, true);
      for (const index of group.options.keys())
        option(marks, group, index, x + (index % 2) * 180, y + 16 + Math.floor(index / 2) * 16);
      return y + 16 + Math.ceil(group.options.length / 2) * 16 + 4;
    },
  },
  {
    name: "ruled table",
    statement: (marks, statement, x, y) => {
      marks.sheet.line(x, y - 12, right, y - 12);
      marks.sheet.line(x, y + 6, right, y + 6);
      for (const edge of [x, x + 24, right]) marks.sheet.line(edge, y - 12, edge, y + 6);
      marks.box(alone(statement), x + 6, y);
      marks.sheet.text(statement.text, x + 30, y);
      return y + 20;
    },
    questions: answerTable(true, false),
    choice: (marks, group, x, y) => {
      marks.sheet.line(x, y - 12, right, y - 12);
      marks.sheet.line(x, y + 6, right, y + 6);
      marks.sheet.text(group.text, x + 4, y);
      options(marks, group, x + 136, y, 14);
      for (const edge of [x, x + 130, right]) marks.sheet.line(edge, y - 12, edge, y + 6);
      return y + 22;
    },
  },
  {
    name: "numbered",
    statement: (marks, statement, x, y) => {
      marks.sheet.text("(a)", x, y);
      return boxFirst(marks, statement, x + 22, y);
    },
    questions: (marks, groups, x, y) => {
      let at = y;
      for (const [index, group] of groups.entries()) {
        marks.sheet.text(`3.${index + 1}`, x, at);
        marks.sheet.text(group.text, x + 26, at);
        options(marks, group, x + 40, at + 15, 30);
        at += 38;
      }
      return at;
    },
    choice: (marks, group, x, y) => {
      marks.sheet.text(`2. ${group.text}:`, x, y);
      for (const index of group.options.keys()) option(marks, group, index, x + 26, y + 15 + index * 15);
      return y + 15 + group.options.length * 15 + 4;
    },
  },
  {
    name: "framed",
    statement: boxFirst,
    questions: eachOf((marks, group, x, y) => {
      marks.sheet.text(group.text, x, y);
      options(marks, group, right - 110, y, 18);
      return y + lineHeight;
    }),
    choice: (marks, group, x, y) => {
      const height = 22 + group.options.length * 15;
      marks.sheet.draw(`0.5 w ${x} ${842 - y - height + 10} ${right - x} ${height} re S`);
      marks.sheet.text(group.text, x + 6, y + 3, size, true);
      for (const index of group.options.keys()) option(marks, group, index, x + 8, y + 20 + index * 15);
      return y + height + 6;
    },
  },
];

/** Held-out layouts, which are used for measurement only. The engine is never tuned on them. */
export const heldOutLayouts: Layout[] = [
  {
    name: "box after",
    statement: (marks, statement, x, y) => {
      const end = marks.sheet.text(statement.text, x, y);
      marks.box(alone(statement), end + 8, y);
      return y + lineHeight;
    },
    questions: eachOf((marks, group, x, y) => {
      const end = marks.sheet.text(group.text, x, y);
      options(marks, group, end + 14, y, 14, true);
      return y + lineHeight;
    }),
    choice: (marks, group, x, y) => {
      const end = marks.sheet.text(`${group.text}:`, x, y);
      options(marks, group, end + 14, y, 12, true);
      return y + lineHeight;
    },
  },
  {
    name: "label left",
    statement: boxFirst,
    questions: eachOf((marks, group, x, y) => {
      const end = paragraph(marks, group.text, x, y, 190).y;
      for (const index of group.options.keys()) option(marks, group, index, x + 210, y + index * 15);
      return Math.max(end, y + 15) + lineHeight;
    }),
    choice: (marks, group, x, y) => {
      marks.sheet.text(group.text, x, y);
      for (const index of group.options.keys()) option(marks, group, index, x + 160, y + index * 15);
      return y + group.options.length * 15 + 6;
    },
  },
  {
    name: "open table",
    statement: boxFirst,
    questions: answerTable(false, false),
    choice: (marks, group, x, y) => {
      marks.sheet.text(group.text, x, y);
      options(marks, group, x + 4, y + 15, 40);
      return y + 36;
    },
  },
  {
    name: "wrapped",
    statement: (marks, statement, x, y) => {
      marks.box(alone(statement), x, y);
      return paragraph(marks, statement.text, x + marks.width + 4, y, 150).y + lineHeight;
    },
    questions: eachOf((marks, group, x, y) => {
      const end = paragraph(marks, group.text, x, y, 200);
      options(marks, group, end.x + 16, end.y, 12);
      return end.y + lineHeight;
    }),
    choice: (marks, group, x, y) => {
      marks.sheet.text(`${group.text} *`, x, y);
      for (const index of group.options.keys())
        option(marks, group, index, x + (index % 3) * 140, y + 16 + Math.floor(index / 3) * 16);
      return y + 16 + Math.ceil(group.options.length / 3) * 16 + 4;
    },
  },
  {
    name: "answers first",
    statement: (marks, statement, x, y) => {
      marks.box(alone(statement), x + 20, y);
      marks.sheet.text(statement.text, x + 60, y);
      return y + lineHeight;
    },
    questions: answerTable(true, true),
    choice: column,
  },
  {
    name: "right edge",
    statement: (marks, statement, x, y) => {
      const end = marks.sheet.text(statement.text, x, y) + 4;
      const dots = Math.floor((right - 30 - end) / textWidth(".", size));
      marks.sheet.text(".".repeat(Math.max(dots, 0)), end, y);
      marks.box(alone(statement), right - 20, y);
      return y + lineHeight;
    },
    questions: eachOf((marks, group, x, y) => {
      marks.sheet.text(group.text, x, y);
      for (const index of group.options.keys()) option(marks, group, index, right - 60, y + index * 15);
      return y + 15 + lineHeight;
    }),
    choice: (marks, group, x, y) => {
      marks.sheet.text(group.text, x, y);
      for (const [index, text] of group.options.entries()) {
        const at = y + 15 + index * 15;
        marks.sheet.text(text, x + 12, at);
        marks.box({ name: group.name, text, index, checked: group.checked === index }, x + 150, at);
      }
      return y + 15 + group.options.length * 15 + 6;
    },
  },
];
