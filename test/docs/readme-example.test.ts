import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { columnKey } from '../../src/schema/schema.js';
import { renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';
import { codeBlocks, PROJECT, readPage, tableRows } from './markdown-pages.js';
import { candidateDecisionSchema } from '../../src/formats/artifacts/candidates.js';

const EXAMPLES = join(PROJECT, 'examples');

/** The before/after table of the first screen: the table's columns and the gold SQL of one row. */
function exampleRow(label: string): { readonly columns: readonly string[]; readonly sql: string } {
  const [, columns, sql] = tableRows('README.md').find(([first]) => first!.includes(label))!;
  return { columns: columns!.replaceAll('**', '').split(', '), sql: sql!.replace(/^`|`$/g, '') };
}

describe('the example on the README’s first screen', async () => {
  const dataset = await loadDataset({
    dataset: 'spider',
    tables: join(EXAMPLES, 'tables.json'),
    examples: join(EXAMPLES, 'dev.json'),
    databases: null,
    connection: null,
  });
  const example = [...dataset.examples()].find(({ id }) => id === 'dev:20')!;
  const database = dataset.databases.get(example.dbId)!;
  const table = database.tables.findIndex(({ originalName }) => originalName === 'Sky_Show');
  const columns = database.tables[table]!.columns.map(({ originalName }) => originalName);

  it('begins with the question, table and query of examples/', () => {
    expect(readPage('README.md')).toContain(`> ${example.question}\n`);
    expect(exampleRow('before')).toEqual({ columns, sql: example.query });
  });

  it('is rewritten for RPL as the columns are renamed', () => {
    const { columns: after, sql } = exampleRow('RPL');
    const renames = new Map(
      columns.flatMap((name, column): [string, string][] =>
        name === after[column] ? [] : [[columnKey({ table, column }), after[column]!]],
      ),
    );
    expect(renames.size).toBeGreaterThan(0);
    expect(renameColumns(example.query, database, renames).sql).toBe(sql);
  });

  it('stays as it is for ADD', () => {
    const { columns: after, sql } = exampleRow('ADD');
    const added = after.filter((name) => !columns.includes(name));
    expect(after.filter((name) => columns.includes(name))).toEqual(columns);
    expect(sql).toBe('unchanged');
    expect(rewriteForAdded(example.query, database, new Map([[table, added]])).sql).toBe(example.query);
  });
});

describe('the line on docs/candidates-format.md', () => {
  it('is one of candidates.jsonl', () => {
    const lines = codeBlocks('docs/candidates-format.md', 'json');
    expect(candidateDecisionSchema.parse(JSON.parse(lines[0]!)).bucket).toBe('ADD');
  });
});
