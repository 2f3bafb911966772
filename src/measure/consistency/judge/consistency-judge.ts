import { availableParallelism } from 'node:os';
import { ExactMatch } from '../../../evaluate/exact/exact-match.js';
import type { ValueRule } from '../../../evaluate/exact/form-rules.js';
import { readQuery } from '../../../evaluate/exact/query-reading.js';
import { isOnOwnSchema } from '../../../variants/mutate/mutant-set.js';
import { itemAt, mustGet } from '../../../present.js';
import type { RunHost } from '../../../run/run-host.js';
import { forEachConcurrent } from '../../../run/for-each-concurrent.js';
import { AnswerScorer } from '../../../victims/answer-scorer.js';
import { executionRules } from '../../../evaluate/compat.js';
import type { ScoringOptions } from '../../../victims/scoring-options.js';
import { differencesOf, judgeSubjects, type PairedCase } from '../../mutants/judge-subjects.js';
import { areOpen, type JudgedAnswer } from '../../judged-answer.js';
import type { Differences } from '../../mutants/report-failure.js';
import { isSettled, type VictimAnswer } from '../../../victims/victim.js';
import type { MutantSubject, SeedGroup, Subject } from '../../mutants/subject.js';
import type { SubjectStore } from '../../mutants/subject-store.js';
import { sameQuery, type Sameness, type Predicted } from './exact-consistency.js';
import type { AnswerMetric } from '../../../victims/answer-metrics.js';
import { isOrderMeantIn } from '../../../sql/execution/result-order.js';
import { joinComparisons } from '../../../sql/join-comparisons.js';
import type { Database } from '../../../schema/schema.js';
import { executableSql } from '../../../sql/execution/executable-sql.js';
import type { QueryOutcome } from '../../../sql/execution/query-outcome.js';
import type { QuerySource } from '../../../sql/execution/query-protocol.js';
import type { QueryRunner } from '../../../sql/execution/query-runner.js';
import { sameResult } from '../../../sql/execution/result-mode.js';
import type { MutantRecord } from '../../../formats/artifacts/mutants.js';
import { restoreValues } from '../../../variants/verify/restore-values.js';
import type { ExecutionMode } from '../../../evaluate/execution/execution-mode.js';

/** A prediction with the database that it was made for; a null source has no rows. */
interface Executed extends Predicted {
  readonly source: QuerySource | null;
  /** The mutant's change to values; they are restored before results are compared. */
  readonly mapping?: MutantRecord['mapping'];
}

function executable(sql: string, schema: Database): string {
  const joined = joinComparisons(sql);
  return joined.includes('"') ? executableSql(joined, schema) : joined;
}

const keyOf = ({ sql, source }: Executed): string => JSON.stringify([source, sql]);

/**
 * Compares what the prediction on a seed gives on the seed's database with what those on its mutants give on theirs.
 * Each distinct query of a seed is run once.
 */
class ResultComparison {
  readonly #runner: QueryRunner;
  readonly #mode: ExecutionMode;

  constructor(runner: QueryRunner, mode: ExecutionMode) {
    this.#runner = runner;
    this.#mode = mode;
  }

