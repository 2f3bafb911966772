import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSqliteSchema } from '../../../../src/formats/read-sqlite-schema.js';
import type { DatabaseChange } from '../../../../src/variants/databases/database-change.js';
import { materializeCopy } from '../../../../src/variants/databases/copy/materialize-copy.js';
import { fileSha256 } from '../../../../src/run/sha256.js';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';
import { openUntouched } from '../../../../src/sql/execution/open-untouched.js';
import { hasSpider, NEEDS_SPIDER, SPIDER } from '../../../sql/spider-files.js';
import {
  allCells,
  bareSchema,
  checksOf,
  columnsOf,
  tablesOf,
  temporaryFolder,
  withDatabase,
} from './materialize-copy-fixture.js';

const folder = temporaryFolder();
const [TARGET, BACK] = [join(folder, 'target.sqlite'), join(folder, 'back.sqlite')];
const DATABASES = join(SPIDER, 'database');
const ids = hasSpider ? readdirSync(DATABASES).filter((id) => existsSync(join(DATABASES, id, `${id}.sqlite`))) : [];
const full = process.env['PERTURBQL_FULL'] === '1';
// Odd foreign keys, invalid UTF-8, names with spaces, many tables.
const ODD = new Set([
  'dorm_1',
  'voter_1',
  'yelp',
  'wta_1',
  'world_1',
  'formula_1',
  'hr_1',
  'cre_Doc_Template_Mgt',
  'flight_4',
]);
const chosen = ids.filter((id, index) => full || ODD.has(id) || index % 12 === 0);

function read<T>(file: string, reader: Parameters<typeof withDatabase<T>>[1]): T {
  const sqlite = openUntouched(file);
  try {
    return reader(sqlite);
  } finally {
    sqlite.close();
  }
}

const AWKWARD = ['order', 'x"y', 'a.b', '🙂', "it's", 'two words', '[z]'];

/** Every column gets another name: the next one's in the even tables, an awkward one in the others. */
function renamesOf(file: string, id: string): DatabaseChange['renames'] {
  return readSqlite(file, id).tables.flatMap(({ originalName: table, columns }, t) =>
    columns.map(({ originalName: from }, c) => {
      const next = columns[(c + 1) % columns.length]!.originalName;
      return { table, from, to: t % 2 === 0 && columns.length > 1 ? next : `${AWKWARD[c % AWKWARD.length]!} ${c}` };
    }),
  );
}

const readSqlite = (file: string, id: string): ReturnType<typeof readSqliteSchema> =>
  read(file, (sqlite) => readSqliteSchema(sqlite, id));

function additionsOf(file: string): DatabaseChange['additions'] {
  return read(file, (sqlite) =>
    tablesOf(sqlite).map(({ name: table }, t) => {
      const rows = sqlite
        .prepare(`SELECT count(*) FROM ${quoteIdentifier(table)}`)
        .pluck()
        .get() as number;
      const columns = columnsOf(sqlite, table);
      const values = Array.from({ length: rows }, (_, row) => (row % 7 === 0 ? null : `${row}`));
      return { table, name: 'added one', declaredType: 'INTEGER', before: columns[t % columns.length]!.name, values };
    }),
  );
}

describe.skipIf(!hasSpider)(`materializeCopy of Spider’s databases${NEEDS_SPIDER}`, () => {
  it.each(chosen)('%s', (id) => {
    const source = join(DATABASES, id, `${id}.sqlite`);
    const before = fileSha256(source);
    const original = read(source, (sqlite) => ({
      cells: allCells(sqlite, () => false),
      checks: checksOf(sqlite),
      schema: bareSchema(sqlite),
    }));

    const renames = renamesOf(source, id);
    materializeCopy(source, TARGET, { renames, additions: [] });
    expect(withDatabase(TARGET, (sqlite) => allCells(sqlite, () => false))).toEqual(original.cells);
    expect(withDatabase(TARGET, checksOf)).toEqual(original.checks);
    materializeCopy(TARGET, BACK, {
      renames: renames.map(({ table, from, to }) => ({ table, from: to, to: from })),
      additions: [],
    });
    const folded = (schema: typeof original.schema): unknown =>
      schema.map(({ name, sql }) => [name, sql?.toLowerCase()]);
    expect(folded(withDatabase(BACK, bareSchema))).toEqual(folded(original.schema));

    const additions = additionsOf(source);
    materializeCopy(source, TARGET, { renames: [], additions });
    expect(withDatabase(TARGET, (sqlite) => allCells(sqlite, (_, column) => column === 'added one'))).toEqual(
      original.cells,
    );
    expect(withDatabase(TARGET, checksOf)).toEqual(original.checks);
    expect(fileSha256(source)).toBe(before);
    expect(readdirSync(join(DATABASES, id)).filter((name) => /-(?:wal|shm|journal)$/.test(name))).toEqual([]);
  });
});
