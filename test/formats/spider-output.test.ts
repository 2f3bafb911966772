import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dataset, DatasetPaths } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import type { OutputSchema, OutputSet } from '../../src/formats/output-set.js';
import { renderGoldLine, writeSpiderDataset } from '../../src/formats/spider-output.js';
import { writeDurably } from '../../src/run/durable-file.js';
import { POSTGRESQL } from '../../src/sql/postgresql-dialect.js';
import { createFolder } from './format-fixture.js';

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
