import type { MinedConstraints } from '../../rows/constraints/mine-constraints.js';
import type { RowConstraint } from '../../rows/constraints/row-constraint.js';
import { DatabaseMaker } from './database-maker.js';
import type { DatabaseOrigin } from '../suite/suite-manifest.js';
import type { DistillTask } from './distillation.js';
import type { GoldCase, PlacedNeighbor } from './gold-cases.js';
import type { TrialDatabase } from './trial-database.js';

/** Databases that are tried for each relaxation, and for each neighbor that they leave. */
const RANDOM_DATABASES = 10;
const TARGETED_DATABASES = 4;

/** The demands on databases that are given up, and the meaning for a neighbor that is distinguished then. */
interface Relaxation {
  readonly reason: string;
  /** Kinds of constraints that are given up. */
  readonly kinds: readonly RowConstraint['kind'][];
  /** True if databases count on which the gold finds nothing. */
  readonly countsEmpty: boolean;
}

const RELAXATIONS: readonly Relaxation[] = [
  { reason: 'only where the gold finds nothing', kinds: [], countsEmpty: true },
  { reason: 'only by a NULL where the data has none', kinds: ['not-null'], countsEmpty: false },
  { reason: 'only by a row whose parent is missing', kinds: ['reference'], countsEmpty: false },
  { reason: 'only by rows that are alike', kinds: ['unique'], countsEmpty: false },
  { reason: 'only by values that the column does not hold', kinds: ['values', 'letter-case'], countsEmpty: false },
  { reason: 'only by an empty table', kinds: ['filled'], countsEmpty: false },
  {
    reason: 'only by several breaches of the data’s constraints at once',
    kinds: ['not-null', 'reference', 'unique', 'values', 'letter-case', 'filled'],
    countsEmpty: true,
  },
];

function without({ list, rules, ...others }: MinedConstraints, { kinds }: Relaxation): MinedConstraints {
  return {
    ...others,
    list: list.filter(({ kind }) => !kinds.includes(kind)),
    rules: kinds.includes('values') ? new Map() : rules,
  };
}

/** The neighbors of a gold that a database distinguishes, of those asked for. */
function toldOn(
  trial: TrialDatabase,
  gold: GoldCase,
  asked: readonly PlacedNeighbor[],
  countsEmpty: boolean,
): readonly PlacedNeighbor[] {
  const result = asked.length === 0 ? null : trial.resultOf(gold);
  if (result === null || (result.isEmpty && !countsEmpty)) return [];
  const told = asked.filter(({ sql }) => trial.judge(gold, result, sql) === 'told');
  return told.length > 0 && trial.isDeterminate(gold, result, 'quick') ? told : [];
}

/** One relaxation: which of the neighbors that are left it lets databases distinguish. */
class RelaxedDatabases {
  readonly #maker: DatabaseMaker;
  readonly #cases: readonly GoldCase[];
  readonly #countsEmpty: boolean;
  readonly #onTold: (neighbor: PlacedNeighbor) => void;

  constructor(
    maker: DatabaseMaker,
    cases: readonly GoldCase[],
    countsEmpty: boolean,
    onTold: (neighbor: PlacedNeighbor) => void,
  ) {
    this.#maker = maker;
    this.#cases = cases;
    this.#countsEmpty = countsEmpty;
    this.#onTold = onTold;
  }

  /** Yields after each database. */
  *search(isOpen: (neighbor: PlacedNeighbor) => boolean): Generator<void, void> {
    for (let number = 1; number <= RANDOM_DATABASES; number++) {
      if (!this.#cases.some(({ open }) => open.some(isOpen))) return;
      const origin = this.#maker.randomOrigin(number);
      for (const gold of this.#cases) this.#try(origin, gold, gold.open.filter(isOpen));
      yield;
    }
    for (const gold of this.#cases) {
      for (const neighbor of gold.open) {
        for (let attempt = 0; attempt < TARGETED_DATABASES && isOpen(neighbor); attempt++) {
          this.#try(this.#maker.targetedOrigin(gold, neighbor, attempt), gold, [neighbor]);
          yield;
        }
      }
    }
  }

  #try(origin: DatabaseOrigin, gold: GoldCase, asked: readonly PlacedNeighbor[]): void {
    const trial = asked.length === 0 ? null : this.#maker.trialOf(origin);
    if (trial === null) return;
    for (const one of toldOn(trial, gold, asked, this.#countsEmpty)) this.#onTold(one);
  }
}

/**
 * Why neighbors that are left are equivalent under the data: each constraint is given up in turn, and a neighbor that
 * only a database without it distinguishes differs from its gold on no data that could be real, as far as the search
 * for such data goes. It yields after each database.
 */
export function* relaxedReasons(
  task: DistillTask,
  constraints: MinedConstraints,
  goldQueries: readonly { readonly gold: GoldCase; readonly left: readonly PlacedNeighbor[] }[],
): Generator<void, ReadonlyMap<PlacedNeighbor, string>> {
  const reasons = new Map<PlacedNeighbor, string>();
  if (constraints.level === 'any') return reasons;
  const some = goldQueries.filter(({ left }) => left.length > 0);
  const cases = some.map(({ gold, left }) => ({ ...gold, neighbors: left, open: left }));
  const isOpen = (neighbor: PlacedNeighbor): boolean => !reasons.has(neighbor);
  for (const relaxation of RELAXATIONS) {
    if (!cases.some(({ open }) => open.some(isOpen))) break;
    const { database, file, seed } = task;
    const relaxed = { database, file, seed, constraints: without(constraints, relaxation) };
    const maker = new DatabaseMaker(relaxed, cases);
    const told = (neighbor: PlacedNeighbor): void => {
      reasons.set(neighbor, relaxation.reason);
    };
    try {
      yield* new RelaxedDatabases(maker, cases, relaxation.countsEmpty, told).search(isOpen);
    } finally {
      maker.close();
    }
  }
  return reasons;
}
