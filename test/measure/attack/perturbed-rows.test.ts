import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addedNamesIn, PerturbedRows } from '../../../src/measure/attack/perturbed-rows.js';
import { TablePerturber } from '../../../src/measure/attack/table-perturber.js';
import { type AttackGroup, originalTables, type TableSet } from '../../../src/measure/attack/table-set.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { PERTURB_DEFAULTS } from '../../../src/variants/augment/variant-plan.js';
import { planTables } from '../../../src/variants/candidates/plan-tables.js';
import type { QueryOutcome } from '../../../src/sql/execution/query-outcome.js';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { candidatesFor, DATA, temporaryFolder } from './attack-fixture.js';

describe('the added columns that a query reads', () => {
  const added = new Set(['former name', 'age']);
  it.each<[string, readonly string[] | 'all']>([
    ['SELECT name FROM singer', []],
    ['SELECT count(*), COUNT ( * ) FROM singer', []],
    ['SELECT "Former Name" FROM singer', ['former name']],
    ['SELECT T1.AGE FROM singer AS T1', ['age']],
    ["SELECT name FROM singer WHERE 'age' = 'age'", ['age']],
    ['SELECT * FROM singer', 'all'],
    ['SELECT T1.* FROM singer AS T1', 'all'],
    ['SELECT name FROM singer NATURAL JOIN song', 'all'],
    ["SELECT 'open", 'all'],
    ['SELECT name /* age, * */ FROM singer -- *', []],
  ])('%s', (sql, expected) => {
    const found = addedNamesIn(sql, added);
    expect(found === 'all' ? found : [...found]).toEqual(expected);
  });
});

interface World {
  readonly rows: PerturbedRows;
  readonly group: AttackGroup;
  readonly tables: Readonly<Record<'RPL' | 'ADD', TableSet>>;
  readonly scratch: string;
  readonly run: (tables: TableSet, sql: string) => Promise<QueryOutcome>;
}

async function createWorld(): Promise<World> {
  const dataset = await loadDataset({ dataset: 'spider', ...DATA, connection: null });
  const scratch = join(temporaryFolder(), 'scratch');
  const rows = new PerturbedRows({ dataset, scratch, sourceValues: { of: () => [] } });
  const runner = new QueryRunner({ jobs: 1 });
  onTestFinished(async () => {
    await runner.close();
    rows.dispose();
  });
  const [first] = [...dataset.examples()];
  const database = dataset.databases.get(first!.dbId)!;
  const mention = planTables(dataset, 'mentioned').mentions.get(first!.id)!;
  const group: AttackGroup = { id: first!.id, database, examples: [first!], mention };
  const options = { ...PERTURB_DEFAULTS, sample: 'random' } as const;
  const perturber = new TablePerturber(candidatesFor(1), dataset.dialect, options);
  const tables = { RPL: await perturber.draw(group, 'RPL', 0), ADD: await perturber.draw(group, 'ADD', 0) };
  const { signal } = new AbortController();
  const run = (set: TableSet, sql: string): Promise<QueryOutcome> =>
    runner.run({ ...rows.sourceOf(database, set, [sql])!, sql }, signal);
  return { rows, group, tables, scratch, run };
}

describe('rows of perturbed tables', () => {
  it('are those of the original under new names', async () => {
    const { tables, run, group } = await createWorld();
    const original = await run(originalTables(group), 'SELECT home_country FROM gardener ORDER BY 1');
    expect(original.kind).toBe('rows');
    const renamed = await run(tables.RPL, 'SELECT home_country_label FROM gardener ORDER BY 1');
    expect(renamed).toMatchObject({ rows: (original as { rows: unknown }).rows });
    expect(await run(tables.RPL, 'SELECT home_country FROM gardener')).toMatchObject({ kind: 'failed' });
  });

  it('hold the values that an added column is shown with', async () => {
    const { tables, run, rows, group, scratch } = await createWorld();
    const { schema } = tables.ADD;
    const t = schema.tables.findIndex(({ originalName }) => originalName === 'gardener');
    const c = schema.tables[t]!.columns.findIndex(({ originalName }) => originalName === 'former_home_country');
    const samples = rows.samplesOf(group.database, tables.ADD)[t]![c]!;
    expect(samples.length).toBeGreaterThan(0);
    const named = await run(tables.ADD, 'SELECT DISTINCT CAST(former_home_country AS TEXT) FROM gardener');
    const values = (named as { rows: readonly (readonly unknown[])[] }).rows.map(([value]) => value);
    for (const sample of samples) expect(values).toContain(sample);
    const all = await run(tables.ADD, 'SELECT * FROM gardener');
    expect((all as { columns: readonly string[] }).columns).toEqual(
      schema.tables[t]!.columns.map(({ originalName }) => originalName),
    );
    expect(existsSync(scratch)).toBe(true);
  });

  it('are read from the original where no added column is', async () => {
    const { tables, rows, group } = await createWorld();
    const count = 'SELECT count(*) FROM gardener';
    const source = rows.sourceOf(group.database, tables.ADD, [count, count]);
    expect(source).toEqual({ file: join(DATA.databases, 'community_garden/community_garden.sqlite') });
    // Both are executed on the same rows: what one of them reads is there for the other.
    const either = rows.sourceOf(group.database, tables.ADD, ['SELECT * FROM gardener', count]);
    expect(either).toEqual(rows.sourceOf(group.database, tables.ADD, ['SELECT * FROM gardener']));
    expect(either!.setup).toHaveLength(1);
  });
});
