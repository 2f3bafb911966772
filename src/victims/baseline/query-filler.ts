import { ColumnFiller, type ColumnChoice } from './column-filler.js';
import { scoreOf, type FillFeatures, type FillWeights } from './fill-features.js';
import { joinGraph, type JoinGraph, type JoinPlan } from './join-graph.js';
import type { KnownExample } from './known-example.js';
import type { QuestionView } from './question-view.js';
import type { Mention } from './schema-linking.js';
import type { Sketch, ValueSlot } from './sketch.js';
import type { Filling } from './sketch-writer.js';
import type { StructureOdds } from './structure-judge.js';
import type { QuestionValue } from './question-values.js';
import { itemAt, zip } from '../../present.js';

/** A sketch with everything for its slots, with what it is judged by. */
export interface FilledSketch {
  readonly sketch: Sketch;
  readonly filling: Filling;
  /** To be added up. */
  readonly features: readonly FillFeatures[];
  readonly score: number;
}

/** Tables tried for a FROM that has no column. */
const EXTRA_CHOICES = 3;
/** Choices of columns that are gone on with. */
const COLUMN_CHOICES = 5;

interface Tables {
  readonly plans: readonly JoinPlan[];
  readonly features: readonly FillFeatures[];
}

function tablesOf({ first, steps }: JoinPlan): number[] {
  return [first, ...steps.map(({ table }) => table)];
}

function isCovered(place: Mention, by: readonly Mention[]): boolean {
  return by.some(({ first, last }) => first <= place.last && last >= place.first);
}

/** Fills the sketches of examples for one question. */
export class QueryFiller {
  readonly #view: QuestionView;
  readonly #odds: StructureOdds;
  readonly #graph: JoinGraph;
  readonly #weights: FillWeights;
  readonly #columns: ColumnFiller;

  constructor(view: QuestionView, odds: StructureOdds, weights: FillWeights) {
    this.#view = view;
    this.#odds = odds;
    this.#graph = joinGraph(view.linked.schema.database);
    this.#weights = weights;
    this.#columns = new ColumnFiller(view, this.#graph, weights);
  }

  /** The ways to fill an example's sketch; `base` is what speaks for the sketch itself. */
  fill(example: KnownExample, base: readonly FillFeatures[]): FilledSketch[] {
    const choices = this.#columns.fill(example).slice(0, COLUMN_CHOICES);
    return choices.flatMap((choice) =>
      this.#tableChoices(example, choice.columns).map((tables) => this.#filled(example, choice, tables, base)),
    );
  }

