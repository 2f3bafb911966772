import type { ValueRule } from '../../../evaluate/exact/form-rules.js';
import { groupBy } from '../../../run/group-by.js';
import { compareText, mustGet } from '../../../present.js';
import { memoizeObject } from '../../../schema/memoize.js';
import { expectedAnswer, type RelationFacts } from '../../../variants/relations/relation.js';
import { relationOf } from '../../../variants/relations/counted-relation.js';
import type { JudgedCase } from '../consistency-judge.js';
import { formPair } from '../../../evaluate/exact/same-query.js';
import type { SubjectStore, MutantSubject, SeedGroup } from '../../mutants/subject-store.js';
import { changesBetween, type QueryChange, errorTypeOf } from './query-change.js';
import type { FailureCluster } from '../consistency-report.js';
import { type Differences, reportFailure } from '../../mutants/report-failure.js';
import { RELATIONS } from '../../../variants/relations/relations.js';
import { isOnOwnSchema } from '../../../variants/mutate/mutant-set.js';

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
  const keyOf = memoizeObject((failure: JudgedCase) => ({
    relation: relationOf(failure.mutant),
    changes: changesOf(failure, store, values),
  }));
  const rooted = failures.map((failure) =>
    keyOf(rootOf(failure, mustGet(bySeed.get(failure.mutant.seed), 'bySeed.get(failure.mutant.seed)'))),
  );
  const groups = groupBy(failures, (_, i) => JSON.stringify(rooted[i]));
  return [...groups]
    .map(([key, own]) => ({
      ...(JSON.parse(key) as ReturnType<typeof keyOf>),
      failures: [...own].sort(compareSizes),
    }))
    .sort((a, b) => b.failures.length - a.failures.length);
}

/** Failures of a cluster that a report holds at most; `cases.jsonl` has the verdict on each mutant. */
const MOST_HELD = 20;

/** The failures of a cluster that a report holds, the smallest first. */
export function heldFailures({ failures }: Pick<ClusteredFailures, 'failures'>): readonly JudgedCase[] {
  return failures.slice(0, MOST_HELD);
}

/** A cluster as the report has it, with its smallest example, `shrunk` where that became smaller yet. */
export function reportCluster(
  { relation, changes, failures }: ClusteredFailures,
  shrunk: JudgedCase,
  store: SubjectStore,
  differences: Differences,
): FailureCluster {
  const [smallest] = failures as readonly [JudgedCase, ...JudgedCase[]];
  const others = heldFailures({ failures })
    .slice(1)
    .map((failure) => reportFailure(failure, null, store, differences));
  return {
    relation,
    changes: [...changes],
    errorType: errorTypeOf(changes),
    failures: failures.length,
    seeds: new Set(failures.map(({ mutant }) => mutant.seed)).size,
    databases: new Set(failures.map(({ mutant }) => mutant.origin)).size,
    example: reportFailure(shrunk, shrunk === smallest ? null : smallest.mutant.id, store, differences),
    ...(others.length > 0 && { others }),
  };
}

const factsOf = new Map<string, RelationFacts>(Object.entries(RELATIONS));

/** Checks whether a relation changes the question (MT-TEQL Table 1); the others change the schema. */
const isOnUtterance = (relation: string): boolean => factsOf.get(relation)?.target === 'utterance';

/** Asks a shrunk mutant and judges the answer. */
export type Trial = (group: SeedGroup, mutant: MutantSubject) => Promise<JudgedCase>;

function keepRelations(mutant: MutantSubject, isKept: (relation: string) => boolean): MutantSubject {
  const kept = mutant.relations.map(isKept);
  return {
    ...mutant,
    relations: mutant.relations.filter((_, i) => kept[i]),
    details: mutant.details.filter((_, i) => kept[i]),
  };
}

/**
 * A composed mutant without its changes of the schema, and one without those of the question; none where it has only one
 * of both, where a relation of the user's own is among them, as nothing tells what that one changes, or where it asks
 * something else: neither part would have a gold.
 */
function droppedMutants({ group, mutant }: Pick<JudgedCase, 'group' | 'mutant'>): readonly MutantSubject[] {
  const { seed } = group;
  const isMixed = isOnOwnSchema(mutant) && mutant.question !== seed.question;
  if (!isMixed || mutant.expectation === 'other-query' || !mutant.relations.every((relation) => factsOf.has(relation)))
    return [];
  return [
    {
      ...keepRelations(mutant, isOnUtterance),
      id: `${mutant.id}~question`,
      db_id: seed.db_id,
      query: seed.query,
      expectation: 'same-query',
    },
    {
      ...keepRelations(mutant, (relation) => !isOnUtterance(relation)),
      id: `${mutant.id}~schema`,
      question: seed.question,
    },
  ];
}

/**
 * Drops perturbations of a failure while it still fails, by at most so many trials; itself where it fails only with all
 * of them.
 */
export async function shrinkFailure(failure: JudgedCase, trial: Trial, trials: number): Promise<JudgedCase> {
  for (const dropped of droppedMutants(failure).slice(0, Math.max(0, trials))) {
    const judged = await trial(failure.group, dropped);
    if (judged.isSame === false) return judged;
  }
  return failure;
}
