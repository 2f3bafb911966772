import { LRUCache } from 'lru-cache';
import { describe, expect, it } from 'vitest';
import { CandidatePool } from '../../../../src/variants/relations/names/candidate-pool.js';
import { type DrawnSchema, rewriteFor } from '../../../../src/variants/relations/names/draw-schema.js';
import { drawVariant, type VariantRequest } from '../../../../src/variants/augment/augmentation.js';
import {
  type KeptOutcome,
  keptSchema,
  type KeptVariant,
  outcomeId,
  PerturbedDataset,
} from '../../../../src/variants/augment/perturbed-dataset.js';
import { planTables } from '../../../../src/variants/candidates/plan-tables.js';
import type { Dataset, DatasetExample } from '../../../../src/formats/dataset.js';
import { RunItems } from '../../../../src/run/reported-run.js';
import type { ColumnRef } from '../../../../src/schema/schema.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import type { QuotedSql } from '../../../../src/sql/edits.js';
import type { VariantKind } from '../../../../src/variants/augment/variant-plan.js';
import {
  BIRTH_YEAR,
  datasetOf,
  decision,
  example,
  GARDEN,
  GARDENER_ID,
  HOME_COUNTRY,
  PLOT_GARDENER,
  poolOf,
} from './garden-schema.js';

const QUERY = 'SELECT home_country FROM gardener';

function asked(query: string, pool: CandidatePool, more: Partial<VariantRequest> = {}): VariantRequest {
  const one = example(query);
  return {
    database: GARDEN,
    dialect: SQLITE,
    examples: [one],
    mention: planTables(datasetOf([one]), 'mentioned').mentions.get(one.id)!,
    kind: 'RPL',
    number: 1,
    columns: 'mentioned',
    sample: 'random',
    pool,
    linkedKeys: 'same',
    abbreviate: 'never',
    addPosition: 'seeded',
    keepStar: false,
    areEquivalent: () => Promise.resolve(false),
    seed: 0,
    wholeSchemas: new LRUCache({ max: 8 }),
    ...more,
  };
}

/** A schema as it is drawn for examples, with their gold queries on it. */
interface Perturbed extends DrawnSchema {
  readonly kind: VariantKind;
  readonly queries: readonly QuotedSql[];
  readonly examples: readonly DatasetExample[];
}

async function perturb(request: VariantRequest): Promise<Perturbed | null> {
  const drawn = await drawVariant(request);
  const { kind, examples } = request;
  return drawn && { ...drawn, kind, examples, queries: examples.map(({ query }) => rewriteFor(request, drawn)(query)) };
}

const changedRefs = async (request: VariantRequest): Promise<readonly ColumnRef[]> =>
  (await perturb(request))!.changes.map(({ ref }) => ref);