  /**
   * Checks whether each gives the result that the prediction on the seed gives, in its order where that has an ORDER
   * BY; null where there are no rows, or neither gives a result.
   */
  async compare(before: Executed, afters: readonly Executed[], signal: AbortSignal): Promise<readonly Sameness[]> {
    const reference = await this.#run(before, signal);
    const known = new Map([[keyOf(before), reference]]);
    const same: Sameness[] = [];
    for (const after of afters) {
      const key = keyOf(after);
      const outcome = known.get(key) ?? (await this.#run(after, signal));
      known.set(key, outcome);
      const restored = outcome?.kind === 'rows' ? restoreValues(outcome, after.mapping ?? null) : outcome;
      same.push(before.source === null || after.source === null ? null : this.#same(before, reference, restored));
    }
    return same;
  }

  async #run({ sql, source, schema }: Executed, signal: AbortSignal): Promise<QueryOutcome | null> {
    if (sql === null || source === null) return null;
    return this.#runner.run({ ...source, sql: executable(sql, schema) }, signal);
  }

  #same(before: Executed, reference: QueryOutcome | null, outcome: QueryOutcome | null): Sameness {
    if (reference?.kind !== 'rows') return outcome?.kind === 'rows' ? false : null;
    if (outcome?.kind !== 'rows') return false;
    if (reference === outcome) return true;
    const equality = { mode: this.#mode, tolerance: null };
    const match = sameResult(reference, outcome, equality, isOrderMeantIn(this.#mode, before.sql ?? ''));
    return match === 'undecided' ? null : match === 'equal';
  }
}

/** A mutant with what was answered to it and to its seed, and whether the two agree. */
export interface JudgedCase extends PairedCase {
  readonly group: SeedGroup;
  /** True if there are rows to execute the two predictions on. */
  readonly hasRows: boolean;
  readonly same: Readonly<Record<AnswerMetric, Sameness>>;
  /** By the metric that the expectation asks for. */
  readonly isSame: Sameness;
}

export interface JudgeOptions extends ScoringOptions {
  readonly store: SubjectStore;
  readonly values: ValueRule;
  /** True if queries are executed. */
  readonly executes: boolean;
}

type Answers = (id: string) => VictimAnswer;

/**
 * A query must be the same or, where the gold was rewritten or is unknown, give the same result; the other metric where
 * that one can't tell.
 */
function verdictOf({ expectation, query }: MutantSubject, exact: Sameness, execution: Sameness): Sameness {
  return expectation === 'same-query' && query !== null ? (exact ?? execution) : (execution ?? exact);
}

/**
 * Checks whether both predictions are executed on the mutant's database: without a gold that was rewritten, the query
 * that is right for the seed is right there, too.
 */
function isComparedOnItsOwn(mutant: MutantSubject): boolean {
  return mutant.query === null && mutant.expectation === 'same-query' && isOnOwnSchema(mutant);
}

/** Of a mutant that nothing answers: what must hold is that the victim says so. */
function unanswerableCase(paired: Omit<JudgedCase, 'hasRows' | 'same' | 'isSame'>): JudgedCase {
  const { answer, exact } = paired.after;
  const isSaid = isSettled(answer) ? exact?.outcome === 'correct' : null;
  return { ...paired, hasRows: true, same: { exact: isSaid, execution: isSaid }, isSame: isSaid };
}

/** Of a mutant that asks something else than its seed: what must hold is that its own answer is right. */
function otherCase(paired: Omit<JudgedCase, 'hasRows' | 'same' | 'isSame'>): JudgedCase {
  const [exact, execution] = [paired.after.exact, paired.after.execution].map((judged): Sameness => {
    return paired.isOpen || judged === null ? null : judged.outcome === 'correct';
  }) as [Sameness, Sameness];
  return { ...paired, hasRows: execution !== null, same: { exact, execution }, isSame: execution ?? exact };
}

/** Says of answers whether they are right, and of those to mutants whether they agree with those to their seeds. */
export class ConsistencyJudge {
  readonly #options: JudgeOptions;
  /** Scores answers against their gold. */
  readonly scorer: AnswerScorer;
  readonly #results: ResultComparison | null;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.scorer = new AnswerScorer({ ...options, exact: new ExactMatch({ values: options.values }) });
    this.#results = this.scorer.runner && new ResultComparison(this.scorer.runner, executionRules(options).mode);
  }

  /** Name and version of each metric's mode. */
  get fingerprints(): Readonly<Partial<Record<AnswerMetric, string>>> {
    return this.scorer.fingerprints;
  }

  /** One judgement per mutant, in the order of the groups and their mutants. */
  async judge(groups: readonly SeedGroup[], answers: Answers, host: RunHost): Promise<readonly JudgedCase[]> {
    const subjects = groups.flatMap(({ seed, mutants }) => [seed, ...mutants]);
    const judging = { scorer: this.scorer, store: this.#options.store, answerOf: answers };
    const judged = await judgeSubjects(subjects, judging, host);
    const results = await this.#compareResults(groups, answers, host);
    return groups.flatMap((group) =>
      group.mutants.map((mutant): JudgedCase => {
        const [before, after] = [
          mustGet(judged.get(group.seed.id), 'judged.get(group.seed.id)'),
          mustGet(judged.get(mutant.id), 'judged.get(mutant.id)'),
        ];
        const isOpen = areOpen([before, after]);
        const paired = { group, mutant, before, after, isOpen };
        if (mutant.expectation === 'unanswerable') return unanswerableCase(paired);
        if (mutant.expectation === 'other-query') return otherCase(paired);
        const exact = isOpen ? null : this.#sameQuery(group.seed, mutant, before, after);
        const execution = isOpen ? null : (results.get(mutant.id) ?? null);
        const isSame = verdictOf(mutant, exact, execution);
        const hasRows = this.#results !== null && this.#options.store.sourceOf(mutant) !== null;
        return { ...paired, hasRows, same: { exact, execution }, isSame };
      }),
    );
  }

  /**
   * Where the results of wrong answers to some cases differ from those of their gold queries, by the ids of seeds and
   * mutants.
   */
  differences(cases: readonly JudgedCase[], answers: Answers, signal: AbortSignal): Promise<Differences> {
    const subjects = cases.flatMap(({ group, mutant }) => [group.seed, mutant]);
    const judging = { scorer: this.scorer, store: this.#options.store, answerOf: answers };
    return differencesOf(subjects, judging, signal);
  }

  async dispose(): Promise<void> {
    await this.scorer.dispose();
  }

  /** By execution, each seed's prediction against those of its mutants. */
  async #compareResults(
    groups: readonly SeedGroup[],
    answers: Answers,
    host: RunHost,
  ): Promise<ReadonlyMap<string, Sameness>> {
    const same = new Map<string, Sameness>();
    const results = this.#results;
    if (results === null) return same;
    const { store, jobs = availableParallelism() } = this.#options;
    const executed = (subject: Subject): Executed => ({
      sql: answers(subject.id).sql,
      schema: store.schemaOf(subject),
      source: store.sourceOf(subject),
    });
    const onMutant = (mutant: MutantSubject): Executed => ({ ...executed(mutant), mapping: mutant.mapping ?? null });
    let done = 0;
    await forEachConcurrent(groups, jobs, host.signal, async ({ seed, mutants }, signal) => {
      const before = executed(seed);
      const common = mutants.filter((mutant) => {
        return !isComparedOnItsOwn(mutant) && !['unanswerable', 'other-query'].includes(mutant.expectation);
      });
      const compared = await results.compare(before, common.map(onMutant), signal);
      common.forEach(({ id }, i) => same.set(id, itemAt(compared, i)));
      for (const mutant of mutants.filter(isComparedOnItsOwn)) {
        const after = executed(mutant);
        const [verdict = null] = await results.compare({ ...after, sql: before.sql }, [after], signal);
        same.set(mutant.id, verdict);
      }
      host.progress('results compared', ++done, groups.length);
    });
    return same;
  }

  /**
   * By exact match. Where the gold was rewritten, the prediction on the seed is, too, as far as that is known: the
   * right one as the gold was, another as it is if it can be read on the mutant's schema; else nothing is told.
   */
  #sameQuery(seed: Subject, mutant: MutantSubject, before: JudgedAnswer, after: JudgedAnswer): Sameness {
    const { store, values } = this.#options;
    const predicted = { sql: after.answer.sql, schema: store.schemaOf(mutant) };
    if (mutant.expectation === 'same-query') {
      return sameQuery({ sql: before.answer.sql, schema: store.schemaOf(seed) }, predicted, values);
    }
    const rewritten = before.exact?.outcome === 'correct' ? mutant.query : before.answer.sql;
    const read = rewritten === null ? null : readQuery(rewritten, predicted.schema);
    if (read !== null && ('fault' in read || read.structure === null)) return null;
    return sameQuery({ sql: rewritten, schema: predicted.schema }, predicted, values);
  }
}
