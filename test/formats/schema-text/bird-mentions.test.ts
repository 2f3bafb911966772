import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadBirdDataset } from '../../../src/formats/bird/bird-dataset.js';
import { followTexts, type TextChange } from '../../../src/formats/schema-text/schema-texts.js';
import { type OutputSchema, samePositions } from '../../../src/formats/output-set.js';
import { columnAt, columnKey, type ColumnRef, type Database } from '../../../src/schema/schema.js';
import { mentionedColumns, resolveColumns } from '../../../src/sql/resolver.js';
import { pathsOf } from '../output-set-fixture.js';

const BIRD = '../shared/data/bird';

/**
 * 200 questions of BIRD dev drawn at random among those with evidence, read by hand, with every column that the gold
 * names renamed: where a renamed column is mentioned and which (of columns of one name that foreign keys link the last
 * referenced), and where its name is an ordinary word, a table or a word of the question.
 */
interface Labels {
  readonly id: number;
  readonly change: readonly (readonly [start: number, end: number, column: string])[];
  readonly leave: readonly (readonly [start: number, end: number])[];
}

/** The column that a chain of foreign keys between columns of one name ends at. */
function rootsOf(database: Database): (ref: ColumnRef) => string {
  const next = new Map<string, string>();
  const find = (key: string): string => {
    const to = next.get(key);
    return to === undefined ? key : find(to);
  };
  for (const { from, to } of database.foreignKeys) {
    const names = [from, to].map((ref) => columnAt(database, ref).originalName.toLowerCase());
    const [a, b] = [find(columnKey(from)), find(columnKey(to))];
    if (a !== b && names[0] === names[1]) next.set(a, b);
  }
  return (ref) => find(columnKey(ref));
}

/** The schema with every column that a query names renamed, linked ones alike: column 3 of table 1 becomes `New_1_3`. */
function renameMentioned(database: Database, query: string): OutputSchema {
  const rootOf = rootsOf(database);
  const renamed = new Set(mentionedColumns(resolveColumns(query, database)).map(rootOf));
  const tables = database.tables.map((table, t) => ({
    ...table,
    columns: table.columns.map((column, c) => {
      const root = rootOf({ table: t, column: c });
      if (!renamed.has(root)) return column;
      return { ...column, name: `new ${root.replace('.', ' ')}`, originalName: `New_${root.replace('.', '_')}` };
    }),
  }));
  return {
    schema: { ...database, id: `${database.id}__rpl_1`, tables },
    origin: database.id,
    columns: samePositions(database),
  };
}

const columnOf = (name: string): string => name.replace(/^new[ _]/i, '').replace(/[ _]/, '.');

/** Edits as the labels write them. */
const changesIn = (texts: readonly TextChange[]): string[] =>
  texts.flatMap(({ edits }) => edits.map(({ start, end, after }) => `${start}-${end} ${columnOf(after)}`));

test.skipIf(!existsSync(BIRD))(
  'changes 98 % of the mentions in BIRD’s evidence, and 1 % of other words at most',
  () => {
    const paths = { tables: `${BIRD}/dev_tables.json`, examples: `${BIRD}/dev.json` };
    const dataset = loadBirdDataset(pathsOf('bird', paths));
    const examples = new Map([...dataset.examples()].map((example) => [example.id, example]));
    const labels = JSON.parse(
      readFileSync(new URL('bird-mentions.json', import.meta.url), 'utf8'),
    ) as readonly Labels[];
    const counts = { mentions: 0, changed: 0, edits: 0 };
    for (const { id, change } of labels) {
      const example = examples.get(String(id))!;
      const output = renameMentioned(dataset.databases.get(example.dbId)!, example.query);
      const edits = changesIn(followTexts(dataset, example, output).texts);
      const wanted = new Set(change.map(([start, end, column]) => `${start}-${end} ${column}`));
      counts.mentions += wanted.size;
      counts.edits += edits.length;
      counts.changed += edits.filter((edit) => wanted.has(edit)).length;
    }
    expect(labels).toHaveLength(200);
    expect(counts.changed / counts.mentions).toBeGreaterThanOrEqual(0.98);
    expect((counts.edits - counts.changed) / counts.edits).toBeLessThan(0.01);
  },
);
