import type { Database } from '../../schema/schema.js';
import type { ColumnMatch } from '../../sql/execution/column-matching.js';
import type { FailedOutcome } from '../../sql/execution/query-batch.js';
import type { QueryOutcome, QueryRows } from '../../sql/execution/query-outcome.js';
import { sameResult } from '../../sql/execution/result-mode.js';
import { type ExecutedQueries, ExecutableQueries } from '../execution/execution-tasks.js';
import { badGoldReason, failedTrial, type FailedTrial, UNDECIDED } from '../execution/failed-trial.js';
import { findCounterexample } from './counterexample.js';
import { type OpenedSchema, SUITE_LIMITS } from './opened-schema.js';
import type { PairVerdict, SuitePair, SuiteSettings } from './suite-task.js';

type RunOutcome = QueryOutcome | { readonly kind: 'too-long' };
type Failure = Exclude<RunOutcome, QueryRows>;

/** How a query's result on one database compares with the gold's. */
type Match = { readonly kind: 'rows'; readonly match: ColumnMatch } | Failure;

/** How far a query came on the gold's databases, in their order. */
interface Trial {
  readonly alternative: number;
  /** Databases on which it gives the gold's result. */
  readonly passed: number;
  /** Where it does not, and what it came to there; null where it passed all. */
  readonly end: { readonly place: number; readonly match: Match } | null;
}

const TOO_LONG = `looks at more than ${SUITE_LIMITS.maxSteps.toLocaleString('en-US')} rows`;

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

const isFinal = ({ end }: Trial): boolean => end === null || end.match.kind === 'too-long';

/** A gold query with its results on the databases that it is judged on. */
class GoldResults {
  readonly sql: string;
  readonly places: readonly number[];
  readonly isDistilled: boolean;
  readonly #schema: OpenedSchema;
  readonly #results = new Map<number, RunOutcome>();

  constructor(sql: string, asDistilled: string, schema: OpenedSchema) {
    const known = schema.goldOf(asDistilled);
    this.sql = sql;
    this.isDistilled = known !== null;
    this.places = schema.placesFor(known);
    this.#schema = schema;
  }

  at(place: number): RunOutcome {
    const known = this.#results.get(place);
    if (known !== undefined) return known;
    const outcome = this.#schema.runner(place).run(this.sql);
    this.#results.set(place, outcome);
    return outcome;
  }

  /** Databases on which it has no result. */
  get missing(): number {
    return this.places.filter((place) => this.at(place).kind !== 'rows').length;
  }
}

/** Judges the pairs of one schema on its suite, those of one gold query one after another. */
export class SuiteJudge {
  readonly #schema: OpenedSchema;
  readonly #database: Database;
  readonly #settings: SuiteSettings;
  readonly #queries: ExecutableQueries;
  /** Gold as the suite has it. */
  readonly #asDistilled = new ExecutableQueries({ plugLimit: 1, dropDistinct: false });
  #gold: GoldResults | null = null;

  constructor(schema: OpenedSchema, database: Database, settings: SuiteSettings) {
    this.#schema = schema;
    this.#database = database;
    this.#settings = settings;
    this.#queries = new ExecutableQueries(settings);
  }

  /** Of values plugged in, the first query that passes all databases or looks at too many rows decides. */
  judge({ gold: given, predicted, isExplained }: SuitePair): PairVerdict {
    const queries = this.#queries.queriesOf({ gold: given, predicted, database: this.#database });
    const gold = this.#goldOf(given, queries.reference);
    const { isDistilled, missing } = gold;
    const { isCut } = queries;
    const common = { databases: 0, withoutGold: missing, differsOn: null, alternative: 0, isCut, isDistilled };
    if (missing === gold.places.length) {
      return { ...common, outcome: 'bad-gold', reason: this.#goldFault(gold), counterexample: null };
    }
    const trial = this.#trialOf(queries, gold);
    if (trial === null) return { ...common, outcome: 'empty', counterexample: null };
    const { alternative, passed, end } = trial;
    const tried = { ...common, databases: passed + Number(end !== null), alternative };
    if (end === null) return { ...tried, outcome: 'correct', counterexample: null };
    const sql = queries.candidates[alternative] ?? '';
    const { match, place } = end;
    if (match.kind !== 'rows') return { ...tried, ...failureOf(match, sql), counterexample: null };
    return {
      ...tried,
      outcome: 'wrong',
      ...(match.match === 'undecided' && { reason: UNDECIDED }),
      differsOn: this.#schema.at(place).name,
      counterexample: isExplained ? this.#explain(gold, sql, queries.isOrdered) : null,
    };
  }

  #goldOf(given: string, reference: string): GoldResults {
    if (this.#gold?.sql === reference) return this.#gold;
    const { reference: asDistilled } = this.#asDistilled.queriesOf({
      gold: given,
      predicted: '',
      database: this.#database,
    });
    this.#gold = new GoldResults(reference, asDistilled, this.#schema);
    return this.#gold;
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
      if (isFinal(trial)) return trial;
      if (kept === null || saysMore(trial, kept)) kept = trial;
    }
    return kept;
  }

  #try(sql: string, gold: GoldResults, isOrdered: boolean): Omit<Trial, 'alternative'> {
    let passed = 0;
    for (const place of gold.places) {
      const reference = gold.at(place);
      if (reference.kind !== 'rows') continue;
      const match = this.#match(sql, place, gold.sql, reference, isOrdered);
      if (match.kind !== 'rows' || match.match !== 'equal') return { passed, end: { place, match } };
      passed += 1;
    }
    return { passed, end: null };
  }

  #match(sql: string, place: number, gold: string, reference: QueryRows, isOrdered: boolean): Match {
    if (sql === gold) return { kind: 'rows', match: 'equal' };
    const { mode } = this.#settings;
    // A result of more rows differs, however many there are.
    const maxRows = mode === 'set' ? undefined : reference.rows.length;
    const outcome = this.#schema.runner(place).run(sql, maxRows);
    if (outcome.kind === 'too-large' && outcome.limit === 'rows' && maxRows !== undefined) {
      return { kind: 'rows', match: 'different' };
    }
    if (outcome.kind !== 'rows') return outcome;
    return { kind: 'rows', match: sameResult(reference, outcome, this.#settings, isOrdered) };
  }

  /** On the smallest database that shows the difference; on the original only where no other does. */
  #explain(gold: GoldResults, predicted: string, isOrdered: boolean): PairVerdict['counterexample'] {
    const sizeOf = (place: number): number => {
      const { origin, rows } = this.#schema.at(place);
      return origin.kind === 'original' ? Infinity : rows;
    };
    const bySize = [...gold.places].sort((a, b) => sizeOf(a) - sizeOf(b) || a - b);
    const differs = (one: QueryRows, other: QueryRows): boolean =>
      sameResult(one, other, this.#settings, isOrdered) === 'different';
    for (const place of bySize) {
      const reference = gold.at(place);
      if (reference.kind !== 'rows') continue;
      const match = this.#match(predicted, place, gold.sql, reference, isOrdered);
      if (match.kind !== 'rows' || match.match !== 'different') continue;
      const { name } = this.#schema.at(place);
      return findCounterexample(this.#schema.sqlite(place), { name, gold: gold.sql, predicted, differs });
    }
    return null;
  }
}
