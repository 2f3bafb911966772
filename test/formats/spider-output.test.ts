import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dataset, DatasetPaths } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import type { OutputSchema, OutputSet } from '../../src/formats/output-set.js';
import { tableTextChanges } from '../../src/formats/schema-text/table-texts.js';
import { renderGoldLine, writeSpiderDataset } from '../../src/formats/spider-output.js';
import { writeDurably } from '../../src/run/durable-file.js';
import { POSTGRESQL } from '../../src/sql/postgresql-dialect.js';
import { createFolder, TOWN } from './format-fixture.js';
import { added, renamed, setWith } from './variant-fixture.js';

const PATHS: DatasetPaths = {
  dataset: 'spider',
  tables: 'examples/tables.json',
  examples: 'examples/dev.json',
  databases: null,
  connection: null,
};

/** A data set as it was read, to be written again. */
function unchanged(input: Dataset): OutputSet {
  const schemas = new Map(
    [...input.databases.values()].map((schema): [string, OutputSchema] => [
      schema.id,
      { schema, origin: schema.id, columns: schema.tables.map(({ columns }) => columns.map((_, c) => c)) },
    ]),
  );
  return {
    input,
    schemas: [...schemas.values()],
    *examples() {
      for (const source of input.examples())
        yield { source, kind: 'original', schema: schemas.get(source.dbId)!, query: source.query };
    },
    sqliteFile: () => null,
  };
}

describe('writeSpiderDataset', () => {
  it('gives a data set back as it was read', async () => {
    const out = createFolder();
    const write = (name: string, content: Parameters<typeof writeDurably>[1]): void =>
      writeDurably(join(out, name), content);
    const input = await loadDataset(PATHS);
    writeSpiderDataset(unchanged(input), { write });
    const parsed = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
    expect(parsed(join(out, 'examples.json'))).toEqual(parsed(PATHS.examples!));
    expect(parsed(join(out, 'tables.json'))).toEqual(parsed(PATHS.tables!));
    const files = { tables: join(out, 'tables.json'), examples: join(out, 'examples.json') };
    const again = await loadDataset({ ...PATHS, ...files });
    expect([...again.databases.values()]).toEqual([...input.databases.values()]);
    expect([...again.examples()].map(({ query }) => query)).toEqual([...input.examples()].map(({ query }) => query));
    const gold = readFileSync(join(out, 'gold.sql'), 'utf8').trimEnd().split('\n');
    expect(gold).toEqual([...input.examples()].map(({ query, dbId }) => `${query}\t${dbId}`));
  });

  it('goes without tokens and structure where a query is no SQL or of another dialect', async () => {
    const loaded = await loadDataset(PATHS);
    const [first] = loaded.examples();
    const asked = (query: string, change: Partial<Dataset>): Record<string, unknown> => {
      const input: Dataset = { ...loaded, format: 'sqlite', examples: () => [{ ...first!, query }], ...change };
      const written = new Map<string, string>();
      const write = (name: string, content: Parameters<typeof writeDurably>[1]): void =>
        void written.set(name, typeof content === 'string' ? content : [...content].join(''));
      writeSpiderDataset(unchanged(input), { write });
      return (JSON.parse(written.get('examples.json')!) as Record<string, unknown>[])[0]!;
    };
    expect(asked('SELECT count(*) FROM gardener', {})).toMatchObject({
      query_toks: ['SELECT', 'count', '(', '*', ')', 'FROM', 'gardener'],
    });
    for (const record of [
      asked("SELECT 'open", {}),
      asked("SELECT * FROM gardener WHERE full_name !~ 'a'", { dialect: POSTGRESQL }),
    ]) {
      expect(record).toHaveProperty('query');
      expect(record).not.toHaveProperty('query_toks');
    }
  });
});

