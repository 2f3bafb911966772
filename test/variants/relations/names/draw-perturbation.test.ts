import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandidatePool } from '../../../../src/variants/relations/names/candidate-pool.js';
import {
  type ColumnWithout,
  type DrawnPerturbation,
  type DrawRequest,
  drawPerturbation,
} from '../../../../src/variants/relations/names/draw-perturbation.js';
import { changedSchema, placeAdditions } from '../../../../src/variants/relations/names/perturbed-schema.js';
import { createRng } from '../../../../src/seeded-rng.js';
import { columnNameKey } from '../../../../src/schema/name-identity.js';
import type { ColumnRef, Database } from '../../../../src/schema/schema.js';
import {
  ALL_COLUMNS,
  anyNames,
  BIRTH_YEAR,
  change,
  decision,
  GARDEN,
  GARDENER_ID,
  HOME_COUNTRY,
  PLOT_GARDENER,
  poolOf,
  request,
} from './garden-schema.js';

const draw = (asked: DrawRequest, seed = 0): Promise<DrawnPerturbation> =>
  drawPerturbation(asked, createRng(seed, 'x'));
const without = (ref: ColumnRef): ColumnWithout => ({ kind: 'RPL', ref });
const namesOf = ({ changes }: DrawnPerturbation): string[] => changes.map(({ name }) => name);

/** How often a name is in a table, as words and as identifier: 1 for each where names are distinct. */
function expectDistinctNames({ tables }: Database): void {
  for (const { columns } of tables) {
    expect(new Set(columns.map(({ name }) => columnNameKey(name))).size).toBe(columns.length);
    expect(new Set(columns.map(({ originalName }) => originalName.toLowerCase())).size).toBe(columns.length);
    for (const { originalName } of columns) expect(originalName).not.toBe('');
  }
}

describe('drawPerturbation', () => {
  it('draws no name that is longer by half than the longest of the schema', async () => {
    // The longest, "home_country", has twelve characters.
    const pool = poolOf([[HOME_COUNTRY, ['country of a birth', 'country of the birth']]]);
    const drawn = await draw(request(pool, { columns: [HOME_COUNTRY] }));
    expect(drawn.changes.map(({ originalName }) => originalName)).toEqual(['country_of_a_birth']);
    const none = await draw(request(poolOf([[HOME_COUNTRY, ['country of the origins']]]), { columns: [HOME_COUNTRY] }));
    expect(none).toMatchObject({ changes: [], without: [without(HOME_COUNTRY)] });
  });

  it('keeps names that people chose, whatever their length', async () => {
    const chosen = decision(HOME_COUNTRY, 'country of the origins', { reason: 'annotated', source: 'annotation' });
    const drawn = await draw(request(new CandidatePool([chosen]), { columns: [HOME_COUNTRY] }));
    expect(drawn.changes.map(({ originalName }) => originalName)).toEqual(['country_of_the_origins']);
  });

  it('draws one candidate per column and writes it in the style of the schema', async () => {
    const pool = poolOf([
      [HOME_COUNTRY, ['native land']],
      [BIRTH_YEAR, ['year of birth']],
    ]);
    const drawn = await draw(request(pool));
    expect(drawn.changes).toMatchObject([
      { ref: HOME_COUNTRY, name: 'native land', originalName: 'native_land', kind: 'RPL' },
      { ref: BIRTH_YEAR, name: 'year of birth', originalName: 'year_of_birth', kind: 'RPL' },
    ]);
    expect(drawn).toMatchObject({ redraws: 0, without: [] });
  });

  it.each([
    ['a column of the table', 'birth year'],
    ['it in other spelling', 'Birth-Years'],
    ['the table itself', 'gardener'],
    ['the table itself in the plural', 'Gardeners'],
    ['the column that is replaced', 'home country'],
    ['nothing but punctuation', '!!!'],
  ])('puts back a candidate that is named as %s', async (_, name) => {
    const drawn = await draw(request(poolOf([[HOME_COUNTRY, [name]]]), { columns: [HOME_COUNTRY] }));
    expect(drawn).toEqual({ changes: [], redraws: 1, without: [without(HOME_COUNTRY)] });
  });

  it('takes the name of another table’s column', async () => {
    const drawn = await draw(request(poolOf([[HOME_COUNTRY, ['soil type']]]), { columns: [HOME_COUNTRY] }));
    expect(namesOf(drawn)).toEqual(['soil type']);
  });

  it('compares identifiers without case, as SQLite does', async () => {
    const camel: Database = {
      ...GARDEN,
      tables: [
        {
          name: 'person',
          originalName: 'Person',
          // "homeland" and "home land" are two names in words, and one identifier.
          columns: [
            { name: 'first', originalName: 'homeLand', type: 'text' },
            { name: 'country', originalName: 'homeCountry', type: 'text' },
          ],
        },
      ],
      primaryKeys: [],
      foreignKeys: [],
    };
    const pool = poolOf([]);
    const of = (): ReturnType<typeof pool.of> => poolOf([[HOME_COUNTRY, ['homeland']]]).of(GARDEN, HOME_COUNTRY, 'RPL');
    const asked = { ...request(Object.assign(pool, { of })), database: camel, columns: [{ table: 0, column: 1 }] };
    expect(await draw(asked)).toMatchObject({ changes: [], redraws: 1 });
  });

  it('draws again where a name was drawn before in another spelling, and counts it', async () => {
    const pool = poolOf([
      [HOME_COUNTRY, ['origin']],
      [BIRTH_YEAR, ['Origins', 'year of birth']],
    ]);
    const drawn = await Promise.all([...Array(20).keys()].map((seed) => draw(request(pool), seed)));
    for (const one of drawn) expect(namesOf(one)).toEqual(['origin', 'year of birth']);
    expect(new Set(drawn.map(({ redraws }) => redraws))).toEqual(new Set([0, 1]));
  });

  it('asks whether two new names of one table mean the same, and keeps but one of them', async () => {
    const pool = poolOf([
      [HOME_COUNTRY, ['native land']],
      [BIRTH_YEAR, ['homeland']],
      [PLOT_GARDENER, ['homeland id']],
    ]);
    const asked: string[][] = [];
    const areEquivalent: DrawRequest['areEquivalent'] = (_, __, a, b) => {
      asked.push([a.name, b.name]);
      return Promise.resolve(true);
    };
    const columns = [HOME_COUNTRY, BIRTH_YEAR, PLOT_GARDENER];
    const drawn = await draw(request(pool, { areEquivalent, columns, linkedKeys: 'independent' }));
    expect(namesOf(drawn)).toEqual(['native land', 'homeland id']);
    expect(drawn.without).toEqual([without(BIRTH_YEAR)]);
    expect(asked).toEqual([['homeland', 'native land']]);
  });

  it('draws each candidate at some time', async () => {
    const names = ['a land', 'b land', 'c land', 'd land'];
    const asked = request(poolOf([[HOME_COUNTRY, names]]), { columns: [HOME_COUNTRY] });
    const drawn = await Promise.all([...Array(40).keys()].map((seed) => draw(asked, seed)));
    expect(new Set(drawn.flatMap(namesOf))).toEqual(new Set(names));
  });
});

