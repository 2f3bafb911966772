import { zip } from '../../present.js';
import { mineConstraints, type MinedConstraints } from '../../rows/constraints/mine-constraints.js';
import { assembleSchema, leftNeighbors } from './assemble-schema.js';
import { chooseAllRound, chooseDatabases, type CoverNeed, type GoldResults } from './choose-databases.js';
import {
  countPartial,
  type GoldJudgment,
  judgeAll,
  type JudgedDatabase,
  judgmentsByGold,
  saysAsMuch,
} from './judged-database.js';
import { DatabaseMaker } from './database-maker.js';
import type { TargetedNeighbor, DistilledSchema, DistillState, DistillTask } from './distillation.js';
import type { CurvePoint, DatabaseOrigin } from '../suite/suite-manifest.js';
import { readGoldCases, type GoldCase, type GoldCases, type PlacedNeighbor } from './gold-cases.js';
import { NeighborTally, withPoint } from './neighbor-tally.js';
import { reduceDatabase } from './reduce-database.js';
import { relaxedReasons } from './relaxed-search.js';
import type { TrialDatabase } from './trial-database.js';

/** Random databases between two states. */
const STEP = 5;
/** Sets of rows that are looked at for each database that is kept. */
const MOST_REDUCTIONS = 20;
/**
 * Random databases that those kept whole are chosen from. Those that few neighbors need are reduced to what neighbors
 * need: of 187 wrong queries 5 then pass though up to 19 % of random databases tell them.
 */
const ALL_ROUND_CANDIDATES = 60;
/** Rows by table of a database that is kept whole, at most: some 10 kB packed. */
const MOST_WHOLE_ROWS = 250;

/** Where each step of what follows the random databases ends, as a share of their time together. */
const ENDS = { targeted: 0.1, allRound: 0.28, whole: 0.3, judged: 0.5, reduced: 0.9, relaxed: 1 } as const;
type Ending = keyof typeof ENDS;

const seedOf = (origin: DatabaseOrigin): string =>
  origin.kind === 'original' ? origin.kind : `${origin.kind} ${origin.seed}`;

/** The distillation of one schema under way. */
class Distillation {
  readonly #task: DistillTask;
  readonly #goldQueries: GoldCases;
  readonly #constraints: MinedConstraints;
  readonly #maker: DatabaseMaker;
  readonly #tally: NeighborTally;
  #tried: number;
  #kept: readonly DatabaseOrigin[];
  #curve: readonly CurvePoint[];
  #targeted: readonly TargetedNeighbor[];
  #finished = 0;

  constructor(task: DistillTask, resume: DistillState | null) {
    this.#task = task;
    const { database, file, golds, data: level } = task;
    this.#constraints = mineConstraints({ database, file, golds, level });
    this.#goldQueries = readGoldCases(task, this.#constraints);
    this.#maker = new DatabaseMaker({ ...task, constraints: this.#constraints }, this.#cases);
    this.#tally = new NeighborTally(this.#cases, task.budget.redundancy);
    for (const origin of resume?.kept ?? []) this.#onDatabase(origin, (trial) => this.#tally.take(trial, origin));
    this.#tally.recall(resume?.doubtful ?? []);
    this.#tried = resume?.tried ?? -1;
    this.#kept = resume?.kept ?? [];
    this.#curve = resume?.curve ?? [];
    this.#targeted = resume?.targeted ?? [];
  }

  readonly #isFound = (gold: GoldCase): boolean => this.#tally.isFound(gold);

