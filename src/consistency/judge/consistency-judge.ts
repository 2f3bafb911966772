import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { ScoringOptions } from '../../attack/attack-options.js';
import { sideBySide } from '../../run/side-by-side.js';
import { isSettled, type VictimAnswer } from '../../victims/victim.js';
import { ExactMatch, type ExactVerdict } from '../../evaluate/exact/exact-match.js';
import type { ValueRule } from '../../evaluate/exact/form-comparison.js';
import { readStructure } from '../../evaluate/exact/query-structure.js';
import { ExecutionMatch, type ExecutionVerdict } from '../../evaluate/execution/execution-match.js';
import type { EvaluationPair } from '../../evaluate/metric.js';
import { elementAt, present } from '../../present.js';
import { createStageContext, type RunHost } from '../../run/run-host.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import type { Expectation } from '../../metamorphic/relation.js';
import type { ConsistencyMetric } from '../consistency-report.js';
import type { MutantSubject, SeedGroup, Subject } from '../subject.js';
import type { SubjectWorld } from '../subject-world.js';
import { type Predicted, sameQuery, type Sameness } from './exact-consistency.js';
import { ResultComparison } from './execution-consistency.js';

/** An answer, and what the metrics say of it against the gold; `execution` is null where there are no rows. */
export interface JudgedAnswer {
  readonly answer: VictimAnswer;
  readonly exact: ExactVerdict;
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

/** A pair with what its queries read. */
interface SourcedPair extends EvaluationPair {
  readonly source: QuerySource;
}

/** Answers that are compared by exact match between two looks at the signal. */
const AT_ONCE = 50;

/** A query must be the same, or, where the gold was rewritten, give the same result; the other metric where that one can't tell. */
function verdictOf(expectation: Expectation, exact: Sameness, execution: Sameness): Sameness {
  return expectation === 'same-query' ? (exact ?? execution) : (execution ?? exact);
}

/** Says of answers whether they are right, and of those to mutants whether they agree with those to their seeds. */
export class ConsistencyJudge {
  readonly #options: JudgeOptions;
  readonly #exact: ExactMatch;
  readonly #runner: QueryRunner | null;
  readonly #execution: ExecutionMatch | null;
  readonly #results: ResultComparison | null;

  constructor(options: JudgeOptions) {
    const { values, executes, mode, plugValues, timeoutMs, workers } = options;
    this.#options = options;
    this.#exact = new ExactMatch({ values });
    const processes = workers === undefined ? {} : { processes: workers };
    const runner = executes ? new QueryRunner({ ...processes, limits: { timeoutMs } }) : null;
    const databaseOf = (pair: EvaluationPair): QuerySource => (pair as SourcedPair).source;
    this.#runner = runner;
    this.#execution = runner && new ExecutionMatch({ runner, databaseOf, mode, plug: plugValues });
    this.#results = runner && new ResultComparison(runner, mode);
  }

  /** Name and version of each metric's mode. */
  get fingerprints(): Readonly<Partial<Record<ConsistencyMetric, string>>> {
    const exact = this.#exact.fingerprint;
    return this.#execution === null ? { exact } : { exact, execution: this.#execution.fingerprint };
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
        const exact = isOpen ? null : this.#sameQuery(group.seed, mutant, before, after);
        const execution = isOpen ? null : (results.get(mutant.id) ?? null);
        const isSame = verdictOf(mutant.expectation, exact, execution);
        return { group, mutant, before, after, isOpen, same: { exact, execution }, isSame };
      }),
    );
  }

  async dispose(): Promise<void> {
    await this.#runner?.close();
  }

  async #judgeAnswers(
    subjects: readonly Subject[],
    answers: Answers,
    host: RunHost,
  ): Promise<ReadonlyMap<string, JudgedAnswer>> {
    const exact = await this.#judgeExact(subjects, answers, host);
    const execution = await this.#judgeExecution(subjects, answers, host);
    return new Map(
      subjects.map(({ id }) => [
        id,
        { answer: answers(id), exact: present(exact.get(id), 'exact.get(id)'), execution: execution.get(id) ?? null },
      ]),
    );
  }

  #pairOf(subject: Subject, answers: Answers): EvaluationPair {
    const { id, seed, query } = subject;
    const predicted = answers(id).sql ?? '';
    return { id, group: seed, database: this.#options.world.schemaOf(subject), gold: query, predicted };
  }

  async #judgeExact(
    subjects: readonly Subject[],
    answers: Answers,
    host: RunHost,
  ): Promise<ReadonlyMap<string, ExactVerdict>> {
    const verdicts = new Map<string, ExactVerdict>();
    for (const subject of subjects) {
      verdicts.set(subject.id, this.#exact.judgePair(this.#pairOf(subject, answers)));
      if (verdicts.size % AT_ONCE !== 0) continue;
      await setImmediate();
      host.signal.throwIfAborted();
      host.progress('answers compared with gold', verdicts.size, subjects.length);
    }
    return verdicts;
  }

  async #judgeExecution(
    subjects: readonly Subject[],
    answers: Answers,
    host: RunHost,
  ): Promise<ReadonlyMap<string, ExecutionVerdict>> {
    if (this.#execution === null) return new Map();
    const pairs = subjects.flatMap((subject): SourcedPair[] => {
      const source = this.#options.world.sourceOf(subject);
      return source === null ? [] : [{ ...this.#pairOf(subject, answers), source }];
    });
    const context = createStageContext(0, host);
    const verdicts = await this.#execution.judge(pairs, {
      ...context,
      emit: (event) => {
        if (event.kind === 'progress') host.progress('answers executed', event.done, event.total);
        else context.emit(event);
      },
    });
    return new Map(verdicts.map((verdict) => [verdict.id, verdict]));
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
    const { world, workers = availableParallelism() } = this.#options;
    const executed = (subject: Subject): Predicted & { readonly source: QuerySource | null } => ({
      sql: answers(subject.id).sql,
      schema: world.schemaOf(subject),
      source: world.sourceOf(subject),
    });
    let done = 0;
    await sideBySide(groups, workers, host.signal, async ({ seed, mutants }, signal) => {
      const compared = await results.compare(executed(seed), mutants.map(executed), signal);
      mutants.forEach(({ id }, i) => same.set(id, elementAt(compared, i)));
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
    const rewritten = before.exact.outcome === 'correct' ? mutant.query : before.answer.sql;
    if (rewritten !== null && 'fault' in readStructure(rewritten, predicted.schema)) return null;
    return sameQuery({ sql: rewritten, schema: predicted.schema }, predicted, values);
  }
}
