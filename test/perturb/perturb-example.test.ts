import { describe, expect, it } from 'vitest';
import type { CandidatePool } from '../../src/perturb/candidate-pool.js';
import { perturbExample, type PerturbRequest } from '../../src/perturb/perturb-example.js';
import { PerturbedDataset } from '../../src/perturb/perturbed-dataset.js';
import { planTables } from '../../src/perturb/plan-tables.js';
import type { ColumnRef } from '../../src/schema/schema.js';
import { BIRTH_YEAR, example, GARDEN, GARDENER_ID, HOME_COUNTRY, PLOT_GARDENER, poolOf } from './garden-schema.js';

const QUERY = 'SELECT home_country FROM gardener';

function asked(query: string, pool: CandidatePool, more: Partial<PerturbRequest> = {}): PerturbRequest {
  const one = example(query);
  const dataset = {
    databases: new Map([[GARDEN.id, GARDEN]]),
    examples: [one],
    records: new Map(),
    sampleValues: () => [[], []],
  };
  return {
    database: GARDEN,
    example: one,
    mention: planTables(dataset, 'mentioned').mentions.get(one.id)!,
    kind: 'RPL',
    pool,
    linkedKeys: 'same',
    areEquivalent: () => Promise.resolve(false),
    seed: 0,
    ...more,
  };
}
const changedRefs = async (request: PerturbRequest): Promise<readonly ColumnRef[]> =>
  (await perturbExample(request))!.changes.map(({ ref }) => ref);

describe('perturbExample', () => {
  it('renames each mentioned column and rewrites the query', async () => {
    const pool = poolOf([
      [HOME_COUNTRY, ['native land']],
      [BIRTH_YEAR, ['year of birth']],
      [PLOT_GARDENER, ['tenant id']],
    ]);
    const variant = await perturbExample(asked('SELECT home_country FROM gardener WHERE birth_year > 1980', pool));
    expect(variant).toMatchObject({
      kind: 'RPL',
      unmentioned: false,
      without: [],
      sql: { sql: 'SELECT native_land FROM gardener WHERE year_of_birth > 1980' },
    });
    expect(variant!.schema.id).toBe(GARDEN.id);
  });

  it('adds columns and leaves a query alone that does not see them', async () => {
    const variant = await perturbExample(asked(QUERY, poolOf([[HOME_COUNTRY, ['shoe size']]], 'ADD'), { kind: 'ADD' }));
    expect(variant!.sql.sql).toBe(QUERY);
    expect(variant!.schema.tables[0]!.columns).toHaveLength(4);
  });

  it('writes out a star that an added column would widen', async () => {
    const pool = poolOf([[BIRTH_YEAR, ['shoe size']]], 'ADD');
    const variant = await perturbExample(
      asked('SELECT * FROM gardener WHERE birth_year > 1980', pool, { kind: 'ADD' }),
    );
    expect(variant!.sql.sql).toMatch(
      /^SELECT (\w+\.)?gardener_id ?, ?(\w+\.)?home_country ?, ?(\w+\.)?birth_year FROM/,
    );
  });

  it('keeps mentioned columns without candidates and says which', async () => {
    const pool = poolOf([[HOME_COUNTRY, ['native land']]]);
    const variant = await perturbExample(asked('SELECT home_country , birth_year FROM gardener', pool));
    expect(variant!.without).toEqual([BIRTH_YEAR]);
    expect(variant!.sql.sql).toBe('SELECT native_land , birth_year FROM gardener');
  });

  it('takes another column of the query’s tables where no mentioned one has candidates', async () => {
    const pool = poolOf([
      [BIRTH_YEAR, ['year of birth']],
      [PLOT_GARDENER, ['tenant id']],
    ]);
    expect(await changedRefs(asked(QUERY, pool, { linkedKeys: 'independent' }))).toEqual([BIRTH_YEAR]);
    const variant = await perturbExample(asked(QUERY, pool));
    expect(variant).toMatchObject({ unmentioned: true, without: [HOME_COUNTRY], sql: { sql: QUERY } });
  });

  it('takes a column of another table where the query’s tables have none', async () => {
    const pool = poolOf([[PLOT_GARDENER, ['tenant id']]]);
    expect(await changedRefs(asked(QUERY, pool, { linkedKeys: 'independent' }))).toEqual([PLOT_GARDENER]);
  });

  it('perturbs a query that mentions no column', async () => {
    const variant = await perturbExample(asked('SELECT count(*) FROM gardener', poolOf([[HOME_COUNTRY, ['origin']]])));
    expect(variant).toMatchObject({ unmentioned: true, sql: { sql: 'SELECT count(*) FROM gardener' } });
  });

  it('gives up where there is nothing to draw from', async () => {
    expect(await perturbExample(asked(QUERY, poolOf([])))).toBeNull();
    expect(await perturbExample(asked(QUERY, poolOf([[HOME_COUNTRY, ['birth year']]])))).toBeNull();
  });

  it('draws by seed and example, apart for RPL and ADD', async () => {
    const names = [...'abcdefgh'].map((letter) => `${letter} land`);
    const drawn = async (seed: number, id: string): Promise<string> => {
      const request = asked(QUERY, poolOf([[HOME_COUNTRY, names]]), { seed });
      const variant = await perturbExample({ ...request, example: { ...request.example, id } });
      return variant!.changes[0]!.name;
    };
    expect(await drawn(0, 'dev:1')).toBe(await drawn(0, 'dev:1'));
    const seeds = await Promise.all([...Array(20).keys()].map((seed) => drawn(seed, 'dev:1')));
    const ids = await Promise.all([...Array(20).keys()].map((i) => drawn(0, `dev:${i}`)));
    expect(new Set(seeds).size).toBeGreaterThan(3);
    expect(new Set(ids).size).toBeGreaterThan(3);
  });
});

