import { beforeAll, describe, expect, it } from 'vitest';
import type { RetrievedTable, TableRetriever } from '../../src/stage.js';
import { createContext, createTarget } from './retriever-fixture.js';

const TARGETS = [
  createTarget('singer', ['name', 'age', 'country'], ['How many singers are there?', 'Who is the oldest singer?']),
  createTarget('stadium', ['capacity', 'owner'], ['Which stadium has the most seats?']),
  createTarget('flight', ['distance', 'price']),
  createTarget('singer', ['name', 'age', 'country'], ['What is the name of the youngest singer?']),
];

function idsOf(results: readonly (readonly RetrievedTable[])[]): string[][] {
  return results.map((result) => result.map(({ table }) => table.id));
}

/** What every TableRetriever promises, on an index of at least 30 tables. `create` makes a new one over the same index. */
export function describeTableRetriever(name: string, create: () => Promise<TableRetriever>): void {
  describe(`${name} as a TableRetriever`, () => {
    let retriever: TableRetriever;
    beforeAll(async () => {
      retriever = await create();
    });

    it('answers each target in input order', async () => {
      const forward = await retriever.retrieve(TARGETS, 5, createContext());
      const backward = await retriever.retrieve([...TARGETS].reverse(), 5, createContext());
      expect(forward).toEqual([...backward].reverse());
      expect(forward[0]![0]!.table.title).toContain('singer');
      expect(forward[1]![0]!.table.title).toContain('stadium');
    });

    it('answers an empty batch with an empty list', async () => {
      expect(await retriever.retrieve([], 5, createContext())).toEqual([]);
    });

    it('answers a batch as it answers singles', async () => {
      const batch = await retriever.retrieve(TARGETS, 7, createContext());
      const singles = await Promise.all(
        TARGETS.map(async (target) => (await retriever.retrieve([target], 7, createContext()))[0]),
      );
      expect(singles).toEqual(batch);
    });

    it('gives the same bytes again, and from a new instance with the same fingerprint', async () => {
      const other = await create();
      const once = await retriever.retrieve(TARGETS, 9, createContext(1));
      const again = await other.retrieve(TARGETS, 9, createContext(2));
      expect(JSON.stringify(again)).toBe(JSON.stringify(once));
      expect(other.fingerprint).toBe(retriever.fingerprint);
      await other.dispose?.();
    });

    it('orders by finite scores, ids breaking ties, at most k each', async () => {
      for (const result of await retriever.retrieve(TARGETS, 12, createContext())) {
        expect(result.length).toBeLessThanOrEqual(12);
        for (const [place, { score, table }] of result.entries()) {
          expect(Number.isFinite(score)).toBe(true);
          const next = result[place + 1];
          if (next === undefined) continue;
          expect(score > next.score || (score === next.score && table.id < next.table.id)).toBe(true);
        }
      }
    });

    it('gives the start of a longer list for a smaller k, and clamps k to the index', async () => {
      const all = idsOf(await retriever.retrieve(TARGETS, 1e9, createContext()));
      for (const list of all) expect(list.length).toBeLessThanOrEqual(retriever.size);
      const few = idsOf(await retriever.retrieve(TARGETS, 4, createContext()));
      expect(few).toEqual(all.map((list) => list.slice(0, 4)));
      expect(idsOf(await retriever.retrieve(TARGETS, 0, createContext()))).toEqual(TARGETS.map(() => []));
      expect(idsOf(await retriever.retrieve(TARGETS, -3, createContext()))).toEqual(TARGETS.map(() => []));
    });

    it('gives tables whose types and rows fit their columns', async () => {
      for (const { table } of (await retriever.retrieve(TARGETS, 5, createContext())).flat()) {
        expect(table.types).toHaveLength(table.columns.length);
        for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
      }
    });

    it('survives targets without a word in them', async () => {
      const results = await retriever.retrieve([createTarget('', []), createTarget('🙂', ['?'])], 3, createContext());
      expect(results).toHaveLength(2);
      for (const { score } of results.flat()) expect(Number.isFinite(score)).toBe(true);
    });

    it('stops when it is aborted', async () => {
      const context = createContext(1, AbortSignal.abort(new Error('stopped by the test')));
      await expect(retriever.retrieve(TARGETS, 5, context)).rejects.toThrow('stopped by the test');
    });

    it('leaves its input as it was', async () => {
      const input = structuredClone(TARGETS);
      await retriever.retrieve(input, 5, createContext());
      expect(input).toEqual(TARGETS);
    });
  });
}
