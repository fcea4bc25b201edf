/**
 * Evaluates the parts of PromQL that our alerts and dashboard use, over successive scrapes. A range
 * selector such as `[5m]` always covers all scrapes. Only `rate` uses its duration: it divides the
 * growth from the first to the last scrape by that number of seconds.
 */
import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

type Labels = Record<string, string>;

interface Series {
  labels: Labels;
  /** Value at each scrape; undefined if the scrape did not contain the series. */
  values: (number | undefined)[];
}

export interface Sample {
  labels: Labels;
  value: number;
}

type Value = number | Sample[];

/** Parses the text format of Prometheus. The labels in `target` are added to every sample. */
export function parseMetrics(text: string, target: Labels = {}): (Sample & { name: string })[] {
  return text.split("\n").flatMap((line) => {
    const [, name, inBraces = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    const number = value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value);
    return [{ name, labels: { ...target, ...Object.fromEntries(pairs) }, value: number }];
  });
}

/** A metric in an expression, and the labels by which the expression selects or groups. */
export interface Reference {
  metric: string;
  labels: string[];
}

/**
 * Returns the metrics and labels that an expression uses.
 * @throws SyntaxError if it is not PromQL
 */
export function referencesIn(expression: string): Reference[] {
  const found: Reference[] = [];
  const grouped: string[] = [];
  parse(expression)
    .cursor()
    .iterate(({ name, node, from, to }) => {
      if (name === "VectorSelector") {
        const labels = descendants(node, "LabelName").map((each) => expression.slice(each.from, each.to));
        found.push({ metric: textOf(expression, node.firstChild), labels });
      }
      if (name === "LabelName" && node.parent?.name === "GroupingLabels") grouped.push(expression.slice(from, to));
    });
  return found.map(({ metric, labels }) => ({ metric, labels: [...new Set([...labels, ...grouped])] }));
}

/** Evaluates an expression at the last of several scrapes. */
export function evaluate(expression: string, scrapes: readonly string[], target: Labels): Sample[] {
  const all = new Map<string, Series & { name: string }>();
  for (const [index, text] of scrapes.entries())
    for (const { name, labels, value } of parseMetrics(text, target)) {
      const key = JSON.stringify([name, Object.entries(labels).sort()]);
      const series = all.get(key) ?? { name, labels, values: scrapes.map(() => undefined) };
      series.values[index] = value;
      all.set(key, series);
    }
  const value = new Evaluation(expression, [...all.values()]).valueOf(parse(expression).firstChild as SyntaxNode);
  if (typeof value === "number") throw new Error(`${expression} is a number, not a vector`);
  return value;
}

function parse(expression: string): SyntaxNode {
  const { topNode } = parser.parse(expression);
  topNode.cursor().iterate(({ type, from }) => {
    if (type.isError) throw new SyntaxError(`${expression} is not PromQL at ${from}`);
  });
  return topNode;
}

const textOf = (expression: string, node: SyntaxNode | null): string =>
  node === null ? "" : expression.slice(node.from, node.to);

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

const descendants = (node: SyntaxNode, name: string): SyntaxNode[] =>
  childrenOf(node).flatMap((child) => (child.name === name ? [child] : descendants(child, name)));

class Evaluation {
  readonly #expression: string;
  readonly #series: readonly (Series & { name: string })[];

  constructor(expression: string, series: readonly (Series & { name: string })[]) {
    this.#expression = expression;
    this.#series = series;
  }

