import { expect, it } from 'vitest';
import { shrinkFailure } from '../../../src/measure/consistency/clusters/failure-clusters.js';
import type { JudgedCase } from '../../../src/measure/consistency/consistency-judge.js';
import type { MutantSubject } from '../../../src/measure/mutants/subject-store.js';
import { failedAnswer } from '../../../src/victims/victim.js';

const seed = { id: 'dev:1', seed: 'dev:1', db_id: 'club', origin: 'club' };
const answer = { answer: failedAnswer('dev:1', 'no-sql', 'none'), exact: null, execution: null };

/** A failure of a mutant that renames a table and changes the question. */
function failureOf({ relations, expectation }: Pick<MutantSubject, 'relations' | 'expectation'>): JudgedCase {
  const before = { ...seed, question: 'The oldest?', query: 'SELECT 1' };
  const mutant: MutantSubject = {
    ...before,
    id: 'dev:1~',
    db_id: 'club~1',
    question: 'The youngest?',
    query: 'SELECT 2',
    relations,
    expectation,
    details: relations.map(String),
  };
  const example = {
    id: 'dev:1',
    dbId: 'club',
    question: before.question,
    query: before.query,
    group: 'dev:1',
    record: {},
  };
  return {
    group: { example, seed: before, mutants: [mutant] },
    mutant,
    before: answer,
    after: answer,
    isOpen: false,
    hasRows: false,
    same: { exact: false, execution: null },
    isSame: false,
  };
}

it.each([
  { relations: ['TRn', 'PI'], expectation: 'same-result', trials: 2 },
  { relations: ['TRn', 'QSo'], expectation: 'other-query', trials: 0 },
] as const)(
  'asks parts of $relations only where they have a gold of their own',
  async ({ relations, expectation, trials }) => {
    const asked: string[] = [];
    const failure = failureOf({ relations, expectation });
    const shrunk = await shrinkFailure(
      failure,
      async (_, mutant) => {
        asked.push(mutant.id);
        return { ...failure, isSame: true };
      },
      10,
    );
    expect(shrunk).toBe(failure);
    expect(asked).toHaveLength(trials);
  },
);
