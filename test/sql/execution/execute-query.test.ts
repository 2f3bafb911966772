import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { compareResults } from '../../../src/sql/execution/result-comparison.js';
import { createDatabase, NEVER, rowsOf } from './query-fixture.js';

const { folder, file } = createDatabase(`
  CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);
  INSERT INTO t VALUES
    (1, CAST(x'ff41' AS TEXT), 'x'), (2, CAST(x'fe41' AS TEXT), char(65533)), (3, CAST(x'410042' AS TEXT), x'ff'),
    (4, 5, NULL), (5, 'é', 2.5), (6, CAST(x'efbbbf41' AS TEXT), CAST(x'eda080' AS TEXT));`);
const runner = new QueryRunner({ jobs: 1 });
afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true });
});

const run = (sql: string) => runner.run({ file, sql }, NEVER);
const invalid = (...bytes: number[]) => ({ text: Uint8Array.from(bytes) });

describe('texts that are not UTF-8', () => {
  it('are read by their bytes; all other values stay', async () => {
    expect(rowsOf(await run('SELECT a, b, a FROM t ORDER BY id'))).toEqual([
      [invalid(0xff, 0x41), 'x', invalid(0xff, 0x41)],
      [invalid(0xfe, 0x41), '\uFFFD', invalid(0xfe, 0x41)],
      ['A\0B', Buffer.from([0xff]), 'A\0B'],
      [5n, null, 5n],
      ['é', 2.5, 'é'],
      ['\uFEFFA', invalid(0xed, 0xa0, 0x80), '\uFEFFA'],
    ]);
  });

  it.each([
    'SELECT a FROM t WHERE id <= 2 ORDER BY id DESC; ',
    'SELECT a FROM t WHERE id <= 2 ORDER BY id DESC LIMIT 2 -- end',
    'SELECT a FROM t WHERE id <= 2 GROUP BY a ORDER BY max(id) DESC;;',
    'WITH x(a, id) AS (SELECT a, id FROM t) SELECT a FROM x WHERE id = 2 UNION ALL SELECT a FROM x WHERE id = 1',
  ])('keep the rows in order: %s', async (sql) => {
    expect(rowsOf(await run(sql))).toEqual([[invalid(0xfe, 0x41)], [invalid(0xff, 0x41)]]);
  });

  it('differ from one another and from what they are replaced by', async () => {
    const one = await run('SELECT a FROM t WHERE id = 1');
    const two = await run('SELECT a FROM t WHERE id = 2');
    if (one.kind !== 'rows' || two.kind !== 'rows') throw new Error('no rows');
    expect(compareResults(one, two, 'bag', 'exact')).not.toBeNull();
    expect(compareResults(one, { ...one, rows: [['\uFFFDA']] }, 'bag', 'exact')).not.toBeNull();
    expect(compareResults(one, one, 'bag', 'exact')).toBeNull();
  });

  it('are an error where a query gives other rows each time', async () => {
    expect(await run('SELECT a, random() FROM t WHERE id = 1')).toMatchObject({
      kind: 'failed',
      at: 'query',
      message: expect.stringContaining('not UTF-8') as unknown,
    });
  });
});
