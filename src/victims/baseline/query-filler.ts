import { type FillFeatures, scoreOf } from './fill-features.js';
import type { JoinPlan } from '../../compositional/clauses/join-plan.js';
import { joinGraph, type JoinGraph } from './join-graph.js';
import type { KnownExample, KnownSlot } from './known-example.js';
import type { ColumnView, QuestionView } from './question-view.js';
import type { Mention } from './schema-linking.js';
import { COLUMN_ROLES, type ColumnRole, type Filling, type Sketch, type ValueSlot } from './sketch.js';
import type { StructureOdds } from './structure-judge.js';
import type { QuestionValue } from './question-values.js';
import { itemAt, zip } from '../../present.js';
import { nameOverlap, overlaps, type SchemaColumn } from './words.js';
import type { ColumnRef } from '../../schema/schema.js';

/** Columns for the slots of a sketch, as positions in `SchemaWords.columns`. */
interface ColumnChoice {
  readonly columns: readonly number[];
  readonly score: number;
}

interface Candidate {
  readonly column: number;
  readonly score: number;
}

/** Columns tried per slot, and fillings kept on the way. */
const CANDIDATES = 7;
const BEAM = 8;

function rolesOf(...roles: readonly ColumnRole[]): ReadonlySet<number> {
  return new Set(roles.map((role) => COLUMN_ROLES.indexOf(role)));
}

const SELECT_ROLES = rolesOf('select', 'aggregate');
const WHERE_ROLES = rolesOf('where-equal', 'where-compare');
const GROUP_ROLES = rolesOf('group');
const ORDER_ROLES = rolesOf('order');

function slotFeatures(slot: KnownSlot, isCompared: boolean, column: SchemaColumn, view: ColumnView): FillFeatures {
  const said = slot.share > 0 ? 1 : 0;
  const overlap = nameOverlap(slot.stems, column.stems);
  const silent = view.share === 0 ? 1 : 0;
  const has = (roles: ReadonlySet<number>): number => (slot.roles.some((role) => roles.has(role)) ? 1 : 0);
  const whole = view.share === 1 ? 1 : 0;
  return {
    'share-said': said * view.share,
    'whole-said': said * whole,
    'missing-said': view.share === 0 ? said : 0,
    'name-said': said * overlap,
    'share-unsaid': (1 - said) * view.share,
    'whole-unsaid': (1 - said) * whole,
    'name-unsaid': (1 - said) * overlap,
    role: slot.roles.reduce((sum, at) => sum + (view.roles[at] ?? 0), 0) / slot.roles.length,
    association: silent * view.association,
    'silent-select': silent * has(SELECT_ROLES),
    'silent-where': silent * has(WHERE_ROLES),
    'silent-group': silent * has(GROUP_ROLES),
    'silent-order': silent * has(ORDER_ROLES),
    'type-differs': slot.type === column.type ? 0 : 1,
    'primary-differs': slot.isPrimary === column.isPrimary ? 0 : 1,
    'foreign-differs': slot.isForeign === column.isForeign ? 0 : 1,
    'table-share': view.tableShare,
    'table-beside': view.tableBeside,
    cell: isCompared && view.values.length > 0 ? 1 : 0,
  };
}

/** Equal for slots that the same columns fit equally well. */
function fitKey({ stems, type, isPrimary, isForeign, roles, share }: KnownSlot, isCompared: boolean): string {
  return [stems.join('_'), type, isPrimary, isForeign, roles.join('_'), share > 0, isCompared].join();
}

/** Chooses columns for the slots of an example's sketch by beam search over their links. */
class ColumnFiller {
  readonly #view: QuestionView;
  readonly #graph: JoinGraph;
  readonly #fits = new Map<string, readonly Candidate[]>();

  constructor(view: QuestionView, graph: JoinGraph) {
    this.#view = view;
    this.#graph = graph;
  }

  /** The best choices, best first; none where the schema has fewer columns than the sketch. */
  fill(example: KnownExample): readonly ColumnChoice[] {
    const candidates = example.slots.map((slot, at) => this.#candidates(example, slot, at));
    let states: ColumnChoice[] = [{ columns: [], score: 0 }];
    for (let at = 0; at < example.slots.length; at++) {
      const next = states.flatMap((state) => this.#extend(state, candidates[at] ?? [], example, at));
      states = next.sort((a, b) => b.score - a.score).slice(0, BEAM);
    }
    return states;
  }

  #candidates({ sketch }: KnownExample, slot: KnownSlot, at: number): readonly Candidate[] {
    const isCompared = sketch.values.some(({ column }) => column === at);
    const key = fitKey(slot, isCompared);
    let candidates = this.#fits.get(key);
    if (candidates === undefined) this.#fits.set(key, (candidates = this.#fit(slot, isCompared)));
    return candidates;
  }

  #fit(slot: KnownSlot, isCompared: boolean): readonly Candidate[] {
    const all = zip(this.#view.linked.schema.columns, this.#view.columns).map(
      ([schemaColumn, view], column): Candidate => ({
        column,
        score: scoreOf(slotFeatures(slot, isCompared, schemaColumn, view)),
      }),
    );
    return all.sort((a, b) => b.score - a.score || a.column - b.column).slice(0, CANDIDATES);
  }