describe('renderGoldLine', () => {
  it('puts a query on one line that means the same', () => {
    const query = 'SELECT name -- the name\nFROM pet /* of\nall */ WHERE note = \'a\nb\'\tAND "x" > 1';
    expect(renderGoldLine(query, 'town')).toBe(
      "SELECT name   FROM pet   WHERE note = ('a' || char(10) || 'b') AND \"x\" > 1\ttown\n",
    );
  });

  it('leaves a query alone that stands on one line', () => {
    expect(renderGoldLine('SELECT  1 -- one', 'town')).toBe('SELECT  1 -- one\ttown\n');
  });
});

describe('fields of a data set’s own', () => {
  const DESCRIBED = { ...TOWN, column_descriptions: ['*', 'a', 'b', 'c', 'd'], source: 'made' };
  const SQL = 'SELECT Home_Town FROM Singer';

  async function written(
    examples: readonly object[],
  ): Promise<Record<'tables' | 'examples', Record<string, unknown>[]>> {
    const folder = createFolder({ 't.json': JSON.stringify([DESCRIBED]), 'dev.json': JSON.stringify(examples) });
    const files = { tables: join(folder, 't.json'), examples: join(folder, 'dev.json') };
    const input = await loadDataset({ ...PATHS, ...files });
    const town = input.databases.get('town')!;
    const age = added(town, 0, 1, { name: 'age', originalName: 'Age', type: 'number' });
    const out = createFolder();
    const write = (name: string, content: Parameters<typeof writeDurably>[1]): void =>
      writeDurably(join(out, name), content);
    writeSpiderDataset(setWith(input, [renamed(town, 0, 1, 'birthplace', 'Birthplace'), age]), { write });
    const read = (name: string): Record<string, unknown>[] =>
      JSON.parse(readFileSync(join(out, name), 'utf8')) as Record<string, unknown>[];
    return { tables: read('tables.json'), examples: read('examples.json') };
  }

  it('stay in tables.json, lists by column with their columns', async () => {
    const { tables } = await written([{ db_id: 'town', question: 'Who?', query: SQL }]);
    expect(tables[0]).toEqual(DESCRIBED);
    expect(tables[1]).toMatchObject({ source: 'made', column_descriptions: DESCRIBED.column_descriptions });
    expect(tables[2]).toMatchObject({ source: 'made', column_descriptions: ['*', 'a', '', 'b', 'c', 'd'] });
  });

  it('are followed and recorded in the texts about a schema', async () => {
    const descriptions = [
      [-1, '*'],
      [0, 'of the singer'],
      [0, 'Home_Town is where they live'],
      [1, ''],
      [1, ''],
    ];
    const folder = createFolder({
      't.json': JSON.stringify([{ ...TOWN, column_descriptions: descriptions }]),
      'dev.json': JSON.stringify([{ db_id: 'town', question: 'Who?', query: SQL }]),
    });
    const files = { tables: join(folder, 't.json'), examples: join(folder, 'dev.json') };
    const input = await loadDataset({ ...PATHS, ...files });
    const { schema } = renamed(input.databases.get('town')!, 0, 1, 'birthplace', 'Birthplace');
    expect(tableTextChanges(input, schema)).toEqual([
      {
        field: 'tables.column_descriptions[2][1]',
        edits: [{ start: 0, end: 9, before: 'Home_Town', after: 'Birthplace' }],
        unsure: [],
      },
    ]);
    expect(tableTextChanges(input, [...unchanged(input).schemas][0]!)).toEqual([]);
  });

  it('give each record an id of its own, and sql the shape that it has', async () => {
    const record = { id: '4ed', db_id: 'town', question: 'Who?', query: SQL, sql: [SQL] };
    const { examples } = await written([record, { ...record, id: 7 }]);
    expect(examples.map(({ id, original_id }) => [id, original_id])).toEqual([
      ['4ed', undefined],
      ['4ed__rpl', '4ed'],
      ['4ed__add', '4ed'],
      [7, undefined],
      [8, 7],
      [9, 7],
    ]);
    expect(examples[1]?.['sql']).toEqual(['SELECT Birthplace FROM Singer']);
  });
});