  #filled(example: KnownExample, choice: ColumnChoice, tables: Tables, base: readonly FillFeatures[]): FilledSketch {
    const { schema } = this.#view.linked;
    const values = fillValues(example, choice.columns, this.#view);
    const most = Math.max(...tables.plans.map(({ steps }) => steps.length + 1));
    const query = [values.features, this.#coverage(choice.columns, tables.plans), this.#odds.ofTables(most)];
    const others = [...base, ...tables.features, ...query];
    const score = others.reduce((sum, part) => sum + scoreOf(part, this.#weights), choice.score);
    const columns = choice.columns.map((column) => itemAt(schema.columns, column).ref);
    const filling = { columns, values: values.values, plans: tables.plans };
    return { sketch: example.sketch, filling, features: [...choice.features, ...others], score };
  }

  /** The FROM clauses: the tables of the columns, those between, and as many more as the sketch has. */
  #tableChoices(example: KnownExample, columns: readonly number[]): Tables[] {
    let choices: Tables[] = [{ plans: [], features: [] }];
    for (const [core, { tables, extras }] of example.sketch.cores.entries()) {
      const own = zip(example.sketch.columns, columns).flatMap(([{ cores }, column]) =>
        cores.includes(core) ? [itemAt(this.#view.linked.schema.columns, column).ref.table] : [],
      );
      const options = this.#fromOptions([...new Set(own)], extras.length, tables.length);
      choices = choices.flatMap(({ plans, features }) =>
        options.map((option) => ({ plans: [...plans, option.plan], features: [...features, option.features] })),
      );
    }
    return choices.slice(0, EXTRA_CHOICES * EXTRA_CHOICES);
  }

  #fromOptions(own: readonly number[], extras: number, tables: number): { plan: JoinPlan; features: FillFeatures }[] {
    let sets: (readonly number[])[] = [own];
    for (let extra = 0; extra < extras; extra++) sets = sets.flatMap((set) => this.#withExtra(set));
    return sets.flatMap((set) => {
      const plan = this.#graph.plan(set);
      if (plan === null) return [];
      const more = plan.steps.length + 1 - tables;
      const share = set.slice(own.length).reduce((sum, table) => sum + (this.#view.tableShares[table] ?? 0), 0);
      return [
        {
          plan,
          features: { 'tables-more': Math.max(0, more), 'tables-fewer': Math.max(0, -more), 'extra-share': share },
        },
      ];
    });
  }

  #withExtra(set: readonly number[]): (readonly number[])[] {
    const shares = this.#view.tableShares;
    const tables = [...shares.keys()].filter((table) => !set.includes(table));
    const joinable = tables.filter((table) => this.#graph.plan([...set, table]) !== null);
    joinable.sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0) || a - b);
    return joinable.slice(0, EXTRA_CHOICES).map((table) => [...set, table]);
  }

  /** Returns features for the question's links that the query leaves out, and for the tables that it takes. */
  #coverage(columns: readonly number[], plans: readonly JoinPlan[]): FillFeatures {
    const { linked, tableShares } = this.#view;
    const tables = new Set(plans.flatMap(tablesOf));
    const taken = [
      ...columns.flatMap((column) => linked.columns[column] ?? []),
      ...[...tables].flatMap((table) => linked.tables[table] ?? []),
    ];
    const open = new Map<string, Mention>();
    for (const mention of linked.columns.flat()) {
      const isValue = linked.values.some(({ first, last }) => first <= mention.last && last >= mention.first);
      if (!isValue && !isCovered(mention, taken))
        open.set(`${mention.first}.${mention.last}`, this.#fuller(open, mention));
    }
    const shares = [...open.values()].map(({ share }) => share);
    const missed = linked.tables.filter(
      ([mention], table) =>
        !tables.has(table) && tableShares[table] === 1 && mention !== undefined && !isCovered(mention, taken),
    );
    return {
      'uncovered-whole': shares.filter((share) => share === 1).length,
      'uncovered-part': shares.filter((share) => share < 1).length,
      'table-used': [...tables].reduce((sum, table) => sum + (tableShares[table] ?? 0), 0),
      'table-unsaid': [...tables].filter((table) => (tableShares[table] ?? 0) === 0).length,
      'table-missed': missed.length,
    };
  }

  #fuller(open: ReadonlyMap<string, Mention>, mention: Mention): Mention {
    const other = open.get(`${mention.first}.${mention.last}`);
    return other !== undefined && other.share > mention.share ? other : mention;
  }
}

/** A literal to write. */
interface ChosenValue {
  readonly text: string;
  readonly isText: boolean;
}

/** Literals for the values of a sketch. */
interface ValueChoice {
  readonly values: readonly ChosenValue[];
  readonly features: FillFeatures;
}

/** How well a value of the question fits a slot; null where it can't be there. */
function fitOf(
  value: QuestionValue,
  at: number,
  slot: ValueSlot,
  column: number | null,
  view: QuestionView,
): number | null {
  if (slot.kind !== 'text' && value.kind !== 'number') return null;
  const isCell = column !== null && value.columns.includes(column);
  const mention = column === null ? undefined : view.columns[column]?.mention;
  const gap = mention === undefined ? 10 : Math.abs(value.first - mention.last);
  return (isCell ? 3 : 0) + (slot.kind === value.kind || slot.kind === 'limit' ? 2 : 0) - gap / 10 - at / 100;
}

/**
 * Puts the question's values into a sketch, each once, where they fit best; a literal that the example's question does
 * not say (LIMIT 1) stays, and so does one that nothing fits.
 */
function fillValues(example: KnownExample, columns: readonly number[], view: QuestionView): ValueChoice {
  const free = new Set(view.linked.values.keys());
  let missing = 0;
  const values = example.sketch.values.map((slot, i): ChosenValue => {
    const column = slot.column === null ? null : (columns[slot.column] ?? null);
    const isKept = example.saidValues[i] !== true && slot.kind !== 'text';
    const value = isKept ? undefined : takeBest(slot, column, view, free);
    if (value === undefined && !isKept) missing += 1;
    return chosen(slot, column, value, view);
  });
  return { values, features: { 'value-missing': missing, 'value-unused': free.size } };
}

function takeBest(
  slot: ValueSlot,
  column: number | null,
  view: QuestionView,
  free: Set<number>,
): QuestionValue | undefined {
  let best: { readonly at: number; readonly value: QuestionValue; readonly fit: number } | null = null;
  for (const at of free) {
    const value = itemAt(view.linked.values, at);
    const fit = fitOf(value, at, slot, column, view);
    if (fit !== null && (best === null || fit > best.fit)) best = { at, value, fit };
  }
  if (best === null) return undefined;
  free.delete(best.at);
  return best.value;
}

function chosen(
  slot: ValueSlot,
  column: number | null,
  value: QuestionValue | undefined,
  view: QuestionView,
): ChosenValue {
  const text = value?.text ?? slot.text;
  const type = column === null ? null : (view.linked.schema.columns[column]?.type ?? null);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
  const isPattern = slot.before !== '' || slot.after !== '';
  const wantsText = slot.kind === 'text' && (value?.kind !== 'number' || type !== 'number');
  return { text, isText: isPattern || !isNumber || wantsText };
}
