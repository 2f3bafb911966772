import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { createFilledDatabase, livePaths, type ServerFormat, serverOf, serverTitle } from './live-servers.js';

const FORMATS: readonly [ServerFormat][] = [['postgresql'], ['mysql']];
const PEOPLE = [
  'CREATE TABLE person (id int PRIMARY KEY, full_name varchar(40), born date, code char(4), height double precision)',
  "INSERT INTO person VALUES (1, 'Ann Lee', '1990-01-31', 'a', 1.5), (2, 'Jan van Dyk', '2001-12-05', 'b', NULL)",
];

describe.each(FORMATS)('%s', (format) => {
  describe.skipIf(serverOf(format) === null)(serverTitle('rows of a server', format), () => {
    const quote = format === 'mysql' ? '`' : '"';

    it('are read as its types have them, and tables that can’t be are named', async () => {
      const many =
        format === 'mysql' ? 'SELECT seq AS n FROM seq_1_to_100001' : 'SELECT generate_series(1, 100001) AS n';
      const { url } = await createFilledDatabase(format, [
        ...PEOPLE,
        `CREATE TABLE many AS ${many}`,
        `CREATE VIEW names AS SELECT full_name FROM person`,
        `CREATE TABLE ${quote}Twice${quote} (a int)`,
        ...(format === 'mysql' ? [] : ['CREATE TABLE twice (a int)']),
      ]);
      const { copy } = await (await loadDataset(livePaths(format, url))).readServerRows!();
      const { bytes, notes } = copy!;
      const sqlite = new Sqlite(Buffer.from(bytes));
      expect(notes).toEqual(['the rows of table many are not read: it has more than 100000']);
      const names = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
      expect(names).toEqual(format === 'mysql' ? ['Twice', 'person'] : ['person']);
      const rows = sqlite.prepare('SELECT id, full_name, born, typeof(id), typeof(height), height FROM person').raw();
      expect(rows.all()).toEqual([
        [1, 'Ann Lee', '1990-01-31', 'integer', 'real', 1.5],
        [2, 'Jan van Dyk', '2001-12-05', 'integer', 'null', null],
      ]);
      const types = sqlite
        .prepare('SELECT full_name, born FROM person')
        .columns()
        .map(({ type }) => type);
      expect(types).toEqual(['varchar', 'date']);
      sqlite.close();
    });
  });
});