  #extend(state: ColumnChoice, candidates: readonly Candidate[], example: KnownExample, at: number): ColumnChoice[] {
    return candidates.flatMap(({ column, score }) => {
      if (state.columns.includes(column)) return [];
      const pairs = this.#pairFeatures(state.columns, column, example, at);
      return [{ columns: [...state.columns, column], score: state.score + score + scoreOf(pairs) }];
    });
  }

  #pairFeatures(chosen: readonly number[], column: number, example: KnownExample, at: number): FillFeatures {
    const refOf = (one: number): ColumnRef => itemAt(this.#view.linked.schema.columns, one).ref;
    const ref = refOf(column);
    const slot = itemAt(example.slots, at);
    let [together, order, shared, unlinked] = [0, 0, 0, 0];
    zip(chosen, example.slots.slice(0, chosen.length)).forEach(([other, otherSlot], i) => {
      const otherRef = refOf(other);
      if ((otherSlot.table === slot.table) !== (otherRef.table === ref.table)) together += 1;
      if (this.#isTurned(otherSlot, slot, other, column)) order += 1;
      if (this.#isShared(other, column)) shared += 1;
      const isPair = example.sketch.memberships.some(([x, y]) => (x === i && y === at) || (x === at && y === i));
      if (isPair && !this.#graph.isLinked(otherRef, ref)) unlinked += 1;
    });
    return {
      'together-differs': together,
      'order-differs': order,
      'mention-shared': shared,
      'membership-unlinked': unlinked,
    };
  }

  #isShared(left: number, right: number): boolean {
    const [a, b] = [this.#view.columns[left]?.mention, this.#view.columns[right]?.mention];
    return a !== undefined && a.first === b?.first && a.last === b.last;
  }

  /** Checks whether two slots are mentioned in one order in the example and in the other order here. */
  #isTurned(left: KnownSlot, right: KnownSlot, leftColumn: number, rightColumn: number): boolean {
    if (left.first < 0 || right.first < 0 || left.first === right.first) return false;
    const [a, b] = [this.#view.columns[leftColumn]?.mention, this.#view.columns[rightColumn]?.mention];
    if (a === undefined || b === undefined || a.first === b.first) return false;
    return left.first < right.first !== a.first < b.first;
  }
}

/** A sketch with everything for its slots, with what it is judged by. */
export interface FilledSketch {
  readonly sketch: Sketch;
  readonly filling: Filling;
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

/** Fills the sketches of examples for one question. */
export class QueryFiller {
  readonly #view: QuestionView;
  readonly #odds: StructureOdds;
  readonly #graph: JoinGraph;
  readonly #columns: ColumnFiller;

  constructor(view: QuestionView, odds: StructureOdds) {
    this.#view = view;
    this.#odds = odds;
    this.#graph = joinGraph(view.linked.schema.database);
    this.#columns = new ColumnFiller(view, this.#graph);
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
    const most = Math.max(...tables.plans.map(({ uses }) => uses.length));
    const query = [values.features, this.#coverage(choice.columns, tables.plans), this.#odds.ofTables(most)];
    const others = [...base, ...tables.features, ...query];
    const score = others.reduce((sum, part) => sum + scoreOf(part), choice.score);
    const columns = choice.columns.map((column) => itemAt(schema.columns, column).ref);
    const filling = { columns, values: values.values, plans: tables.plans };
    return { sketch: example.sketch, filling, score };
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
      const more = plan.uses.length - tables;
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
    const tables = new Set(plans.flatMap(({ uses }) => uses.map(({ table }) => table)));
    const taken = [
      ...columns.flatMap((column) => linked.columns[column] ?? []),
      ...[...tables].flatMap((table) => linked.tables[table] ?? []),
    ];
    const isTaken = (mention: Mention): boolean => taken.some((other) => overlaps(mention, other));
    const open = new Map<string, Mention>();
    for (const mention of linked.columns.flat()) {
      const isValue = linked.values.some((value) => overlaps(value, mention));
      if (!isValue && !isTaken(mention)) open.set(`${mention.first}.${mention.last}`, this.#fuller(open, mention));
    }
    const shares = [...open.values()].map(({ share }) => share);
    const missed = linked.tables.filter(
      ([mention], table) =>
        !tables.has(table) && tableShares[table] === 1 && mention !== undefined && !isTaken(mention),
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
function fillValues(example: KnownExample, columns: readonly number[], view: QuestionView) {
  const free = new Set(view.linked.values.keys());
  let missing = 0;
  const values = example.sketch.values.map((slot, i) => {
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

function chosen(slot: ValueSlot, column: number | null, value: QuestionValue | undefined, view: QuestionView) {
  const text = value?.text ?? slot.text;
  const type = column === null ? null : (view.linked.schema.columns[column]?.type ?? null);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
  const isPattern = slot.before !== '' || slot.after !== '';
  const wantsText = slot.kind === 'text' && (value?.kind !== 'number' || type !== 'number');
  return { text, isText: isPattern || !isNumber || wantsText };
}
