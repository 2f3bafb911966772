import { availableParallelism } from 'node:os';
import { ExactMatch, type ExactVerdict } from '../../evaluate/exact/exact-match.js';
import type { ValueRule } from '../../evaluate/exact/form-comparison.js';
import type { ExecutionVerdict } from '../../evaluate/execution/execution-match.js';
import { readStructure } from '../../evaluate/exact/query-structure.js';
import { isOnOwnSchema } from '../../metamorphic/mutant-run.js';
import { elementAt, present } from '../../present.js';
import type { RunHost } from '../../run/run-host.js';
import { sideBySide } from '../../run/side-by-side.js';
import { AnswerScorer, type AnswerToScore } from '../../victims/answer-scorer.js';
import { executionRules } from '../../evaluate/compat.js';
import type { ScoringOptions } from '../../victims/scoring-options.js';
import { saysUnanswerable } from '../../victims/says-unanswerable.js';
import { isSettled, type VictimAnswer } from '../../victims/victim.js';
import type { ConsistencyMetric } from '../consistency-report.js';
import type { MutantSubject, SeedGroup, Subject } from '../subject.js';
import type { SubjectWorld } from '../subject-world.js';
import { sameQuery, type Sameness } from './exact-consistency.js';
import { type Executed, ResultComparison } from './execution-consistency.js';

/** An answer, and what the metrics say of it against the gold; null where there is none, or nothing to execute. */
export interface JudgedAnswer {
  readonly answer: VictimAnswer;
  readonly exact: ExactVerdict | null;
  readonly execution: ExecutionVerdict | null;
}

/** A mutant with what was answered to it and to its seed, and whether the two agree. */
export interface JudgedCase {
  readonly group: SeedGroup;
  readonly mutant: MutantSubject;
  readonly before: JudgedAnswer;
  readonly after: JudgedAnswer;
  /** Whether one of the two has no answer for a reason that may pass: then nothing is told. */
  readonly isOpen: boolean;
  /** Whether there are rows to execute the two predictions on. */
  readonly hasRows: boolean;
  readonly same: Readonly<Record<ConsistencyMetric, Sameness>>;
  /** By the metric that the expectation asks for. */
  readonly isSame: Sameness;
}

