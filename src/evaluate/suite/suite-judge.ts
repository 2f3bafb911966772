import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../../errors.js';
import { formatCount } from '../../counts.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { ComparisonMode } from '../../sql/execution/result-comparison.js';
import { orderCheckOf } from '../../testsuite/distill/row-order.js';
import { TrialDatabase } from '../../testsuite/distill/trial-database.js';
import { LRUCache } from 'lru-cache';
import type { ColumnMatch } from '../../sql/execution/column-matching.js';
import type { FailedOutcome } from '../../sql/execution/query-protocol.js';
import type { QueryRows } from '../../sql/execution/query-outcome.js';
import { sameResult } from '../../sql/execution/result-mode.js';
import { type PartialPlan, planPartialOf } from '../../testsuite/distill/partial-plan.js';
import { readPartial } from '../../testsuite/distill/read-partial.js';
import type { PartialDenotation } from '../../testsuite/denotation/partial-denotation.js';
import {
  badGoldReason,
  ExecutableQueries,
  type ExecutedQueries,
  failedTrial,
  type FailedTrial,
  UNDECIDED,
} from '../execution/execution-tasks.js';
import { isEmptyResult } from '../../testsuite/denotation/denotation-runner.js';
import { type Difference, findCounterexample } from './counterexample.js';
import { type OpenedSchema, partialPlaces, type RunOutcome, SUITE_LIMITS } from './opened-schema.js';
import type { PairVerdict, SuitePair, SuiteSettings } from './suite-task.js';
import { getOrMake, itemAt } from '../../present.js';

/**
 * Checks whether a query's result on a database depends on the order of rows, as far as some orders and their reverses
 * show; false where the query is no SQL that can be bound.
 */
function dependsOnRowOrder(sqlite: Sqlite.Database, sql: string, database: Database, mode: ComparisonMode): boolean {
  const trial = new TrialDatabase(sqlite);
  try {
    const check = orderCheckOf(bindQuery(sql, database), mode, (text) => {
      return trial.resultOf({ sql: text, mode }) !== null;
    });
    const result = trial.resultOf(check);
    return result !== null && !trial.isDeterminate(check, result, 'quick');
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  } finally {
    trial.forget();
  }
}

type Failure = Exclude<RunOutcome, QueryRows>;

/** How a query's result on one database compares with the gold's. */
type Match = { readonly kind: 'rows'; readonly match: ColumnMatch; readonly reason?: string } | Failure;

/** How far a query came on the gold's databases, in their order. */
interface Trial {
  readonly alternative: number;
  /** Databases on which it gives the gold's result. */
  readonly passed: number;
  /** Databases that were left out, as the gold has no result there. */
  readonly withoutGold: number;
  /** Where it does not, and what it came to there; null where it passed all. */
  readonly end: { readonly place: number; readonly match: Match } | null;
}

const TOO_LONG = `looks at more than ${formatCount(SUITE_LIMITS.maxSteps)} rows`;

function failureOf(outcome: Failure, sql: string): FailedTrial {
  if (outcome.kind === 'too-long') return { outcome: 'timed-out', reason: TOO_LONG };
  return failedTrial(outcome satisfies FailedOutcome, sql);
}

/** Of values plugged in, those of the gold in turn. */
const IN_TURN = 1;

/**
 * Of two queries that did not pass, the one that came further says more, then the one that has a result, then the one
 * with the gold's values in turn: others differ by their values at the least.
 */
function saysMore(trial: Trial, kept: Trial): boolean {
  if (trial.passed !== kept.passed) return trial.passed > kept.passed;
  if (trial.end?.match.kind !== 'rows') return false;
  return kept.end?.match.kind !== 'rows' || trial.alternative === IN_TURN;
}

/** A gold query with its results on the databases that it is judged on. */
class GoldResults {
  readonly sql: string;
  readonly places: readonly number[];
  readonly isDistilled: boolean;
  readonly #schema: OpenedSchema;
  readonly #results = new Map<number, RunOutcome>();
  readonly #settled = new Map<number, boolean>();
  #hasFound: boolean | null = null;
  readonly #partialPlaces: ReadonlySet<number>;
  readonly #parts = new Map<number, PartialDenotation | null>();
  readonly #database: Database;
  #plan: PartialPlan | null | undefined;

  constructor(sql: string, asDistilled: string, schema: OpenedSchema, database: Database) {
    const known = schema.goldOf(asDistilled);
    this.sql = sql;
    this.isDistilled = known !== null;
    this.places = schema.placesFor(known);
    this.#schema = schema;
    this.#database = database;
    this.#partialPlaces = new Set(known === null ? [] : partialPlaces(known));
  }

  /** How to ask what of its result does not depend on the order of rows. */
  get plan(): PartialPlan | null {
    this.#plan ??= planPartialOf(this.sql, this.#database);
    return this.#plan;
  }

  isPartialAt(place: number): boolean {
    return this.#partialPlaces.has(place);
  }

