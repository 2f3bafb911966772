import { availableParallelism } from 'node:os';
import { executionRules } from '../../evaluate/compat.js';
import type { ValueRule } from '../../evaluate/exact/form-rules.js';
import { readQuery } from '../../evaluate/exact/query-reading.js';
import { type Sameness, sameQuery } from '../../evaluate/exact/same-query.js';
import { type Executed, sameResults } from '../../evaluate/execution/same-results.js';
import { itemAt, mustGet } from '../../present.js';
import { forEachConcurrent } from '../../run/concurrency.js';
import type { RunHost } from '../../run/run-host.js';
import { isOnOwnSchema } from '../../variants/mutate/mutant-set.js';
import { restoreValues } from '../../variants/verify/verify-groups.js';
import type { AnswerMetric, ScoringOptions } from '../../victims/scoring.js';
import { isSettled } from '../../victims/victim.js';
import { areOpen, type JudgedAnswer } from '../judged-answer.js';
import { judgeSubjects, type PairedCase, type SubjectJudging } from '../mutants/judge-subjects.js';
import type { MutantSubject, SeedGroup, Subject } from '../mutants/subject-store.js';

/** A mutant with what was answered to it and to its seed, and whether the two agree. */
export interface JudgedCase extends PairedCase {
  readonly group: SeedGroup;
  /** True if there are rows to execute the two predictions on. */
  readonly hasRows: boolean;
  readonly same: Readonly<Record<AnswerMetric, Sameness>>;
  /** By the metric that the expectation asks for. */
  readonly isSame: Sameness;
}

/** The means of judging answers, and when two are the same. */
export interface ConsistencyJudging extends SubjectJudging {
  readonly options: ScoringOptions & { readonly values: ValueRule };
}

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

type Answered = Omit<JudgedCase, 'hasRows' | 'same' | 'isSame'>;

/** Of a mutant that nothing answers: what must hold is that the victim says so. */
function unanswerableCase(paired: Answered): JudgedCase {
  const { answer, exact } = paired.after;
  const isSaid = isSettled(answer) ? exact?.outcome === 'correct' : null;
  return { ...paired, hasRows: true, same: { exact: isSaid, execution: isSaid }, isSame: isSaid };
}

/** Of a mutant that asks something else than its seed: what must hold is that its own answer is right. */
function otherCase(paired: Answered): JudgedCase {
  const [exact, execution] = [paired.after.exact, paired.after.execution].map((judged): Sameness => {
    return paired.isOpen || judged === null ? null : judged.outcome === 'correct';
  }) as [Sameness, Sameness];
  return { ...paired, hasRows: execution !== null, same: { exact, execution }, isSame: execution ?? exact };
}

/** Of a mutant whose answer must stay: it must be the same query or give the same result as that to its seed. */
function keptCase(paired: Answered, execution: Sameness, { scorer, store, options }: ConsistencyJudging): JudgedCase {
  const { group, mutant, before, after, isOpen } = paired;
  const exact = isOpen ? null : isSameQuery(group.seed, mutant, before, after, { store, values: options.values });
  const same = { exact, execution: isOpen ? null : execution };
  const hasRows = scorer.runner !== null && store.sourceOf(mutant) !== null;
  return { ...paired, hasRows, same, isSame: verdictOf(mutant, same.exact, same.execution) };
}

/**
 * Says of answers whether they are right, and of those to mutants whether they agree with those to their seeds: a case
 * per mutant, in the order of the groups and their mutants.
 */
export async function judgeConsistency(
  groups: readonly SeedGroup[],
  judging: ConsistencyJudging,
  host: RunHost,
): Promise<readonly JudgedCase[]> {
  const subjects = groups.flatMap(({ seed, mutants }) => [seed, ...mutants]);
  const judged = await judgeSubjects(subjects, judging, host);
  const results = await compareResults(groups, judging, host);
  return groups.flatMap((group) =>
    group.mutants.map((mutant): JudgedCase => {
      const before = mustGet(judged.get(group.seed.id), 'judged.get(group.seed.id)');
      const after = mustGet(judged.get(mutant.id), 'judged.get(mutant.id)');
      const paired = { group, mutant, before, after, isOpen: areOpen([before, after]) };
      if (mutant.expectation === 'unanswerable') return unanswerableCase(paired);
      if (mutant.expectation === 'other-query') return otherCase(paired);
      return keptCase(paired, results.get(mutant.id) ?? null, judging);
    }),
  );
}

/** By execution, each seed's prediction against those of its mutants. */
async function compareResults(
  groups: readonly SeedGroup[],
  { scorer: { runner }, store, answerOf, options }: ConsistencyJudging,
  host: RunHost,
): Promise<ReadonlyMap<string, Sameness>> {
  const same = new Map<string, Sameness>();
  if (runner === null) return same;
  const { jobs = availableParallelism() } = options;
  const comparing = { runner, mode: executionRules(options).mode };
  const executed = (subject: Subject): Executed => {
    return { sql: answerOf(subject.id).sql, schema: store.schemaOf(subject), source: store.sourceOf(subject) };
  };
  let done = 0;
  await forEachConcurrent(groups, jobs, host.signal, async ({ seed, mutants }, signal) => {
    const before = executed(seed);
    const kept = mutants.filter(({ expectation }) => !['unanswerable', 'other-query'].includes(expectation));
    const common = kept.filter((mutant) => !isComparedOnItsOwn(mutant));
    const afters = common.map((mutant): Executed => {
      return { ...executed(mutant), restore: (rows) => restoreValues(rows, mutant.mapping ?? null) };
    });
    const compared = await sameResults(before, afters, comparing, signal);
    common.forEach(({ id }, i) => same.set(id, itemAt(compared, i)));
    for (const mutant of kept.filter(isComparedOnItsOwn)) {
      const after = executed(mutant);
      const [verdict = null] = await sameResults({ ...after, sql: before.sql }, [after], comparing, signal);
      same.set(mutant.id, verdict);
    }
    host.progress('results compared', ++done, groups.length);
  });
  return same;
}

/**
 * By exact match. Where the gold was rewritten, the prediction on the seed is, too, as far as that is known: the right one
 * as the gold was, another as it is if it can be read on the mutant's schema; else nothing is told.
 */
function isSameQuery(
  seed: Subject,
  mutant: MutantSubject,
  before: JudgedAnswer,
  after: JudgedAnswer,
  { store, values }: Pick<SubjectJudging, 'store'> & { readonly values: ValueRule },
): Sameness {
  const predicted = { sql: after.answer.sql, schema: store.schemaOf(mutant) };
  if (mutant.expectation === 'same-query') {
    return sameQuery({ sql: before.answer.sql, schema: store.schemaOf(seed) }, predicted, values);
  }
  const rewritten = before.exact?.outcome === 'correct' ? mutant.query : before.answer.sql;
  const read = rewritten === null ? null : readQuery(rewritten, predicted.schema);
  if (read !== null && ('fault' in read || read.structure === null)) return null;
  return sameQuery({ sql: rewritten, schema: predicted.schema }, predicted, values);
}