  valueOf(node: SyntaxNode): Value {
    const children = childrenOf(node);
    switch (node.name) {
      case "NumberDurationLiteral":
        return Number(this.#text(node));
      case "ParenExpr":
        return this.valueOf(children[0] as SyntaxNode);
      case "VectorSelector":
        return this.#select(node).flatMap(({ labels, values }) => {
          const value = values.at(-1);
          return value === undefined ? [] : [{ labels, value }];
        });
      case "FunctionCall":
        return this.#call(this.#text(children[0] ?? null), childrenOf(children[1] as SyntaxNode));
      case "AggregateExpr":
        return this.#aggregate(node);
      case "BinaryExpr":
        return this.#combine(children[0] as SyntaxNode, children[1] as SyntaxNode, children.at(-1) as SyntaxNode);
      default:
        throw new Error(`${node.name} is not evaluated: ${this.#text(node)}`);
    }
  }

  #text = (node: SyntaxNode | null): string => textOf(this.#expression, node);

  #select(selector: SyntaxNode): Series[] {
    const name = this.#text(selector.firstChild);
    const matchers = descendants(selector, "UnquotedLabelMatcher").map((matcher) => {
      const [label, operator, text] = childrenOf(matcher).map(this.#text) as [string, string, string];
      const wanted = JSON.parse(text) as string;
      const matches = operator.includes("~")
        ? (value: string) => new RegExp(`^(?:${wanted})$`).test(value)
        : (value: string) => value === wanted;
      return ({ labels }: Series) => matches(labels[label] ?? "") !== operator.startsWith("!");
    });
    return this.#series.filter((each) => each.name === name && matchers.every((matches) => matches(each)));
  }

  #call(name: string, args: SyntaxNode[]): Sample[] {
    if (name === "histogram_quantile")
      return quantile(this.valueOf(args[0] as SyntaxNode) as number, this.valueOf(args[1] as SyntaxNode) as Sample[]);
    const range = args[0] as SyntaxNode;
    const [, count = "", unit = ""] = /\[(\d+)([mh])\]$/.exec(this.#text(range)) ?? [];
    const seconds = Number(count) * (unit === "h" ? 3600 : 60);
    return this.#select(range.firstChild as SyntaxNode).flatMap(({ labels, values }) => {
      const known = values.filter((value) => value !== undefined);
      const [first] = known;
      const last = known.at(-1);
      // As in Prometheus, the growth of a series with a single sample is undefined.
      if (first === undefined || last === undefined || known.length < 2) return [];
      const growth = last - first;
      if (name === "rate") return [{ labels, value: growth / seconds }];
      if (name === "increase") return [{ labels, value: growth }];
      if (name === "changes")
        return [{ labels, value: known.filter((value, at) => at > 0 && value !== known[at - 1]).length }];
      throw new Error(`${name} is not evaluated`);
    });
  }

  #aggregate(node: SyntaxNode): Sample[] {
    const [operator, ...rest] = childrenOf(node);
    const by = descendants(node, "GroupingLabels")[0];
    const names = by === undefined ? [] : descendants(by, "LabelName").map(this.#text);
    const inner = this.valueOf(childrenOf(rest.at(-1) as SyntaxNode)[0] as SyntaxNode) as Sample[];
    const groups = Map.groupBy(inner, ({ labels }) => JSON.stringify(names.map((name) => [name, labels[name] ?? ""])));
    return [...groups].map(([key, samples]) => {
      const values = samples.map(({ value }) => value);
      return {
        labels: Object.fromEntries(JSON.parse(key)),
        value: aggregators[this.#text(operator ?? null)]?.(values) ?? Number.NaN,
      };
    });
  }

  #combine(left: SyntaxNode, operator: SyntaxNode, right: SyntaxNode): Value {
    const [a, b] = [this.valueOf(left), this.valueOf(right)];
    const apply = operators[this.#text(operator)];
    if (apply === undefined) throw new Error(`${this.#text(operator)} is not evaluated`);
    if (typeof a === "number") throw new Error("a number on the left is not evaluated");
    return a.flatMap(({ labels, value }) => {
      const other = typeof b === "number" ? b : b.find((each) => isSame(each.labels, labels))?.value;
      const result = other === undefined ? undefined : apply(value, other);
      return result === undefined ? [] : [{ labels, value: result }];
    });
  }
}

const aggregators: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  count: (values) => values.length,
};

/**
 * Binary operators. As in PromQL, a true comparison returns its left operand. If the comparison is
 * false, `undefined` is returned and the sample is dropped.
 */
const operators: Record<string, (left: number, right: number) => number | undefined> = {
  "/": (left, right) => left / right,
  ">": (left, right) => (left > right ? left : undefined),
  "==": (left, right) => (left === right ? left : undefined),
};

const isSame = (a: Labels, b: Labels): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/**
 * Computes a quantile of a histogram. Interpolates linearly within the bucket, as Prometheus does.
 */
function quantile(share: number, buckets: readonly Sample[]): Sample[] {
  const rest = ({ labels }: Sample) => Object.entries(labels).filter(([name]) => name !== "le");
  return [...Map.groupBy(buckets, (bucket) => JSON.stringify(rest(bucket)))].flatMap(([key, samples]) => {
    const sorted = samples
      .map(({ labels, value }) => ({
        upTo: labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le),
        value,
      }))
      .sort((a, b) => a.upTo - b.upTo);
    const rank = share * (sorted.at(-1)?.value ?? 0);
    const index = sorted.findIndex(({ value }) => value >= rank);
    const { upTo = Number.NaN, value = 0 } = sorted[index] ?? {};
    const below = sorted[index - 1] ?? { upTo: 0, value: 0 };
    if (rank === 0) return [];
    const result = Number.isFinite(upTo)
      ? below.upTo + ((upTo - below.upTo) * (rank - below.value)) / (value - below.value)
      : below.upTo;
    return [{ labels: Object.fromEntries(JSON.parse(key)), value: result }];
  });
}