  get #cases(): readonly GoldCase[] {
    return this.#goldQueries.cases;
  }

  *search(): Generator<DistillState, void> {
    if (this.#tried < 0) {
      this.#try({ kind: 'original' });
      yield this.#state();
    }
    yield* this.#searchRandom();
    yield* this.#searchTargeted();
  }

  *#searchRandom(): Generator<DistillState, void> {
    const { randomDatabases } = this.#task.budget;
    while (this.#tried < randomDatabases && this.#tally.isOpen) {
      this.#try(this.#maker.randomOrigin(this.#tried + 1));
      if (this.#tried % STEP === 0 || this.#tried === randomDatabases) yield this.#state();
    }
  }

  *#searchTargeted(): Generator<DistillState, void> {
    const last = this.#targeted.at(-1);
    for (const gold of this.#cases) {
      for (const neighbor of gold.open) {
        const isDone =
          last !== undefined &&
          (gold.position < last.gold || (gold.position === last.gold && neighbor.place <= last.neighbor));
        if (isDone || !this.#tally.isLeft(gold, neighbor)) continue;
        const built = this.#target(gold, neighbor);
        this.#targeted = [...this.#targeted, { gold: gold.position, neighbor: neighbor.place, built }];
        this.#reach('targeted', gold.position / this.#task.golds.length);
        yield this.#state();
      }
    }
    this.#reach('targeted', 1);
  }

  /** Tries databases made for a neighbor until one distinguishes it; how many could be made. */
  #target(gold: GoldCase, neighbor: PlacedNeighbor): number {
    for (let attempt = 0; attempt < this.#task.budget.targetedDatabases; attempt++) {
      if (!this.#try(this.#maker.targetedOrigin(gold, neighbor, attempt))) return attempt;
      if (!this.#tally.isLeft(gold, neighbor)) return attempt + 1;
    }
    return this.#task.budget.targetedDatabases;
  }

  /** Tries a database and keeps it if it is of use; false where it can't be made. */
  #try(origin: DatabaseOrigin): boolean {
    const isUseful = this.#onDatabase(origin, (trial) => this.#tally.take(trial, origin));
    if (origin.kind === 'aimed' && isUseful === null) return false;
    this.#tried++;
    if (isUseful === true || (origin.kind === 'original' && isUseful !== null)) this.#kept = [...this.#kept, origin];
    this.#curve = withPoint(this.#curve, { tried: this.#tried, left: this.#tally.left });
    return true;
  }

  /** Runs something on the database of an origin; null where there is none. */
  #onDatabase<T>(origin: DatabaseOrigin, run: (trial: TrialDatabase) => T): T | null {
    if (origin.kind !== 'original') {
      const trial = this.#maker.trialOf(origin);
      return trial === null ? null : run(trial);
    }
    const original = this.#maker.original();
    if (original === null) return null;
    try {
      return run(original);
    } finally {
      original.close();
    }
  }

  /** Notes which share of a step is done; the steps before it are. */
  #reach(step: Ending, share: number): void {
    const ends = Object.values(ENDS);
    const before = ends[ends.indexOf(ENDS[step]) - 1] ?? 0;
    this.#finished = before + (ENDS[step] - before) * Math.min(1, share);
  }

  #state(): DistillState {
    const neighbors = this.#cases.reduce((sum, gold) => sum + gold.open.length, 0);
    return {
      tried: this.#tried,
      kept: this.#kept,
      curve: this.#curve,
      targeted: this.#targeted,
      doubtful: [...this.#tally.doubtful],
      neighbors,
      left: this.#tally.left,
      finished: this.#finished,
    };
  }

  *finish(): Generator<DistillState, DistilledSchema> {
    const allRound = yield* this.#judgeAll('whole', yield* this.#findAllRound());
    const seeds = new Set(allRound.map(({ origin }) => seedOf(origin)));
    const judged = yield* this.#judgeAll(
      'judged',
      this.#kept.filter((origin) => !seeds.has(seedOf(origin))),
    );
    const reduced: JudgedDatabase[] = [];
    const toReduce = this.#choose(judged);
    for (const database of toReduce) {
      reduced.push(this.#reduce(database));
      this.#reach('reduced', reduced.length / toReduce.length);
      yield this.#state();
    }
    // With other rows a database may distinguish more than before, so that another one is needed no longer.
    const chosen = [...this.#choose(reduced), ...allRound];
    const relaxed = yield* this.#relax(chosen);
    return assembleSchema(this.#goldQueries, chosen, {
      state: this.#state(),
      constraints: this.#constraints.list,
      relaxed,
    });
  }

  /** Why neighbors that the chosen databases leave are equivalent under the data, as far as they are. */
  *#relax(chosen: readonly JudgedDatabase[]): Generator<DistillState, ReadonlyMap<PlacedNeighbor, string>> {
    const left = zip(this.#cases, judgmentsByGold(countPartial(chosen))).map(([gold, judgments]) => ({
      gold,
      left: leftNeighbors(gold, judgments),
    }));
    const search = relaxedReasons(this.#task, this.#constraints, left);
    const all = left.reduce((sum, one) => sum + one.left.length, 0);
    for (let done = 1; ; done++) {
      const step = search.next();
      if (step.done === true) return step.value;
      this.#reach('relaxed', done / all);
      yield this.#state();
    }
  }

  *#judgeAll(step: Ending, origins: readonly DatabaseOrigin[]): Generator<DistillState, readonly JudgedDatabase[]> {
    const judged: JudgedDatabase[] = [];
    for (const origin of origins) {
      judged.push(this.#judge(origin));
      this.#reach(step, judged.length / origins.length);
      yield this.#state();
    }
    return judged;
  }

  /** Random databases that are to stay whole. They follow from the task alone. */
  *#findAllRound(): Generator<DistillState, readonly DatabaseOrigin[]> {
    const { allRound, randomDatabases } = this.#task.budget;
    const count = allRound === 0 ? 0 : Math.min(ALL_ROUND_CANDIDATES, randomDatabases);
    const origins = Array.from({ length: count }, (_, i) => this.#maker.randomOrigin(i + 1));
    const run: { readonly origin: DatabaseOrigin; readonly results: GoldResults }[] = [];
    for (const origin of origins) {
      const results = this.#onDatabase(origin, (trial) => this.#resultsOn(trial)) ?? this.#cases.map(() => null);
      run.push({ origin, results });
      this.#reach('allRound', run.length / count);
      yield this.#state();
    }
    return chooseAllRound(run, allRound).map(({ origin }) => origin);
  }

  #resultsOn(trial: TrialDatabase): GoldResults {
    if (trial.size > MOST_WHOLE_ROWS * this.#task.database.tables.length) return this.#cases.map(() => null);
    return this.#cases.map((gold) => {
      const result = trial.resultOf(gold);
      return result !== null && !result.isEmpty && trial.isDeterminate(gold, result, 'quick') ? result : null;
    });
  }

  #judge(origin: DatabaseOrigin): JudgedDatabase {
    const judged = this.#onDatabase(origin, (trial) => judgeAll(trial, this.#cases, this.#isFound));
    if (judged === null) throw new TypeError('a database that was kept can’t be made again');
    return { origin, rows: this.#maker.rowsOf(origin), ...judged };
  }

  /** Fewest databases that distinguish each neighbor often enough and give each gold rows that has any. */
  #choose(all: readonly JudgedDatabase[]): readonly JudgedDatabase[] {
    const judged = countPartial(all);
    const { redundancy } = this.#task.budget;
    const needs = zip(this.#cases, judgmentsByGold(judged)).flatMap(
      ([gold, judgments]): CoverNeed<JudgedDatabase>[] => {
        const having = (holds: (judgment: GoldJudgment) => boolean): readonly JudgedDatabase[] =>
          zip(judged, judgments).flatMap(([database, judgment]) => (holds(judgment) ? [database] : []));
        const filled = having(({ result }) => result?.isEmpty === false);
        const whole = having(({ result, isDeterminate }) => result?.isEmpty === false && isDeterminate);
        const partly = having(({ result, partial }) => result?.isEmpty === false && partial !== null);
        const usable = whole.length > 0 ? whole : partly;
        const told = gold.open.map((one) => having((judgment) => judgment.told.has(one)));
        return [
          { by: usable.length > 0 ? usable : filled, times: 1 },
          ...told.map((by) => ({ by, times: redundancy })),
        ];
      },
    );
    const always = judged.filter(({ origin }) => origin.kind === 'original');
    return chooseDatabases(judged, needs, always);
  }

  #reduce(database: JudgedDatabase): JudgedDatabase {
    if (database.rows === null) return database;
    const rows = reduceDatabase(this.#maker, this.#cases, database, MOST_REDUCTIONS);
    const trial = this.#maker.load(rows);
    if (trial === null) return database;
    const reduced = { ...database, rows, ...judgeAll(trial, this.#cases, this.#isFound, database.golds) };
    return saysAsMuch(reduced, database) ? reduced : database;
  }

  close(): void {
    this.#maker.close();
  }
}

/**
 * Distills the test suite of one schema (Test-suite accuracy §4.2 and Algorithm 1, and more): the original, random
 * databases, then ones made for each neighbor that is left; of those that distinguish a neighbor, few that distinguish
 * each `redundancy` times, without the rows that add nothing. Wrong queries of models are no neighbors: that is why
 * neighbors are distinguished several times, by different data, and why a database that loses rows keeps distinguishing
 * all that it distinguished. It yields what a later call needs to go on from there, to the same end. Nothing of it
 * depends on the clock. The caller should let the event loop turn between two states: only then bytes of copied
 * databases are freed.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function* distillSchema(
  task: DistillTask,
  resume: DistillState | null = null,
): Generator<DistillState, DistilledSchema> {
  const distillation = new Distillation(task, resume);
  try {
    yield* distillation.search();
    return yield* distillation.finish();
  } finally {
    distillation.close();
  }
}