export interface JudgeOptions extends ScoringOptions {
  readonly world: SubjectWorld;
  readonly values: ValueRule;
  /** Whether queries are executed. */
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
 * Whether both predictions are executed on the mutant's database: without a gold that was rewritten, the query that is
 * right for the seed is right there, too.
 */
function isComparedOnItsOwn(mutant: MutantSubject): boolean {
  return mutant.query === null && mutant.expectation === 'same-query' && isOnOwnSchema(mutant);
}

/** Of a mutant that nothing answers: right, and what must hold, is that the victim says so. */
function judgeUnanswerable(
  group: SeedGroup,
  mutant: MutantSubject,
  before: JudgedAnswer,
  answer: VictimAnswer,
  isOpen: boolean,
): JudgedCase {
  const isSaid = isSettled(answer) ? saysUnanswerable(answer) : null;
  const verdict = { id: mutant.id, outcome: isSaid === true ? 'correct' : 'wrong' } as const;
  const exact = { ...verdict, hardness: null, components: null, published: null, differences: [] };
  const execution = { ...verdict, goldRows: null, alternative: 0, isCut: false };
  return {
    ...{ group, mutant, before, after: { answer, exact, execution }, isOpen, hasRows: true },
    ...{ same: { exact: isSaid, execution: isSaid }, isSame: isSaid },
  };
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
  get fingerprints(): Readonly<Partial<Record<ConsistencyMetric, string>>> {
    return this.scorer.fingerprints;
  }

  /** One judgement per mutant, in the order of the groups and their mutants. */
  async judge(groups: readonly SeedGroup[], answers: Answers, host: RunHost): Promise<readonly JudgedCase[]> {
    const subjects = groups.flatMap(({ seed, mutants }) => [seed, ...mutants]);
    const judged = await this.#judgeAnswers(subjects, answers, host);
    const results = await this.#compareResults(groups, answers, host);
    return groups.flatMap((group) =>
      group.mutants.map((mutant): JudgedCase => {
        const [before, after] = [
          present(judged.get(group.seed.id), 'judged.get(group.seed.id)'),
          present(judged.get(mutant.id), 'judged.get(mutant.id)'),
        ];
        const isOpen = !isSettled(before.answer) || !isSettled(after.answer);
        if (mutant.expectation === 'unanswerable')
          return judgeUnanswerable(group, mutant, before, after.answer, isOpen);
        const exact = isOpen ? null : this.#sameQuery(group.seed, mutant, before, after);
        const execution = isOpen ? null : (results.get(mutant.id) ?? null);
        const isSame = verdictOf(mutant, exact, execution);
        const hasRows = this.#results !== null && this.#options.world.sourceOf(mutant) !== null;
        return { group, mutant, before, after, isOpen, hasRows, same: { exact, execution }, isSame };
      }),
    );
  }

  async dispose(): Promise<void> {
    await this.scorer.dispose();
  }

  async #judgeAnswers(
    subjects: readonly Subject[],
    answers: Answers,
    host: RunHost,
  ): Promise<ReadonlyMap<string, JudgedAnswer>> {
    const scores = await this.scorer.score(
      subjects.flatMap((subject) => this.#toScore(subject, answers)),
      host,
    );
    const scored = new Map(scores.map((score) => [score.exact.id, score]));
    return new Map(
      subjects.map(({ id }) => {
        const { exact = null, execution = null } = scored.get(id) ?? {};
        return [id, { answer: answers(id), exact, execution }];
      }),
    );
  }

  #toScore(subject: Subject, answers: Answers): readonly AnswerToScore[] {
    const { id, seed, query } = subject;
    const { world } = this.#options;
    if (query === null) return [];
    const answer: AnswerToScore = {
      id,
      pair: () => ({
        group: seed,
        database: world.schemaOf(subject),
        gold: query,
        predicted: answers(id).sql ?? '',
      }),
      source: () => world.sourceOf(subject),
    };
    return [answer];
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
    const { world, jobs = availableParallelism() } = this.#options;
    const executed = (subject: Subject): Executed => ({
      sql: answers(subject.id).sql,
      schema: world.schemaOf(subject),
      source: world.sourceOf(subject),
    });
    const onMutant = (mutant: MutantSubject): Executed => ({ ...executed(mutant), mapping: mutant.mapping ?? null });
    let done = 0;
    await sideBySide(groups, jobs, host.signal, async ({ seed, mutants }, signal) => {
      const before = executed(seed);
      const common = mutants.filter((mutant) => !isComparedOnItsOwn(mutant) && mutant.expectation !== 'unanswerable');
      const compared = await results.compare(before, common.map(onMutant), signal);
      common.forEach(({ id }, i) => same.set(id, elementAt(compared, i)));
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
   * By exact match. Where the gold was rewritten, the prediction on the seed is, too, as far as that is known: the right
   * one as the gold was, another as it is if it can be read on the mutant's schema; else nothing is told.
   */
  #sameQuery(seed: Subject, mutant: MutantSubject, before: JudgedAnswer, after: JudgedAnswer): Sameness {
    const { world, values } = this.#options;
    const predicted = { sql: after.answer.sql, schema: world.schemaOf(mutant) };
    if (mutant.expectation === 'same-query') {
      return sameQuery({ sql: before.answer.sql, schema: world.schemaOf(seed) }, predicted, values);
    }
    const rewritten = before.exact?.outcome === 'correct' ? mutant.query : before.answer.sql;
    if (rewritten !== null && 'fault' in readStructure(rewritten, predicted.schema)) return null;
    return sameQuery({ sql: rewritten, schema: predicted.schema }, predicted, values);
  }
}