describe('PerturbedDataset', () => {
  it('gives no id that the input has', async () => {
    const output = new PerturbedDataset(new Set(['garden__rpl_1']));
    const variant = await perturbExample(asked(QUERY, poolOf([[HOME_COUNTRY, ['origin']]])));
    output.addVariant(example(QUERY), GARDEN, variant!);
    expect(output.schemas.map(({ id }) => id)).toEqual(['garden__rpl_2']);
  });

  it('gives equal schemas one db_id, numbers the others, and keeps originals as they are', async () => {
    const output = new PerturbedDataset();
    const one = example(QUERY);
    output.addOriginal(one);
    const variantOf = async (name: string): Promise<void> =>
      output.addVariant(one, GARDEN, (await perturbExample(asked(QUERY, poolOf([[HOME_COUNTRY, [name]]]))))!);
    await variantOf('native land');
    await variantOf('origin');
    await variantOf('native land');
    const ids = ['garden', 'garden__rpl_1', 'garden__rpl_2', 'garden__rpl_1'];
    expect(output.records.map(({ db_id }) => db_id)).toEqual(ids);
    expect(output.schemas.map(({ id }) => id)).toEqual(['garden__rpl_1', 'garden__rpl_2']);
    expect(output.records[0]).toBe(one.record);
    expect(output.provenance.map(({ index, kind }) => [index, kind])).toEqual([
      [0, 'original'],
      [1, 'RPL'],
      [2, 'RPL'],
      [3, 'RPL'],
    ]);
    expect(output.provenance[1]!.changes).toMatchObject([
      { table: 'gardener', column: 'home_country', candidate: 'native land', identifier: 'native_land' },
    ]);
  });

  it('adds nothing of a variant that Spider’s structure has no form for', async () => {
    const output = new PerturbedDataset();
    const query = 'SELECT home_country FROM gardener WHERE birth_year IN (1980, 1990)';
    const variant = await perturbExample(asked(query, poolOf([[GARDENER_ID, ['grower id']]])));
    const given = example(query);
    const withStructure = { ...given, record: { ...given.record, sql: {} } };
    expect(() => output.addVariant(withStructure, GARDEN, variant!)).toThrow(/Spider's structure has no form/);
    expect(output).toMatchObject({ records: [], schemas: [], provenance: [] });
    // An input that has no structure to keep up with loses nothing.
    output.addVariant(given, GARDEN, variant!);
    expect(output.records).toHaveLength(1);
    expect(output.records[0]).not.toHaveProperty('sql');
  });
});
