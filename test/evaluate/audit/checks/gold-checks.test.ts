import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTempFolder } from '../../../e2e/run-cli.js';
import { auditShop } from '../shop-data-set.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

let folders = 0;
const auditOf = (sql: string) => auditShop(join(temp.path, String(folders++)), [{ sql }]);

describe('checkAndOr', () => {
  it.each([
    [
      "SELECT id FROM item WHERE sold > 2 AND kind = 'wood' OR kind = 'light'",
      "AND binds before OR, so that kind = 'light' holds without sold > 2.",
    ],
    [
      'SELECT i.id FROM item i, review r WHERE r.item_id = i.id AND r.stars = 5 OR i.sold = 7',
      'AND binds before OR, so that i.sold = 7 holds without r.item_id = i.id.',
    ],
  ])('asks about %s', async (sql, sentence) => {
    const { possible } = await auditOf(sql);
    expect(possible.find((finding) => finding.class === 'and-or')?.sentence).toBe(sentence);
  });

  it.each([
    ["SELECT id FROM item WHERE sold > 2 AND (kind = 'wood' OR kind = 'light')"],
    ["SELECT id FROM item WHERE sold > 2 AND kind = 'wood' OR sold < 2 AND kind = 'light'"],
    ["SELECT id FROM item WHERE kind = 'wood' OR kind = 'light'"],
    ["SELECT id FROM item WHERE sold > 2 AND kind = 'wood' OR id = 1"],
  ])('lets alone %s', async (sql) => {
    const { possible } = await auditOf(sql);
    expect(possible.map((finding) => finding.class)).not.toContain('and-or');
  });
});

describe('checkUnjoinedTables', () => {
  it.each([
    ['r.item_id = r.id', 'r.item_id = r.id names one table alone'],
    ['true', 'ON true names no table'],
    ['1 = 1', 'ON 1 = 1 names no table'],
  ])('says of a join ON %s what it names', async (condition, reason) => {
    const { findings } = await auditOf(`SELECT i.name FROM item i JOIN review r ON ${condition}`);
    expect(findings.map((finding) => [finding.class, finding.sentence])).toEqual([
      [
        'unjoined-table',
        `No condition ties review r to item i, so that each row is paired with all of the other; ${reason}.`,
      ],
    ]);
  });

  it.each([
    'SELECT i.name FROM item i JOIN review r ON true WHERE r.item_id = i.id',
    'SELECT i.name FROM item i JOIN (SELECT max(stars) AS most FROM review) r ON true WHERE i.sold > r.most',
  ])('lets alone %s', async (sql) => {
    const { findings } = await auditOf(sql);
    expect(findings.map((finding) => finding.class)).not.toContain('unjoined-table');
  });
});

describe('checkNumberTexts', () => {
  it('keeps what stands for no value last where it reads texts as numbers', async () => {
    const { findings } = await auditOf('SELECT id FROM parcel ORDER BY weight LIMIT 1');
    expect(findings[0]?.repair?.sql).toBe(
      "SELECT id FROM parcel ORDER BY weight IN ('null'), CAST(weight AS REAL) LIMIT 1",
    );
    expect(findings[0]?.evidence.map(({ rows }) => rows)).toEqual([[[2]], [[1]]]);
  });
});
