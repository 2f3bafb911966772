import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { indexFor } from '../../../src/metamorphic/database/kept-objects.js';
import { MutantMaterializer } from '../../../src/metamorphic/database/mutant-materializer.js';
import { seedCase } from '../../../src/metamorphic/mutation-case.js';
import { mutateOne } from '../cases.js';
import { mutationsIn, schemaOf, schemaRelations } from '../schema/schema-fixture.js';

const SCHEMA = schemaOf('shop', { item: 'code label price note', sale: 'number code>item.code' });

const SCRIPT = `CREATE TABLE item (code TEXT PRIMARY KEY, label TEXT, price REAL, note TEXT);
  CREATE TABLE sale (number INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT REFERENCES item (code));
  CREATE INDEX by_label ON item (label, note);
  CREATE UNIQUE INDEX dear ON item (label COLLATE NOCASE) WHERE price > 5 AND code <> 'label';
  CREATE VIRTUAL TABLE remarks USING fts5 (body, author UNINDEXED, tokenize = "porter ascii");
  CREATE VIRTUAL TABLE found USING fts5 (content = 'item', note, label);
  CREATE VIRTUAL TABLE old USING fts4 (body);
  CREATE VIRTUAL TABLE box USING rtree (id, low, high);
  INSERT INTO item VALUES ('a', 'pen', 1, 'blue ink'), ('b', 'lamp', 9, 'bright');
  INSERT INTO sale (code) VALUES ('a'), ('b'), ('a'); DELETE FROM sale WHERE number = 3;
  INSERT INTO remarks (rowid, body, author) VALUES (7, 'running late', 'Ann');
  INSERT INTO found (found) VALUES ('rebuild'); INSERT INTO old VALUES ('an old word'); INSERT INTO box VALUES (4, 1, 2);`;

/** The rows of queries on the database of a relation's first mutant of a gold query. */
async function onMutant(id: string, gold: string, queries: readonly string[], golds = queries): Promise<unknown[]> {
  const path = mkdtempSync(join(tmpdir(), 'perturbql-kept-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const [file, target] = [join(path, 'shop.sqlite'), join(path, 'mutant.sqlite')];
  const original = new Sqlite(file);
  original.exec(SCRIPT);
  original.close();
  const relation = schemaRelations().find((one) => one.id === id)!;
  const one = seedCase({ id: 'own:0', dbId: 'shop', question: '?', query: gold }, SCHEMA);
  const [mutant] = mutationsIn(await mutateOne(relation, one));
  const materializer = new MutantMaterializer(file, SCHEMA, { queries: golds });
  materializer.write(mutant!.mutated!, target);
  materializer.close();
  const sqlite = new Sqlite(target, { readonly: true });
  onTestFinished(() => void sqlite.close());
  return queries.map((sql) => sqlite.prepare(sql).raw().all());
}

const COUNT = 'SELECT count(*) FROM sale';

describe('what golds name', () => {
  it('is there: virtual tables with their rows, however they kept them, and the table of sequences', async () => {
    const golds = [
      "SELECT rowid, author FROM remarks WHERE remarks MATCH 'run'",
      "SELECT label FROM found WHERE found MATCH 'ink'",
      "SELECT body FROM old WHERE old MATCH 'old'",
      'SELECT id FROM box WHERE low > 0',
      "SELECT seq FROM sqlite_sequence WHERE name = 'sale'",
    ];
    expect(await onMutant('TS', COUNT, golds)).toEqual([[[7, 'Ann']], [['pen']], [['an old word']], [[4]], [[3]]]);
  });

  it('is an index with its own name, where its columns are', async () => {
    const gold = "SELECT price FROM item INDEXED BY by_label WHERE label = 'pen'";
    expect(await onMutant('TS', gold, [gold])).toEqual([[[1]]]);
  });

  it('is an index without the columns that are gone', async () => {
    const [gold, mutant] = ['note', 'label'].map(
      (list) => `SELECT ${list} FROM item INDEXED BY by_label WHERE label = 'pen'`,
    );
    const removed = "SELECT count(*) FROM pragma_table_info('item')";
    const [columns] = await onMutant('CRm', "SELECT price FROM item WHERE label = 'pen'", [removed], [gold!]);
    expect(columns).toEqual([[3]]);
    expect(await onMutant('CRm', "SELECT price FROM item WHERE label = 'pen'", [mutant!])).toEqual([[['pen']]]);
  });

  it('is a partial index', async () => {
    const gold = "SELECT label FROM item INDEXED BY dear WHERE price > 5 AND code <> 'label'";
    expect(await onMutant('CS', gold, [gold])).toEqual([[['lamp']]]);
  });

  it('is an index whose text has the new names', () => {
    const sql = `CREATE UNIQUE INDEX "by ""label" ON item(label COLLATE NOCASE, length("note")) WHERE price > 5 AND code <> 'label'`;
    const names = ['code', 'the label', 'price', 'remark'];
    expect(indexFor(sql, SCHEMA, 'goods', ({ column }) => names[column]!)).toBe(
      `CREATE INDEX mutant."by ""label" ON "goods" ("the label" COLLATE NOCASE, length(remark)) WHERE price > 5 AND code <> 'label'`,
    );
    expect(indexFor(sql, SCHEMA, 'goods', ({ column }) => (column === 3 ? null : names[column]!))).toBe(null);
  });

  it('is nothing else', async () => {
    const names = "SELECT name FROM sqlite_schema WHERE type = 'table' OR name IN ('by_label', 'dear') ORDER BY name";
    expect(await onMutant('TS', COUNT, [names], [COUNT])).toEqual([[['item'], ['sale']]]);
  });

  it('may be a table that the schema lists', async () => {
    const path = mkdtempSync(join(tmpdir(), 'perturbql-kept-'));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    const file = join(path, 'shop.sqlite');
    const original = new Sqlite(file);
    original.exec(SCRIPT);
    original.close();
    const listed = schemaOf('shop', { remarks: 'body author', sale: 'number code' });
    const relation = schemaRelations().find((each) => each.id === 'TS')!;
    const gold = "SELECT author FROM remarks WHERE remarks MATCH 'run'";
    const one = seedCase({ id: 'own:0', dbId: 'shop', question: '?', query: gold }, listed);
    const [mutant] = mutationsIn(await mutateOne(relation, one));
    const materializer = new MutantMaterializer(file, listed, { queries: [gold] });
    materializer.write(mutant!.mutated!, join(path, 'mutant.sqlite'));
    materializer.close();
    const sqlite = new Sqlite(join(path, 'mutant.sqlite'), { readonly: true });
    expect(sqlite.prepare(gold).pluck().all()).toEqual(['Ann']);
    sqlite.close();
  });
});
