import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { renderJsonArray } from '../../src/formats/json-file.js';
import { sqlitePath } from '../../src/formats/sample-values.js';
import { renderSpiderTables } from '../../src/formats/spider-tables.js';
import { itemAt } from '../../src/present.js';
import { renderCreateTables } from '../../src/sql/create-tables.js';
import type { Column, Database, Table } from '../../src/schema/schema.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import { openConnection } from '../../src/sql/execution/open-connection.js';
import type { Rng } from '../../src/stage.js';

const THINGS = [
  ...['airport', 'author', 'bridge', 'city', 'club', 'concert', 'course', 'customer', 'doctor', 'employee', 'farm'],
  ...['film', 'hotel', 'library', 'machine', 'museum', 'patient', 'player', 'product', 'river', 'school', 'station'],
  ...['store', 'student', 'supplier', 'teacher', 'team', 'ticket', 'vehicle', 'village'],
];
const FEATURES = [
  ...['name', 'address', 'age', 'area', 'budget', 'capacity', 'category', 'code', 'color', 'country', 'date', 'email'],
  ...['height', 'language', 'length', 'level', 'location', 'model', 'number', 'owner', 'phone', 'population', 'price'],
  ...['quantity', 'rank', 'rating', 'region', 'salary', 'score', 'size', 'speed', 'status', 'title', 'type', 'weight'],
];
const NUMBERS = new Set(['age', 'area', 'budget', 'capacity', 'height', 'length', 'population', 'price', 'quantity']);
const ROWS = 20;

function columnOf(name: string): Column {
  const isNumber = NUMBERS.has(name) || name === 'id' || name.endsWith(' id');
  return { name, originalName: name.replaceAll(' ', '_'), type: isNumber ? 'number' : 'text' };
}

/** A schema of three to eight tables, the later ones with a reference to an earlier one. */
function createSchema(id: string, rng: Rng): Database {
  const things = shuffled(THINGS, rng).slice(0, 3 + rng.int(6));
  const tables = things.map((thing, t): Table => {
    const features = shuffled(FEATURES, rng).slice(0, 3 + rng.int(6));
    const reference = t === 0 ? [] : [`${itemAt(things, rng.int(t))} id`];
    return { name: thing, originalName: thing, columns: ['id', ...features, ...reference].map(columnOf) };
  });
  const foreignKeys = tables.flatMap(({ columns }, t) => {
    if (t === 0) return [];
    const last = columns.length - 1;
    const to = things.indexOf(itemAt(columns, last).name.replace(/ id$/, ''));
    return [{ from: { table: t, column: last }, to: { table: to, column: 0 } }];
  });
  return { id, tables, primaryKeys: tables.map((_, table) => ({ table, column: 0 })), foreignKeys };
}

const featuresOf = ({ columns }: Table): readonly Column[] => columns.filter(({ name }) => !/(?:^| )id$/.test(name));

/** A question with its gold query: a column, a count, an order, or a join. */
function ask({ id, tables, foreignKeys }: Database, rng: Rng): Readonly<Record<string, string>> {
  const table = itemAt(tables, rng.int(tables.length));
  const [a, b, c] = shuffled(featuresOf(table), rng) as [Column, Column, Column];
  const thing = table.originalName;
  const forms: readonly (readonly [question: string, query: string])[] = [
    [`What is the ${a.name} of each ${thing}?`, `SELECT ${a.originalName} FROM ${thing}`],
    [
      `What are the ${a.name} and ${b.name} of each ${thing} whose ${c.name} is 7?`,
      `SELECT ${a.originalName}, ${b.originalName} FROM ${thing} WHERE ${c.originalName} = 7`,
    ],
    [
      `How many of each ${thing} are there by ${a.name}?`,
      `SELECT ${a.originalName}, count(*) FROM ${thing} GROUP BY ${a.originalName}`,
    ],
    [
      `Which ${thing} has the highest ${b.name}? Give its ${a.name}.`,
      `SELECT ${a.originalName} FROM ${thing} ORDER BY ${b.originalName} DESC LIMIT 1`,
    ],
  ];
  const key = rng.int(5) < 4 ? undefined : foreignKeys[rng.int(Math.max(1, foreignKeys.length))];
  if (key === undefined) {
    const [question, query] = itemAt(forms, rng.int(forms.length));
    return { db_id: id, question, query };
  }
  const [from, to] = [itemAt(tables, key.from.table), itemAt(tables, key.to.table)];
  const [x, y] = [itemAt(featuresOf(from), 0), itemAt(featuresOf(to), 0)];
  const on = `T1.${itemAt(from.columns, key.from.column).originalName} = T2.id`;
  return {
    db_id: id,
    question: `What is the ${x.name} of each ${from.name} with the ${y.name} of its ${to.name}?`,
    query: `SELECT T1.${x.originalName}, T2.${y.originalName} FROM ${from.originalName} AS T1 JOIN ${to.originalName} AS T2 ON ${on}`,
  };
}

function writeDatabase(file: string, schema: Database, rng: Rng): void {
  const sqlite = openConnection(file);
  try {
    sqlite.exec(`BEGIN; ${renderCreateTables(schema)}`);
    for (const { originalName, columns } of schema.tables) {
      const insert = sqlite.prepare(`INSERT INTO "${originalName}" VALUES (${columns.map(() => '?').join(', ')})`);
      for (let row = 1; row <= ROWS; row++) {
        const cells = columns.map(({ name, type }, c) => {
          if (c === 0) return row;
          return type === 'number' ? 1 + rng.int(ROWS) : `${name} ${rng.int(ROWS)}`;
        });
        insert.run(...cells);
      }
    }
    sqlite.exec('COMMIT');
  } finally {
    sqlite.close();
  }
}

function writeStream(file: string, chunks: Iterable<string>): void {
  const handle = openSync(file, 'w');
  for (const chunk of chunks) writeSync(handle, chunk);
  closeSync(handle);
}

/**
 * Writes a data set in Spider's form that follows from its seed: `tables.json`, `examples.json`, `database/`. The
 * examples of a database are together, and no more than one database is in memory.
 */
export function writeGeneratedSet(folder: string, examples: number, databases: number, seed: number): void {
  mkdirSync(folder, { recursive: true });
  const schemaOf = (index: number): Database => {
    const id = `db_${String(index).padStart(5, '0')}`;
    return createSchema(id, createRng(seed, id));
  };
  const indexes = Array.from({ length: databases }, (_, i) => i);
  function* tables(): Generator<unknown> {
    for (const i of indexes) yield renderSpiderTables(schemaOf(i));
  }
  function* questions(): Generator<unknown> {
    for (let i = 0; i < examples; i++) {
      yield ask(schemaOf(Math.floor((i * databases) / examples)), createRng(seed, `question ${i}`));
    }
  }
  writeStream(join(folder, 'tables.json'), renderJsonArray(tables()));
  writeStream(join(folder, 'examples.json'), renderJsonArray(questions()));
  for (const i of indexes) {
    const schema = schemaOf(i);
    mkdirSync(join(folder, 'database', schema.id), { recursive: true });
    writeDatabase(sqlitePath(join(folder, 'database'), schema.id), schema, createRng(seed, `rows ${i}`));
  }
}
