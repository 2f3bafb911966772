import { scoreOf, type FillFeatures, type FillWeights } from './fill-features.js';
import type { JoinGraph } from './join-graph.js';
import type { KnownExample, KnownSlot } from './known-example.js';
import type { ColumnView, QuestionView } from './question-view.js';
import { COLUMN_ROLES, type ColumnRole } from './sketch.js';
import { nameOverlap, type SchemaColumn } from './schema-words.js';
import { itemAt, zip } from '../../present.js';
import type { ColumnRef } from '../../schema/schema.js';

/** Columns for the slots of a sketch, as positions in `SchemaWords.columns`. */
export interface ColumnChoice {
  readonly columns: readonly number[];
  /** To be added up. */
  readonly features: readonly FillFeatures[];
  readonly score: number;
}

interface Candidate {
  readonly column: number;
  readonly features: FillFeatures;
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
export class ColumnFiller {
  readonly #view: QuestionView;
  readonly #graph: JoinGraph;
  readonly #weights: FillWeights;
  readonly #fits = new Map<string, readonly Candidate[]>();

  constructor(view: QuestionView, graph: JoinGraph, weights: FillWeights) {
    this.#view = view;
    this.#graph = graph;
    this.#weights = weights;
  }

  /** The best choices, best first; none where the schema has fewer columns than the sketch. */
  fill(example: KnownExample): readonly ColumnChoice[] {
    const candidates = example.slots.map((slot, at) => this.#candidates(example, slot, at));
    let states: ColumnChoice[] = [{ columns: [], features: [], score: 0 }];
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
      ([schemaColumn, view], column): Candidate => {
        const features = slotFeatures(slot, isCompared, schemaColumn, view);
        return { column, features, score: scoreOf(features, this.#weights) };
      },
    );
    return all.sort((a, b) => b.score - a.score || a.column - b.column).slice(0, CANDIDATES);
  }

  #extend(state: ColumnChoice, candidates: readonly Candidate[], example: KnownExample, at: number): ColumnChoice[] {
    return candidates.flatMap(({ column, features, score }) => {
      if (state.columns.includes(column)) return [];
      const pairs = this.#pairFeatures(state.columns, column, example, at);
      const sum = state.score + score + scoreOf(pairs, this.#weights);
      return [{ columns: [...state.columns, column], features: [...state.features, features, pairs], score: sum }];
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