  /** Returns the part of its result that counts if not all does; null if it can't be had within the limits. */
  partAt(place: number): PartialDenotation | null {
    return getOrMake(this.#parts, place, () =>
      this.plan === null ? null : readPartial(this.plan, (sql) => this.#schema.runner(place).run(sql)),
    );
  }

  at(place: number): RunOutcome {
    return getOrMake(this.#results, place, () => this.#schema.runner(place).run(this.sql));
  }

  /**
   * Checks whether its result on a database counts: an empty one does only where all are. Distilled gold queries leave
   * these out.
   */
  counts(result: QueryRows): boolean {
    return this.isDistilled || !isEmptyResult(result) || !this.#finds();
  }

  /**
   * Checks whether its result on a database does not depend on the order of rows. Distilled gold queries leave other
   * databases out.
   */
  isSettledAt(place: number, isOrdered: boolean): boolean {
    if (this.isDistilled) return true;
    return getOrMake(this.#settled, place, () => {
      const mode = isOrdered ? 'ordered' : 'bag';
      return !dependsOnRowOrder(this.#schema.sqlite(place), this.sql, this.#database, mode);
    });
  }

  #finds(): boolean {
    this.#hasFound ??= this.places.some((place) => {
      const outcome = this.at(place);
      return outcome.kind === 'rows' && !isEmptyResult(outcome);
    });
    return this.#hasFound;
  }

  /** True if it has a result on any database; the first mostly tells. */
  get hasResult(): boolean {
    return this.places.some((place) => this.at(place).kind === 'rows');
  }
}

/** Judges the pairs of one schema on its suite, those of one gold query one after another. */
export class SuiteJudge {
  readonly #schema: OpenedSchema;
  readonly #database: Database;
  readonly #settings: SuiteSettings;
  readonly #queries: ExecutableQueries;
  /** Gold as the suite has it. */
  readonly #asDistilled = new ExecutableQueries({ mode: 'ordered', plugLimit: 1, dropDistinct: false });
  /** By their texts as given: without DISTINCT, two that the suite knows apart may be executed as one. */
  readonly #goldResults: LRUCache<string, GoldResults>;

  /** `keptGolds`: of how many gold queries the results are kept. */
  constructor(schema: OpenedSchema, database: Database, settings: SuiteSettings, keptGolds = 1) {
    this.#schema = schema;
    this.#database = database;
    this.#settings = settings;
    this.#queries = new ExecutableQueries(settings);
    this.#goldResults = new LRUCache({ max: keptGolds });
  }

  /** Of values plugged in, the first query that passes all databases or looks at too many rows decides. */
  judge({ gold: given, predicted, isExplained }: SuitePair): PairVerdict {
    const queries = this.#queries.queriesOf({ gold: given, predicted, database: this.#database });
    const gold = this.#goldOf(given, queries.reference);
    const { isDistilled } = gold;
    const { isCut, isOrdered } = queries;
    const untried = { databases: 0, withoutGold: 0, differsOn: null, alternative: 0, isCut, isDistilled };
    if (!gold.hasResult) {
      const withoutGold = gold.places.length;
      return { ...untried, withoutGold, outcome: 'bad-gold', reason: this.#goldFault(gold), counterexample: null };
    }
    const trial = this.#trialOf(queries, gold);
    if (trial === null) return { ...untried, outcome: 'empty', counterexample: null };
    const { alternative, passed, withoutGold, end } = trial;
    const sql = queries.candidates[alternative] ?? '';
    const plugged = alternative > 0 && { plugged: sql };
    const tried = { ...untried, databases: passed + Number(end !== null), withoutGold, alternative, ...plugged };
    if (end === null) return { ...tried, outcome: 'correct', counterexample: null };
    const { match, place } = end;
    const counterexample = isExplained ? this.#explain(gold, sql, isOrdered, match) : null;
    if (match.kind !== 'rows') return { ...tried, ...failureOf(match, sql), counterexample };
    const reason =
      match.match === 'undecided' ? { reason: UNDECIDED } : match.reason !== undefined && { reason: match.reason };
    return { ...tried, outcome: 'wrong', ...reason, differsOn: this.#schema.at(place).name, counterexample };
  }

  #goldOf(given: string, reference: string): GoldResults {
    return getOrMake(this.#goldResults, given, () => {
      const asked = { gold: given, predicted: '', database: this.#database };
      const asDistilled = this.#asDistilled.queriesOf(asked).reference;
      return new GoldResults(reference, asDistilled, this.#schema, this.#database);
    });
  }

  #goldFault(gold: GoldResults): string {
    const [first] = gold.places;
    const outcome = first === undefined ? null : gold.at(first);
    if (outcome === null || outcome.kind === 'rows') return 'the suite has no database for it';
    return badGoldReason(failureOf(outcome, gold.sql));
  }

  #trialOf({ candidates, isOrdered }: ExecutedQueries, gold: GoldResults): Trial | null {
    let kept: Trial | null = null;
    for (const [alternative, sql] of candidates.entries()) {
      const trial = { alternative, ...this.#try(sql, gold, isOrdered) };
      if (trial.end === null || trial.end.match.kind === 'too-long') return trial;
      if (kept === null || saysMore(trial, kept)) kept = trial;
    }
    return kept;
  }

  #try(sql: string, gold: GoldResults, isOrdered: boolean): Omit<Trial, 'alternative'> {
    let [passed, withoutGold] = [0, 0];
    let unsettled: Trial['end'] = null;
    for (const place of gold.places) {
      const reference = gold.at(place);
      if (reference.kind !== 'rows' || (gold.isPartialAt(place) && gold.partAt(place) === null)) {
        withoutGold += 1;
        continue;
      }
      if (!gold.counts(reference)) continue;
      const match = this.#match(sql, place, gold, reference, isOrdered);
      if (match.kind === 'rows' && match.match === 'equal') passed += 1;
      else if (gold.isSettledAt(place, isOrdered)) return { passed, withoutGold, end: { place, match } };
      else unsettled ??= { place, match };
    }
    // Where it differs on all that it was tried on, no order of rows is the reason.
    return { passed, withoutGold, end: passed === 0 ? unsettled : null };
  }