describe('drawSchema', () => {
  it('renames each mentioned column and rewrites the query', async () => {
    const pool = poolOf([
      [HOME_COUNTRY, ['native land']],
      [BIRTH_YEAR, ['year of birth']],
      [PLOT_GARDENER, ['tenant id']],
    ]);
    const variant = await perturb(asked('SELECT home_country FROM gardener WHERE birth_year > 1980', pool));
    expect(variant).toMatchObject({
      kind: 'RPL',
      unmentioned: false,
      without: [],
      queries: [{ sql: 'SELECT native_land FROM gardener WHERE year_of_birth > 1980' }],
    });
    expect(variant!.schema.id).toBe(GARDEN.id);
  });

  it('adds columns and leaves a query alone that does not see them', async () => {
    const variant = await perturb(asked(QUERY, poolOf([[HOME_COUNTRY, ['shoe size']]], 'ADD'), { kind: 'ADD' }));
    expect(variant!.queries[0]!.sql).toBe(QUERY);
    expect(variant!.schema.tables[0]!.columns).toHaveLength(4);
  });

  it('renames and adds in one schema, with names that differ, where both are asked for', async () => {
    const names = [decision(HOME_COUNTRY, 'nation'), decision(HOME_COUNTRY, 'nation', { bucket: 'ADD' })];
    const pool = new CandidatePool([...names, decision(HOME_COUNTRY, 'shoe size', { bucket: 'ADD' })]);
    const variant = await perturb(asked("SELECT * FROM gardener WHERE home_country = 'x'", pool, { kind: 'mixed' }));
    expect(variant!.changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['RPL nation', 'ADD shoe size']);
    expect(variant!.queries[0]!.sql).toMatch(/nation/);
    expect(variant!.queries[0]!.sql).not.toMatch(/home_country|shoe_size|\*/);
    const [gardener] = variant!.schema.tables;
    expect(new Set(gardener!.columns.map(({ originalName }) => originalName))).toEqual(
      new Set(['gardener_id', 'nation', 'birth_year', 'shoe_size']),
    );
    expect(variant!.columns[0]!.filter((column) => column !== null)).toEqual([0, 1, 2]);
  });

  it('draws another variant for each number, and the first as before', async () => {
    const pool = poolOf([[HOME_COUNTRY, Array.from({ length: 30 }, (_, i) => `name ${i}`)]]);
    const drawn = async (number: number): Promise<string> =>
      (await perturb(asked(QUERY, pool, { number })))!.queries[0]!.sql;
    expect(new Set([await drawn(1), await drawn(2), await drawn(3)]).size).toBe(3);
    expect(await drawn(2)).toBe(await drawn(2));
  });

  it('writes out a star that an added column would widen', async () => {
    const pool = poolOf([[BIRTH_YEAR, ['shoe size']]], 'ADD');
    const variant = await perturb(asked('SELECT * FROM gardener WHERE birth_year > 1980', pool, { kind: 'ADD' }));
    expect(variant!.queries[0]!.sql).toMatch(
      /^SELECT (\w+\.)?gardener_id ?, ?(\w+\.)?home_country ?, ?(\w+\.)?birth_year FROM/,
    );
  });

  it('keeps mentioned columns without candidates and says which', async () => {
    const pool = poolOf([[HOME_COUNTRY, ['native land']]]);
    const variant = await perturb(asked('SELECT home_country , birth_year FROM gardener', pool));
    expect(variant!.without).toEqual([{ kind: 'RPL', ref: BIRTH_YEAR }]);
    expect(variant!.queries[0]!.sql).toBe('SELECT native_land , birth_year FROM gardener');
  });

  it('takes another column of the query’s tables where no mentioned one has candidates', async () => {
    const pool = poolOf([
      [BIRTH_YEAR, ['year of birth']],
      [PLOT_GARDENER, ['tenant id']],
    ]);
    expect(await changedRefs(asked(QUERY, pool, { linkedKeys: 'independent' }))).toEqual([BIRTH_YEAR]);
    const variant = await perturb(asked(QUERY, pool));
    expect(variant).toMatchObject({
      unmentioned: true,
      without: [{ kind: 'RPL', ref: HOME_COUNTRY }],
      queries: [{ sql: QUERY }],
    });
  });

  it('takes a column of another table where the query’s tables have none', async () => {
    const pool = poolOf([[PLOT_GARDENER, ['tenant id']]]);
    expect(await changedRefs(asked(QUERY, pool, { linkedKeys: 'independent' }))).toEqual([PLOT_GARDENER]);
  });

  it('perturbs a query that mentions no column', async () => {
    const variant = await perturb(asked('SELECT count(*) FROM gardener', poolOf([[HOME_COUNTRY, ['origin']]])));
    expect(variant).toMatchObject({ unmentioned: true, queries: [{ sql: 'SELECT count(*) FROM gardener' }] });
  });

  it('gives up where there is nothing to draw from', async () => {
    expect(await perturb(asked(QUERY, poolOf([])))).toBeNull();
    expect(await perturb(asked(QUERY, poolOf([[HOME_COUNTRY, ['birth year']]])))).toBeNull();
  });

  it('draws by seed and example, apart for RPL and ADD', async () => {
    const names = [...'abcdefgh'].map((letter) => `${letter} land`);
    const drawn = async (seed: number, id: string): Promise<string> => {
      const request = asked(QUERY, poolOf([[HOME_COUNTRY, names]]), { seed });
      const variant = await perturb({ ...request, examples: [{ ...request.examples[0], group: id }] });
      return variant!.changes[0]!.name;
    };
    expect(await drawn(0, 'dev:1')).toBe(await drawn(0, 'dev:1'));
    const seeds = await Promise.all([...Array(20).keys()].map((seed) => drawn(seed, 'dev:1')));
    const ids = await Promise.all([...Array(20).keys()].map((i) => drawn(0, `dev:${i}`)));
    expect(new Set(seeds).size).toBeGreaterThan(3);
    expect(new Set(ids).size).toBeGreaterThan(3);
  });
});