describe('linked keys', () => {
  const pool = poolOf([
    [GARDENER_ID, ['grower id', 'planter id']],
    [PLOT_GARDENER, ['tenant id', 'owner id']],
  ]);

  it('get one name where they are to be the same', async () => {
    for (const columns of [[GARDENER_ID], [GARDENER_ID, PLOT_GARDENER], [PLOT_GARDENER, GARDENER_ID]]) {
      const { changes } = await draw(request(pool, { columns }));
      expect(changes.map(({ ref }) => ref)).toEqual(expect.arrayContaining([GARDENER_ID, PLOT_GARDENER]));
      expect(changes).toHaveLength(2);
      expect(new Set(changes.map(({ originalName }) => originalName)).size).toBe(1);
    }
  });

  it('get a name that fits both tables', async () => {
    // "soil type" fits the gardener but is a column of the plot.
    const clashing = poolOf([[GARDENER_ID, ['soil type']]]);
    const drawn = await draw(request(clashing, { columns: [GARDENER_ID, PLOT_GARDENER] }));
    expect(drawn).toMatchObject({ changes: [], redraws: 1, without: [GARDENER_ID, PLOT_GARDENER].map(without) });
  });

  it('give no other column their names', async () => {
    const drawn = await draw(request(poolOf([[HOME_COUNTRY, ['plot id']]]), { columns: [HOME_COUNTRY] }));
    expect(drawn).toMatchObject({ changes: [], redraws: 1, without: [without(HOME_COUNTRY)] });
    // Unless it is linked with them.
    const linked = new CandidatePool([decision(PLOT_GARDENER, 'gardener id', { column: 'tenant id' })]);
    const garden = changedSchema(GARDEN, GARDEN.id, [change(PLOT_GARDENER, 'tenant id')], []).schema;
    const same = await draw(request(linked, { database: garden, columns: [PLOT_GARDENER] }));
    expect(same.changes).toHaveLength(1);
  });

  it('get names of their own where they are independent', async () => {
    const asked = request(pool, { columns: [GARDENER_ID, PLOT_GARDENER], linkedKeys: 'independent' });
    const [grower, tenant] = namesOf(await draw(asked));
    expect(['grower id', 'planter id']).toContain(grower);
    expect(['tenant id', 'owner id']).toContain(tenant);
  });

  it('matter to RPL only: an added column is one column', async () => {
    const added = poolOf([[GARDENER_ID, ['shoe size']]], 'ADD');
    const { changes } = await draw(request(added, { columns: [GARDENER_ID, PLOT_GARDENER], kind: 'ADD' }));
    expect(changes.map(({ ref }) => ref)).toEqual([GARDENER_ID]);
  });
});

describe('whatever is drawn', () => {
  const linkedKeys = fc.constantFrom('same' as const, 'independent' as const);

  it('leaves the names of every table distinct when columns are renamed', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames, linkedKeys, fc.nat(), async (names, keys, seed) => {
        const drawn = await draw(request(poolOf(names), { columns: ALL_COLUMNS, linkedKeys: keys }), seed);
        expectDistinctNames(changedSchema(GARDEN, 'p', drawn.changes, []).schema);
      }),
    );
  });

  it('leaves the names of every table distinct when columns are added', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames, fc.nat(), async (names, seed) => {
        const asked = request(poolOf(names, 'ADD'), { columns: ALL_COLUMNS, kind: 'ADD' });
        const { changes } = await draw(asked, seed);
        expectDistinctNames(
          changedSchema(GARDEN, 'p', changes, placeAdditions(GARDEN, changes, createRng(seed, 'y'))).schema,
        );
      }),
    );
  });

  it('is the same for the same seed, and accounts for every column', async () => {
    await fc.assert(
      fc.asyncProperty(anyNames, fc.nat(), async (names, seed) => {
        const asked = request(poolOf(names), { columns: ALL_COLUMNS, linkedKeys: 'independent' });
        const drawn = await draw(asked, seed);
        expect(await draw(asked, seed)).toEqual(drawn);
        expect(drawn.changes.length + drawn.without.length).toBe(ALL_COLUMNS.length);
      }),
    );
  });
});