  #match(sql: string, place: number, gold: GoldResults, reference: QueryRows, isOrdered: boolean): Match {
    if (sql === gold.sql) return { kind: 'rows', match: 'equal' };
    const { mode } = this.#settings;
    // A result of more rows differs, however many there are.
    const maxRows = mode === 'set' || mode === 'bird' ? undefined : reference.rows.length;
    const outcome = this.#schema.runner(place).run(sql, maxRows);
    if (outcome.kind === 'too-large' && outcome.limit === 'rows' && maxRows !== undefined) {
      const reason = `it has more than ${maxRows} rows, as many as the gold query has in any order of rows`;
      return { kind: 'rows', match: 'different', ...(gold.isPartialAt(place) && { reason }) };
    }
    if (outcome.kind !== 'rows') return outcome;
    if (gold.isPartialAt(place)) return this.#matchPart(gold.partAt(place), outcome, isOrdered);
    return { kind: 'rows', match: sameResult(reference, outcome, this.#settings, isOrdered) };
  }

  #matchPart(part: PartialDenotation | null, outcome: QueryRows, isOrdered: boolean): Match {
    const reason = part?.misfit(outcome, this.#settings, isOrdered) ?? null;
    return reason === null ? { kind: 'rows', match: 'equal' } : { kind: 'rows', match: 'different', reason };
  }

  /** Why a query ended so: on the smallest database that shows it; on the original only where no other does. */
  #explain(gold: GoldResults, predicted: string, isOrdered: boolean, end: Match): PairVerdict['counterexample'] {
    // No few rows show what looks at too many; text that can't be prepared fails whatever the rows are.
    if (end.kind !== 'rows' && (end.kind !== 'failed' || this.#alwaysFails(predicted, gold))) return null;
    const matchOf = (one: QueryRows, other: QueryRows): ColumnMatch =>
      sameResult(one, other, this.#settings, isOrdered);
    const whole = {
      gold: gold.sql,
      predicted,
      constraints: this.#schema.constraints,
      differs: (one: QueryRows, other: RunOutcome): boolean =>
        other.kind === 'rows' ? end.kind === 'rows' && matchOf(one, other) === 'different' : other.kind === end.kind,
      isSame: (one: QueryRows, other: QueryRows): boolean => matchOf(one, other) !== 'different',
    };
    const inPart = { ...whole, ...this.#partialDifference(gold, isOrdered, end), isGoldPartial: true as const };
    for (const place of this.#bySize(gold)) {
      const reference = gold.at(place);
      if (reference.kind !== 'rows' || !gold.counts(reference)) continue;
      if (!gold.isSettledAt(place, isOrdered)) continue;
      const match = this.#match(predicted, place, gold, reference, isOrdered);
      if (match.kind === 'rows' ? match.match !== 'different' : match.kind !== end.kind) continue;
      const { name } = this.#schema.at(place);
      const difference = gold.isPartialAt(place) ? inPart : whole;
      const example = findCounterexample(this.#schema.sqlite(place), { name, ...difference });
      if (example !== null) return example;
    }
    return null;
  }

  /** How two queries differ where only a part of the gold's result counts, on whatever rows. */
  #partialDifference({ plan }: GoldResults, isOrdered: boolean, end: Match): Pick<Difference, 'differs' | 'isSame'> {
    return {
      differs: (_, other, runner) => {
        if (other.kind !== 'rows') return other.kind === end.kind;
        const part = plan === null ? null : readPartial(plan, (sql) => runner.run(sql));
        return end.kind === 'rows' && part !== null && !part.fits(other, this.#settings, isOrdered);
      },
      isSame: () => true,
    };
  }

  #bySize({ places }: GoldResults): readonly number[] {
    const sizeOf = (place: number): number => {
      const { origin, rows } = this.#schema.at(place);
      return origin.kind === 'original' ? Infinity : rows;
    };
    return [...places].sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
  }

  #alwaysFails(sql: string, { places }: GoldResults): boolean {
    try {
      this.#schema.sqlite(itemAt(places, 0)).prepare(sql);
      return false;
    } catch {
      return true;
    }
  }
}
