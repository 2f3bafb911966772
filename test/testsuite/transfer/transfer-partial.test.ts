import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/schema/schema.js';
import { openSuite } from '../../../src/testsuite/suite/open-suite.js';
import type { RunVariant } from '../../../src/testsuite/transfer/transfer-run.js';
import { transferSchema } from '../../../src/testsuite/transfer/transfer-schema.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { planPartialOf } from '../../../src/testsuite/distill/partial-plan.js';
import { readPartial } from '../../../src/testsuite/distill/read-partial.js';
import { CONCERTS } from '../../evaluate/concert-database.js';
import { writeTinySuite } from '../../evaluate/suite/tiny-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-partial-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GOLD = 'SELECT Name FROM Singer GROUP BY Country HAVING count(*) > 1';
const RENAMED: Database = {
  ...CONCERTS,
  id: 'concerts__rpl_1',
  tables: CONCERTS.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) =>
      column.originalName === 'Country' ? { ...column, name: 'nation', originalName: 'Nation' } : column,
    ),
  })),
};
const VARIANT: RunVariant = {
  schema: RENAMED,
  original: CONCERTS,
  kind: 'RPL',
  changes: [],
  golds: [{ original: GOLD, query: GOLD.replace('Country', 'Nation') }],
};

function transferred(more: (hash: string) => string) {
  const filled = [
    ['concerts', "INSERT INTO Singer VALUES (1, 'Ann', 20, 'France'), (2, 'Bob', 40, 'France'), (3, 'Cy', 5, 'Peru')"],
  ] as const;
  const path = writeTinySuite(mkdtempSync(join(folder, 'suite-')), CONCERTS, filled, [[GOLD, [], [0]]]);
  const suite = openSuite(path);
  const schema = suite.schema(CONCERTS.id)!;
  const sqlite = suite.openDatabase(CONCERTS.id, 'concerts');
  const runner = new DenotationRunner(sqlite);
  const { hash } = readPartial(planPartialOf(GOLD, CONCERTS)!, (sql) => runner.run(sql))!;
  sqlite.close();
  const golds = schema.golds.map((gold) => ({ ...gold, partial: [{ database: 0, denotation: more(hash) }] }));
  const base = { schema: { ...schema, golds }, files: [suite.bytes(CONCERTS.id, 'concerts')] };
  const change = { renames: [{ table: 'Singer', from: 'Country', to: 'Nation' }], additions: [], seed: 1 };
  return { hash, ...transferSchema(VARIANT, base, change, false) };
}

describe('transferSchema', () => {
  it('keeps what is determinate of a gold’s result', () => {
    const { file, faults, hash } = transferred((own) => own);
    expect(faults).toEqual([]);
    expect(file?.golds[0]).toMatchObject({ databases: [], partial: [{ database: 0, denotation: hash }] });
  });

  it('reports a gold of which something else is determinate', () => {
    const { file, faults } = transferred(() => 'another');
    expect(faults).toMatchObject([{ kind: 'denotation', sql: VARIANT.golds[0]?.query }]);
    expect(file?.golds).toEqual([]);
  });
});