describe('drawVariant over whole tables', () => {
  const NAMES = poolOf([
    [HOME_COUNTRY, ['native land', 'nation of origin']],
    [BIRTH_YEAR, ['year of birth', 'born in']],
    [PLOT_GARDENER, ['tenant id', 'keeper id']],
  ]);
  const whole = (query: string, more: Partial<VariantRequest> = {}): VariantRequest =>
    asked(query, NAMES, { columns: 'all', linkedKeys: 'independent', ...more });

  it('renames every column with candidates, whatever the query mentions', async () => {
    const variant = await perturb(whole(QUERY));
    expect(variant!.changes.map(({ ref }) => ref)).toEqual([HOME_COUNTRY, BIRTH_YEAR, PLOT_GARDENER]);
    expect(variant!.unmentioned).toBe(false);
    expect(variant!.queries[0]!.sql).toMatch(/^SELECT (native_land|nation_of_origin) FROM gardener$/);
  });

  it('adds to half of the columns with candidates, drawn whatever the query mentions', async () => {
    const pool = poolOf(
      [GARDENER_ID, HOME_COUNTRY, BIRTH_YEAR, PLOT_GARDENER].map((ref, i) => [ref, [`size ${i}`]]),
      'ADD',
    );
    const drawn = async (seed: number): Promise<readonly ColumnRef[]> =>
      changedRefs(whole(QUERY, { pool, kind: 'ADD', seed }));
    const all = await Promise.all([...Array(20).keys()].map(drawn));
    expect(new Set(all.map((refs) => refs.length))).toEqual(new Set([2]));
    expect(all.some((refs) => !refs.includes(HOME_COUNTRY))).toBe(true);
  });

  it('says which columns lack names, and of which kind', async () => {
    const refs = [GARDENER_ID, HOME_COUNTRY, PLOT_GARDENER];
    const additions = refs.flatMap((ref, i) => decision(ref, `size ${i}`, { bucket: 'ADD' }));
    const pool = new CandidatePool([...additions, decision(HOME_COUNTRY, 'native land')]);
    const { without } = (await perturb(whole(QUERY, { pool, kind: 'mixed' })))!;
    const lackingIn = (kind: string): readonly ColumnRef[] =>
      without.flatMap((column) => (column.kind === kind ? [column.ref] : []));
    const [PLOT_ID, SOIL_TYPE] = [0, 2].map((column) => ({ table: 1, column }));
    expect(lackingIn('RPL')).toEqual([GARDENER_ID, BIRTH_YEAR, PLOT_ID, PLOT_GARDENER, SOIL_TYPE]);
    expect(lackingIn('ADD')).toEqual([BIRTH_YEAR, PLOT_ID, SOIL_TYPE]);
  });

  it('shares few schemas among the examples of a database', async () => {
    const variants = await Promise.all(
      [...Array(60).keys()].map((i) => {
        const request = whole(QUERY);
        return perturb({ ...request, examples: [{ ...request.examples[0], group: `dev:${i}` }] });
      }),
    );
    const schemas = new Set(variants.map((variant) => JSON.stringify(variant!.schema)));
    expect(schemas.size).toBeGreaterThan(2);
    expect(schemas.size).toBeLessThanOrEqual(8);
  });

  it('draws a schema once for a run, to the same end', async () => {
    const wholeSchemas = new LRUCache<string, DrawnSchema>({ max: 8 });
    let asked = 0;
    const areEquivalent = (): Promise<boolean> => Promise.resolve(asked++ < 0);
    const perturbAll = (more: Partial<VariantRequest>): Promise<readonly string[]> =>
      Promise.all(
        [...Array(30).keys()].map(async (i) => {
          const request = whole(i % 2 === 0 ? QUERY : 'SELECT birth_year FROM gardener', { areEquivalent, ...more });
          const examples = [{ ...request.examples[0], group: `dev:${i}` }] as const;
          return JSON.stringify(await perturb({ ...request, examples }));
        }),
      );
    const each = await perturbAll({});
    const askedByEach = asked;
    // One after another: the first of a place draws for all.
    await perturbAll({ wholeSchemas });
    asked = 0;
    expect(await perturbAll({ wholeSchemas })).toEqual(each);
    expect([askedByEach > 0, asked]).toEqual([true, 0]);
  });
});

describe('drawVariant over an interaction', () => {
  it('gives all its turns one schema, perturbed where any of them looks', async () => {
    const turnOf = (query: string, i: number): DatasetExample => ({ ...example(query, `dev:0.${i}`), group: 'dev:0' });
    const turns = [turnOf(QUERY, 0), turnOf('SELECT birth_year FROM gardener', 1)] as const;
    const pool = poolOf([
      [HOME_COUNTRY, ['native land']],
      [BIRTH_YEAR, ['year of birth']],
    ]);
    const request = asked('SELECT home_country , birth_year FROM gardener', pool, { examples: turns });
    expect((await perturb(request))!.queries.map(({ sql }) => sql)).toEqual([
      'SELECT native_land FROM gardener',
      'SELECT year_of_birth FROM gardener',
    ]);
  });
});

