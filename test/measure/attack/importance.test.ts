import { describe, expect, it } from 'vitest';
import { importance, type SearchTask, type Standing } from '../../../src/measure/attack/table-search.js';
import type { AttackGroup, TableSet } from '../../../src/measure/attack/table-set.js';
import type { TablePerturber } from '../../../src/measure/attack/table-perturber.js';
import type { CandidateDecision } from '../../../src/formats/artifacts/candidates.js';

const COLUMNS = ['age', 'name', 'country'];
const decision = (column: string, candidate: string): CandidateDecision =>
  ({ column, candidate, bucket: 'RPL' }) as CandidateDecision;

/** Tables as the names of their columns: `age:years name:title`. */
function tablesOf(decisions: readonly CandidateDecision[]): TableSet {
  const key = decisions.map(({ column, candidate }) => `${column}:${candidate}`).join(' ');
  return { key, changes: decisions.map((one) => ({ decision: one })) } as unknown as TableSet;
}

/** Three columns with candidates 1 (drawn first), 2 and 3; the model answers as `stand` says of the tables' key. */
async function search(stand: (key: string) => Standing, budget = 20) {
  const asked: string[] = [];
  const perturber: Pick<TablePerturber, 'columnsOf' | 'choose'> = {
    columnsOf: (_, __, { changes }) =>
      changes.map((change) => {
        const { column, candidate } = change.decision;
        const others = ['1', '2', '3'].filter((name) => name !== candidate);
        return { changes: [change], alternatives: others.map((name) => decision(column, name)) };
      }),
    choose: async (_, __, ___, decisions) => tablesOf(decisions),
  };
  const task: SearchTask = {
    group: { id: 'g' } as AttackGroup,
    kind: 'RPL',
    seed: 1,
    budget,
    first: tablesOf(COLUMNS.map((column) => decision(column, '1'))),
    perturber: perturber as TablePerturber,
    stand: async ({ key }) => {
      asked.push(key);
      return stand(key);
    },
  };
  const result = await importance(task);
  return { asked, queries: result.queries, key: result.tables.key };
}

const RIGHT: Standing = { correct: 1, matched: 7 };

describe('importance', () => {
  it('takes each name away by itself, then changes columns from where the model falls furthest', async () => {
    const fall: Readonly<Record<string, Standing>> = {
      'age:x': { correct: 1, matched: 6 },
      'name:x': { correct: 1, matched: 7 },
      'country:x': { correct: 0, matched: 3 },
    };
    const { asked, queries } = await search((key) => fall[key] ?? RIGHT);
    expect(asked.slice(1, 4)).toEqual(['age:x', 'name:x', 'country:x']);
    const changed = asked.slice(4).map((key) => COLUMNS.findIndex((column) => !key.includes(`${column}:1`)));
    expect(changed).toEqual([2, 2, 0, 0, 1, 1]);
    expect(queries).toBe(asked.length);
  });

  it('keeps what does harm, and never the tables without a name', async () => {
    const found = await search((key) => {
      if (key.includes(':x')) return { correct: 0, matched: 0 };
      return key.includes('name:2') ? { correct: 1, matched: 2 } : RIGHT;
    });
    expect(found.key).toBe('age:1 name:2 country:1');
  });

  it('stops where the model is broken, by the first draw or later, and at its budget', async () => {
    expect((await search(() => ({ correct: 0, matched: 0 }))).asked).toHaveLength(1);
    const { asked } = await search((key) => (key.includes('age:2') ? { correct: 0, matched: 1 } : RIGHT));
    expect(asked.at(-1)).toContain('age:2');
    for (const budget of [1, 2, 3, 4, 6]) {
      const { queries, key } = await search(() => RIGHT, budget);
      expect(queries).toBe(budget);
      expect(key).toBe('age:1 name:1 country:1');
    }
  });
});
