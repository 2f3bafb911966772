import type { ValueRule } from '../../../evaluate/exact/form-rules.js';
import { groupBy } from '../../../run/group-by.js';
import { mustGet } from '../../../present.js';
import { compareText } from '../../../report/column-tally.js';
import { expectedAnswer } from '../../../variants/relations/expected-answer.js';
import { relationOf } from '../../../variants/relations/counted-relation.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import { formPair } from '../judge/exact-consistency.js';
import type { SubjectStore } from '../../mutants/subject-store.js';
import { changesBetween, type QueryChange } from './query-change.js';

/** Failures of one relation with one kind of change, the smallest first. */
export interface ClusteredFailures {
  readonly relation: string;
  readonly changes: readonly QueryChange[];
  readonly failures: readonly JudgedCase[];
}

/** Returns the size that, after relations, tells the larger of two failures: the characters that one has to read. */
function sizeOf({ mutant, before, after }: JudgedCase): number {
  return mutant.question.length + (before.answer.sql?.length ?? 0) + (after.answer.sql?.length ?? 0);
}

/** Smaller failures first; among equal ones the first by id. */
function compareSizes(a: JudgedCase, b: JudgedCase): number {
  const relations = a.mutant.relations.length - b.mutant.relations.length;
  return relations || sizeOf(a) - sizeOf(b) || compareText(a.mutant.id, b.mutant.id);
}

/** Returns the changes between a failure's predictions, or if the answer must not stay, the fault of the second. */
function changesOf(
  { group, mutant, before, after }: JudgedCase,
  store: SubjectStore,
  values: ValueRule,
): readonly QueryChange[] {
  const expected = expectedAnswer(mutant);
  if (expected !== 'kept') return [expected === 'unanswerable' ? 'not refused' : 'wrong answer'];
  const [first, second] = [before.answer.sql, after.answer.sql];
  const formed = formPair(
    { sql: first, schema: store.schemaOf(group.seed) },
    { sql: second, schema: store.schemaOf(mutant) },
    values,
  );
  return changesBetween(first, second, formed);
}

/** Checks whether a list holds the parts of another in their order. */
function holds(whole: readonly string[], part: readonly string[]): boolean {
  let at = 0;
  for (const one of whole) if (one === part[at]) at++;
  return at === part.length;
}

/** Checks whether a mutant is what another becomes when perturbations of it are dropped. */
function isPartOf(part: JudgedCase, whole: JudgedCase): boolean {
  const [few, many] = [part.mutant, whole.mutant];
  if (few.relations.length >= many.relations.length || few.seed !== many.seed) return false;
  return holds(many.relations, few.relations) && holds(many.details, few.details);
}

/**
 * The smallest failure that a composed one comes down to, of those that were asked anyway; itself where none is
 * smaller.
 */
function rootOf(failure: JudgedCase, ofSeed: readonly JudgedCase[]): JudgedCase {
  const parts = ofSeed.filter((part) => isPartOf(part, failure));
  return [...parts].sort(compareSizes)[0] ?? failure;
}

/**
 * Groups failures by relation and kind of change, most first. A composed mutant whose part fails too is counted with
 * that part, and is not shown next to it.
 */
export function clusterFailures(
  cases: readonly JudgedCase[],
  store: SubjectStore,
  values: ValueRule,
): readonly ClusteredFailures[] {
  const failures = cases.filter(({ isSame }) => isSame === false);
  const bySeed = groupBy(failures, ({ mutant }) => mutant.seed);
  const keys = new Map<JudgedCase, { readonly relation: string; readonly changes: readonly QueryChange[] }>();
  const keyOf = (failure: JudgedCase): { readonly relation: string; readonly changes: readonly QueryChange[] } => {
    const key = keys.get(failure) ?? {
      relation: relationOf(failure.mutant),
      changes: changesOf(failure, store, values),
    };
    keys.set(failure, key);
    return key;
  };
  const rooted = failures.map((failure) =>
    keyOf(rootOf(failure, mustGet(bySeed.get(failure.mutant.seed), 'bySeed.get(failure.mutant.seed)'))),
  );
  const groups = groupBy(failures, (_, i) => JSON.stringify(rooted[i]));
  return [...groups]
    .map(([key, own]) => ({
      ...(JSON.parse(key) as { readonly relation: string; readonly changes: readonly QueryChange[] }),
      failures: [...own].sort(compareSizes),
    }))
    .sort((a, b) => b.failures.length - a.failures.length);
}