describe('PerturbedDataset', () => {
  const variantOf = async (name: string, one = example(QUERY)): Promise<Perturbed> =>
    (await perturb(asked(QUERY, poolOf([[HOME_COUNTRY, [name]]]), { examples: [one] })))!;

  const idsOf = (output: PerturbedDataset): readonly string[] => Array.from(output.schemas, ({ schema }) => schema.id);

  const prepare = (output: PerturbedDataset, { kind, examples, queries, ...drawn }: Perturbed): KeptVariant => {
    const turns = examples.map(({ id }, i) => ({ id, query: queries[i]! }));
    return output.prepare(GARDEN, kind, drawn, turns);
  };

  /** A data set, and how a variant of an example is added to it. */
  function collect(dataset: Dataset): [PerturbedDataset, (to: string, group: Perturbed) => void] {
    const kept = new RunItems<KeptOutcome>();
    const output = new PerturbedDataset(dataset, kept);
    const add = (to: string, group: Perturbed): void => {
      const variant = prepare(output, group);
      const slot = { kind: group.kind, number: 1 };
      kept.keep([[outcomeId(to, slot), { variant, skipped: [] }]]);
      output.addVariant(to, slot, variant);
    };
    return [output, add];
  }

  it('gives no id that the input has', async () => {
    const [output, add] = collect(datasetOf([], [GARDEN, { ...GARDEN, id: 'garden__rpl_1' }]));
    add('dev:0', await variantOf('origin'));
    expect(idsOf(output)).toEqual(['garden__rpl_2']);
  });

  it('gives equal schemas one db_id, numbers the others, and keeps originals as they are', async () => {
    const examples = [0, 1, 2].map((i) => example(QUERY, `dev:${i}`));
    const [output, add] = collect(datasetOf(examples));
    output.addOriginal(GARDEN);
    for (const [i, name] of ['native land', 'origin', 'native land'].entries())
      add(`dev:${i}`, await variantOf(name, examples[i]));
    const ids = ['garden', 'garden__rpl_1', 'garden', 'garden__rpl_2', 'garden', 'garden__rpl_1'];
    const written = [...output.examples()];
    expect(written.map(({ schema }) => schema.schema.id)).toEqual(ids);
    expect(idsOf(output)).toEqual(['garden', 'garden__rpl_1', 'garden__rpl_2']);
    expect(written[0]!.source).toBe(examples[0]);
    const provenance = [...output.provenance()];
    expect(provenance.map(({ index, kind, db_id }) => [index, kind, db_id])).toEqual(
      ids.map((id, i) => [i, i % 2 === 0 ? 'original' : 'RPL', id]),
    );
    expect(provenance[1]!.changes).toMatchObject([
      { table: 'gardener', column: 'home_country', candidate: 'native land', identifier: 'native_land' },
    ]);
  });

  it.each(['RPL', 'ADD'] as const)('makes a %s schema again of what is kept as JSON', async (kind) => {
    const pool = poolOf(
      [
        [HOME_COUNTRY, ['native land']],
        [BIRTH_YEAR, ['year of birth']],
      ],
      kind,
    );
    const query = 'SELECT home_country , birth_year FROM gardener';
    for (const seed of [0, 1, 2, 3]) {
      const group = (await perturb(asked(query, pool, { kind, seed })))!;
      const kept = prepare(new PerturbedDataset(datasetOf([])), group);
      const { schema, columns } = keptSchema(GARDEN, JSON.parse(JSON.stringify(kept)) as KeptVariant);
      expect(schema).toEqual({ ...group.schema, id: `garden__${kind.toLowerCase()}_1` });
      expect(columns).toEqual(group.columns);
    }
  });

  it('keeps a variant that Spider’s structure has no form for', async () => {
    const query = 'SELECT home_country FROM gardener WHERE birth_year IN (1980, 1990)';
    const given = example(query);
    const [output, add] = collect(datasetOf([given]));
    output.addOriginal(GARDEN);
    const variant = await perturb(asked(query, poolOf([[GARDENER_ID, ['grower id']]])));
    const withStructure = { ...given, record: { ...given.record, sql: {} } };
    add(given.id, { ...variant!, examples: [withStructure] });
    expect([...output.examples()]).toHaveLength(2);
  });
});
