import fc from 'fast-check';
import type { CandidateDecision } from '../../../../src/formats/artifacts/candidates.js';
import type { Dataset, DatasetExample } from '../../../../src/formats/dataset.js';
import type { SpiderExample } from '../../../../src/formats/spider-dataset.js';
import { CandidatePool } from '../../../../src/variants/relations/names/candidate-pool.js';
import type { ColumnChange, DrawRequest } from '../../../../src/variants/relations/names/draw-perturbation.js';
import type { Column, ColumnRef, Database } from '../../../../src/schema/schema.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { acceptedDecision } from '../../../e2e/example-data.js';

const column = (name: string, type: Column['type'] = 'text'): Column => ({
  name,
  originalName: name.replaceAll(' ', '_'),
  type,
});

/** Two tables linked by a key of one name. */
export const GARDEN: Database = {
  id: 'garden',
  tables: [
    {
      name: 'gardener',
      originalName: 'gardener',
      columns: [column('gardener id', 'number'), column('home country'), column('birth year', 'number')],
    },
    {
      name: 'plot',
      originalName: 'plot',
      columns: [column('plot id', 'number'), column('gardener id', 'number'), column('soil type')],
    },
  ],
  primaryKeys: [
    { table: 0, column: 0 },
    { table: 1, column: 0 },
  ],
  foreignKeys: [{ from: { table: 1, column: 1 }, to: { table: 0, column: 0 } }],
};

export const GARDENER_ID: ColumnRef = { table: 0, column: 0 };
export const HOME_COUNTRY: ColumnRef = { table: 0, column: 1 };
export const BIRTH_YEAR: ColumnRef = { table: 0, column: 2 };
export const PLOT_GARDENER: ColumnRef = { table: 1, column: 1 };

/** An accepted candidate for a column of the garden. */
export function decision(
  { table, column: position }: ColumnRef,
  candidate: string,
  more: Partial<CandidateDecision> = {},
): CandidateDecision {
  const { name, columns } = GARDEN.tables[table]!;
  return acceptedDecision({ db_id: GARDEN.id, table: name, column: columns[position]!.name, candidate, ...more });
}

/** A pool with the given names for each column. */
export function poolOf(
  names: readonly (readonly [ColumnRef, readonly string[]])[],
  bucket: CandidateDecision['bucket'] = 'RPL',
): CandidatePool {
  return new CandidatePool(names.flatMap(([ref, list]) => list.map((name) => decision(ref, name, { bucket }))));
}

/** A request for the garden in which no two names mean the same, unless told otherwise. */
export function request(pool: CandidatePool, more: Partial<DrawRequest> = {}): DrawRequest {
  return {
    database: GARDEN,
    columns: [HOME_COUNTRY, BIRTH_YEAR],
    kind: 'RPL',
    pool,
    sample: 'random',
    linkedKeys: 'same',
    abbreviate: 'never',
    areEquivalent: () => Promise.resolve(false),
    ...more,
  };
}

/** A change of a column to a name, as drawn. */
export function change(ref: ColumnRef, name: string, kind: ColumnChange['kind'] = 'RPL'): ColumnChange {
  const chosen = decision(ref, name, { bucket: kind });
  return { kind, ref, name, originalName: name.replaceAll(' ', '_'), decision: chosen };
}

export function example(query: string, id = 'dev:0'): SpiderExample {
  const record = { db_id: GARDEN.id, question: 'Which?', query };
  return { id, group: id, dbId: GARDEN.id, question: record.question, query, record };
}

/** A data set in memory, of the garden unless told otherwise, without rows. */
export function datasetOf(examples: readonly DatasetExample[], databases: readonly Database[] = [GARDEN]): Dataset {
  return {
    format: 'spider',
    dialect: SQLITE,
    databases: new Map(databases.map((database) => [database.id, database])),
    size: examples.length,
    skipped: [],
    fingerprints: {},
    examples: () => examples,
    sampleValues: ({ tables }) => tables.map(({ columns }) => columns.map(() => [])),
    hasRows: () => false,
    sqliteFile: () => null,
  };
}

/** Every column of the garden. */
export const ALL_COLUMNS: readonly ColumnRef[] = GARDEN.tables.flatMap(({ columns }, table) =>
  columns.map((_, position) => ({ table, column: position })),
);

/** Names that often are one name in another spelling, or one that the garden has already. */
const anyName: fc.Arbitrary<string> = fc.constantFrom(
  'native land',
  'Native Land',
  'native_land',
  'native lands',
  'year of birth',
  'years of birth',
  'soil',
  'plot',
  'gardener',
  'birth year',
  'Soil-Type',
  'owner',
  'owners',
  'tenant id',
  '!!!',
);

/** Up to six names for each column of the garden. */
export const anyNames: fc.Arbitrary<readonly (readonly [ColumnRef, readonly string[]])[]> = fc
  .array(fc.array(anyName, { maxLength: 6 }), { minLength: ALL_COLUMNS.length, maxLength: ALL_COLUMNS.length })
  .map((lists) => lists.map((list, i) => [ALL_COLUMNS[i]!, list] as const));
