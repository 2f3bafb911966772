import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { MutantMaterializer } from '../../../src/metamorphic/database/mutant-materializer.js';
import { seedCase } from '../../../src/metamorphic/mutation-case.js';
import type { Database } from '../../../src/schema/schema.js';
import { executableSql } from '../../../src/sql/execution/executable-sql.js';
import { openRandom, randomQuery, randomTown } from '../../sql/random-queries.js';
import { mutateOne } from '../cases.js';
import { schemaRelations } from './schema-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rows as a bag; null where the query fails. */
function rowsOf(sqlite: Sqlite.Database, sql: string, schema: Database): readonly string[] | null {
  try {
    const rows = sqlite.prepare(executableSql(sql, schema)).raw().safeIntegers().all();
    const text = (cell: unknown): unknown => (typeof cell === 'bigint' ? `${cell}n` : cell);
    return rows.map((row) => JSON.stringify((row as unknown[]).map(text))).sort();
  } catch {
    return null;
  }
}

const townWithQuery = randomTown.chain((town) => fc.tuple(fc.constant(town), randomQuery(town.database)));

describe('mutants of random schemas', () => {
  it('give the gold the rows that it gave on the original', async () => {
    let compared = 0;
    const [source, target] = [join(folder, 'source.sqlite'), join(folder, 'target.sqlite')];
    await fc.assert(
      fc.asyncProperty(townWithQuery, async ([town, query]) => {
        const sqlite = openRandom(town, town.database);
        const expected = rowsOf(sqlite, query, town.database);
        rmSync(source, { force: true });
        await sqlite.backup(source);
        sqlite.close();
        fc.pre(expected !== null);
        const one = seedCase({ id: 'own:0', dbId: 'random', question: '?', query }, town.database);
        const materializer = new MutantMaterializer(source, town.database);
        for (const relation of schemaRelations()) {
          const result = await mutateOne(relation, one, 1);
          for (const mutation of 'reason' in result ? [] : result) {
            materializer.write(mutation.mutated!, target);
            const mutant = new Sqlite(target, { readonly: true });
            const label = `${mutation.detail}: ${mutation.query}`;
            expect([label, rowsOf(mutant, mutation.query, mutation.mutated!.schema)]).toEqual([label, expected]);
            mutant.close();
            compared++;
          }
        }
        materializer.close();
      }),
      { numRuns: 20 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});
