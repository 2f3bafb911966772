import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { materializeSchema } from '../../../../src/variants/databases/materialize-schema.js';
import { lostViews } from '../../../../src/variants/databases/rebuild/kept-objects.js';
import { seedCase } from '../../../../src/variants/relations/relation.js';
import { mutateOne } from '../../relations/cases.js';
import { mutationsIn, schemaOf, schemaRelations } from '../../relations/schema/schema-fixture.js';

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
async function onMutant(id: string, gold: string, queries: readonly string[]): Promise<unknown[]> {
  const path = mkdtempSync(join(tmpdir(), 'perturbql-kept-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const [file, target] = [join(path, 'shop.sqlite'), join(path, 'mutant.sqlite')];
  const original = new Sqlite(file);
  original.exec(SCRIPT);
  original.close();
  const relation = schemaRelations().find((one) => one.id === id)!;
  const one = seedCase({ id: 'own:0', dbId: 'shop', question: '?', query: gold }, SCHEMA);
  const [mutant] = mutationsIn(await mutateOne(relation, one));
  materializeSchema(file, target, SCHEMA, mutant!.mutated!);
  const sqlite = new Sqlite(target, { readonly: true });
  onTestFinished(() => void sqlite.close());
  return queries.map((sql) => sqlite.prepare(sql).raw().all());
}

/** The rows that a relation's mutants of a gold query give, each once. */
async function onMutants(id: string, gold: string): Promise<unknown[]> {
  const path = mkdtempSync(join(tmpdir(), 'perturbql-kept-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const file = join(path, 'shop.sqlite');
  const original = new Sqlite(file);
  original.exec(SCRIPT);
  original.close();
  const relation = schemaRelations().find((one) => one.id === id)!;
  const one = seedCase({ id: 'own:0', dbId: 'shop', question: '?', query: gold }, SCHEMA);
  const rows = mutationsIn(await mutateOne(relation, one, 50)).map((mutant, i) => {
    const target = join(path, `mutant-${i}.sqlite`);
    materializeSchema(file, target, SCHEMA, mutant.mutated!);
    const sqlite = new Sqlite(target, { readonly: true });
    onTestFinished(() => void sqlite.close());
    return JSON.stringify(sqlite.prepare(mutant.query!).raw().all());
  });
  return [...new Set(rows)].map((row) => (JSON.parse(row) as unknown[][])[0]);
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
    const mutant = `SELECT label FROM item INDEXED BY by_label WHERE label = 'pen'`;
    const removed = "SELECT count(*) FROM pragma_table_info('item')";
    const [columns] = await onMutant('CRm', "SELECT price FROM item WHERE label = 'pen'", [removed]);
    expect(columns).toEqual([[3]]);
    expect(await onMutant('CRm', "SELECT price FROM item WHERE label = 'pen'", [mutant])).toEqual([[['pen']]]);
  });

  it('is a partial index', async () => {
    const gold = "SELECT label FROM item INDEXED BY dear WHERE price > 5 AND code <> 'label'";
    expect(await onMutant('CS', gold, [gold])).toEqual([[['lamp']]]);
  });

  it('is a partial index whose columns are gone, but not those of its condition', async () => {
    const gold = "SELECT note FROM item INDEXED BY dear WHERE price > 5 AND code <> 'label'";
    for (const id of ['CRm', 'NO']) expect([id, await onMutants(id, gold)]).toEqual([id, [['bright']]]);
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
    materializeSchema(file, join(path, 'mutant.sqlite'), listed, mutant!.mutated!);
    const sqlite = new Sqlite(join(path, 'mutant.sqlite'), { readonly: true });
    expect(sqlite.prepare(gold).pluck().all()).toEqual(['Ann']);
    sqlite.close();
  });
});

describe('views that are lost', () => {
  it('are told before any table is changed, with those that read them; what was broken before is none', () => {
    const sqlite = new Sqlite(':memory:');
    onTestFinished(() => void sqlite.close());
    sqlite.exec(`${SCRIPT}
      CREATE VIEW notes AS SELECT code, note FROM item; CREATE VIEW noted AS SELECT count(note) FROM notes;
      CREATE VIEW labels AS SELECT rowid, label FROM item; CREATE VIEW words AS SELECT body FROM remarks;
      CREATE VIEW broken AS SELECT lost FROM item;`);
    const item = { name: 'item', columns: ['code', 'label', 'price'] };
    expect([...lostViews(sqlite, new Set(['item']), [item])].sort()).toEqual(['noted', 'notes']);
    expect(lostViews(sqlite, new Set(['notes']), [{ name: 'notes', columns: ['code', 'note'] }])).toEqual(new Set());
    expect(sqlite.prepare('SELECT count(*) FROM notes').pluck().get()).toBe(2);
  });
});
