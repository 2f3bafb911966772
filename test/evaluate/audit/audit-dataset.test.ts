import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDataset } from '../../../src/evaluate/audit/audit-dataset.js';
import type { AuditReport } from '../../../src/evaluate/audit/audit-report.js';
import { AUDIT_CLASS_NAMES, type AuditClassName } from '../../../src/evaluate/audit/audit-classes.js';
import type { AuditFinding } from '../../../src/evaluate/audit/finding.js';
import { ConfigError, InputFormatError } from '../../../src/errors.js';
import { EXAMPLE_DATA, EXAMPLES } from '../../e2e/example-data.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { rejectionOf } from '../../error-of.js';
import { auditShop, writeShop } from './shop-data-set.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

let folders = 0;
const newFolder = (): string => join(temp.path, `shop-${folders++}`);

/** What rows show of one gold, by class. */
async function shownOf(sql: string, question?: string): Promise<ReadonlyMap<AuditClassName, AuditFinding>> {
  const { findings } = await auditShop(newFolder(), [{ sql, ...(question === undefined ? {} : { question }) }]);
  return new Map(findings.map((finding) => [finding.class, finding]));
}

/** A gold for each class, that shows it and no other. */
const FAULTY: readonly (readonly [AuditClassName, string, string?])[] = [
  ['does-not-run', 'SELECT nosuch(name) FROM item'],
  ['runaway', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'],
  ['constant', "SELECT name FROM item WHERE kind = 'wood' AND kind = 'light' OR id = 1 AND id = 2 OR id > 0"],
  ['constant', "SELECT 'name' FROM item"],
  ['constant', 'SELECT name FROM item WHERE sold NOT BETWEEN 9 AND 2'],
  ['constant', "SELECT count(CASE WHEN kind = 'wood' THEN 1 ELSE 0 END) FROM item"],
  ['constant', "SELECT count(iif(kind = 'wood', 1, 0)) * 100.0 / count(*) FROM item"],
  ['constant', "SELECT count(kind = 'wood') FROM item"],
  ['constant', "SELECT count(*) FROM review WHERE strftime('%y', day) = '2105'"],
  ['constant', "SELECT count(*) FROM review WHERE strftime('%y', day) >= strftime('%y', '2011-05-05')"],
  ['constant', "SELECT count(*) FROM review WHERE strftime('%Y', day) = 2011"],
  ['constant', 'SELECT count(*) FROM review WHERE date(day) > 2011'],
  ['constant', "SELECT count(*) FROM review WHERE strftime('%m', day) IN ('5', '1')"],
  ['constant', 'SELECT count(*) FROM review WHERE day < datetime(current_time)'],
  ['constant', "SELECT strftime('%Y', CURRENT_TIME) - stars FROM review"],
  ['empty', 'SELECT id FROM refund'],
  ['empty', 'SELECT max(sold) FROM item WHERE id > 10'],
  ['limit-tie', "SELECT name FROM item WHERE kind = 'wood' AND price = '45' ORDER BY kind LIMIT 1"],
  ['unordered-limit', 'SELECT name FROM item LIMIT 1'],
  ['bare-column', 'SELECT name, count(*) FROM item GROUP BY kind'],
  ['group-concat', 'SELECT kind, group_concat(name) FROM item GROUP BY kind'],
  ['many-row-subquery', "SELECT name FROM item WHERE id = (SELECT id FROM item WHERE kind = 'wood')"],
  ['row-order', 'SELECT name, row_number() OVER (ORDER BY kind) FROM item'],
  ['null-order', 'SELECT name FROM item ORDER BY sold LIMIT 1'],
  ['text-order', 'SELECT name FROM item ORDER BY price DESC LIMIT 1'],
  ['text-order', 'SELECT id FROM item WHERE price = (SELECT max(price) FROM item)'],
  ['affinity', 'SELECT name FROM item WHERE price > 50'],
  ['affinity', 'SELECT name FROM item WHERE stock > 100'],
  ['affinity', 'SELECT name FROM item ORDER BY stock DESC LIMIT 1'],
  ['affinity', "SELECT count(*) FROM item WHERE sold = 'many'"],
  ['text-order', 'SELECT id FROM parcel ORDER BY weight DESC LIMIT 1'],
  ['text-order', 'SELECT id FROM parcel ORDER BY weight LIMIT 1'],
  ['affinity', 'SELECT id FROM parcel WHERE weight > 10'],
  ['text-sum', 'SELECT sum(fee) FROM parcel'],
  ['text-sum', 'SELECT avg(weight) FROM parcel'],
  ['unjoined-table', 'SELECT i.name FROM item i JOIN review r WHERE r.stars = 5'],
  ['unjoined-table', 'SELECT i.name FROM item i JOIN review r ON r.item_id = r.id'],
  ['unjoined-table', 'SELECT i.name FROM item i JOIN review r ON r.item_id = r.rowid'],
  ['unjoined-table', 'SELECT i.name FROM item i JOIN review r ON r.item_id = i.id JOIN parcel p ON r.id = i.id'],
  ['clock', "SELECT count(*) FROM review WHERE day < date('now')"],
  ['random', 'SELECT count(*) FROM item WHERE random() = 1'],
  ['double-quoted-string', 'SELECT id FROM item WHERE kind = "wood"'],
  ['value-mismatch', "SELECT id FROM item WHERE name = 'Desk' OR id = 1"],
  ['value-mismatch', 'SELECT name FROM item WHERE sold < 5', 'Which items were sold less than 3 times?'],
];

/** Golds that look like some class, and whose result the rows determine. */
const SOUND: readonly (readonly [string, string?])[] = [
  ['SELECT name FROM item ORDER BY id DESC LIMIT 1'],
  ['SELECT count(*) FROM item LIMIT 1'],
  ['SELECT max(sold) FROM item ORDER BY kind LIMIT 1'],
  ['SELECT name, count(*) FROM item GROUP BY id'],
  ['SELECT kind, group_concat(kind) FROM item GROUP BY kind'],
  ['SELECT name FROM item WHERE id = (SELECT item_id FROM review WHERE stars = 5)'],
  ['SELECT name FROM item ORDER BY sold DESC LIMIT 1'],
  ['SELECT name FROM item WHERE sold IS NOT NULL ORDER BY sold LIMIT 1'],
  ["SELECT name FROM item WHERE price = '45'"],
  ["SELECT min(price) FROM item WHERE kind = 'wood' AND price < '46' AND price > '4'"],
  ['SELECT sum(stock) FROM item WHERE id = 1'],
  ['SELECT name FROM item ORDER BY stock LIMIT 1'],
  ['SELECT name FROM item WHERE stock <> 5'],
  ["SELECT count(*) FROM review WHERE day < date('2020-01-01')"],
  ["SELECT name FROM item WHERE kind = 'wood' AND kind <> 'light'"],
  ["SELECT sum(weight) FROM parcel WHERE weight <> 'null' OR id > 3"],
  ["SELECT name FROM item WHERE kind = 'light' AND (id = 1 OR id = 2) OR sold > 3"],
  ['SELECT i.name FROM item i JOIN review r WHERE r.item_id = i.id'],
  ['SELECT DISTINCT i.name FROM item i, review r WHERE r.item_id + 0 > i.id'],
  ['SELECT i.name FROM item i JOIN review r ON r.item_id = i.rowid'],
  ['SELECT i.name FROM item i JOIN review r ON i._rowid_ = r.item_id JOIN parcel p ON p.id = r.OID'],
  ['SELECT i.name, i.id AS item FROM item i, review r WHERE item = r.item_id'],
  ['SELECT name FROM item, (SELECT avg(sold) AS mean FROM item) WHERE sold > mean'],
  ['WITH m AS (SELECT avg(sold) AS mean FROM item) SELECT name, mean FROM item, m'],
  ['SELECT a.sold - b.sold FROM item a, item b WHERE a.id = 1 AND b.id = 3'],
  [
    'SELECT name FROM item WHERE EXISTS (SELECT 1 FROM review r JOIN parcel p WHERE r.item_id = item.id AND p.id = item.id)',
  ],
  ["SELECT count(CASE WHEN kind = 'wood' THEN 1 END), sum(CASE WHEN kind = 'wood' THEN 1 ELSE 0 END) FROM item"],
  ["SELECT count(kind = 'wood' OR NULL), count(CASE WHEN id > 2 THEN 1 ELSE NULL END) FROM item"],
  ["SELECT count(*) FROM review WHERE strftime('%Y', day) = '2011' OR strftime('%m/%d', day) IN ('01/02')"],
  ["SELECT count(*) FROM review WHERE CAST(strftime('%Y', day) AS INTEGER) > 2011"],
  ["SELECT strftime('%Y', day) - 2000 FROM review WHERE date(day) < '2020'"],
  ['SELECT name FROM item WHERE sold > 3', 'Which items were sold at least 4 times?'],
  ["SELECT id FROM item WHERE kind = 'wood'", 'Which items are wooden?'],
  ['SELECT name FROM item WHERE sold * 1000 >= 3000', 'What was sold 3 thousand times?'],
  ['SELECT name FROM item WHERE sold = 3', 'Which items are of 2003?'],
];

describe('auditDataset', () => {
  const faulty = FAULTY.map(([name, sql, question], i) => ({ name, sql, question, example: `dev:${i}` }));
  const sound = SOUND.map(([sql, question], i) => ({ sql, question, example: `dev:${FAULTY.length + i}` }));
  /** Of all of them, in one run: the verdict on a gold asks no other gold whose question differs. */
  let audited: AuditReport;

  beforeAll(async () => {
    const asked = [...faulty, ...sound].map(({ sql, question }) => ({
      sql,
      ...(question === undefined ? {} : { question }),
    }));
    audited = await auditShop(newFolder(), asked, { timeoutMs: 2_000 });
    expect(audited.examples).toBe(asked.length);
  });

  it.each(faulty)('finds $name in $sql', ({ name, example }) => {
    const found = audited.findings.find((finding) => finding.id === `${example}/${name}`);
    expect(found).toMatchObject({ class: name, example });
    expect(found?.sentence).toMatch(/^[A-Z'"(*a-z].*\.$/s);
  });

  it.each(sound)('finds nothing in $sql', ({ example }) => {
    expect(audited.findings.filter((finding) => finding.example === example)).toEqual([]);
  });

  it('shows what it says by two runs that differ', async () => {
    const tie = (await shownOf("SELECT name FROM item WHERE price = '45' ORDER BY price LIMIT 1")).get('limit-tie');
    expect(tie?.evidence.map(({ rows }) => rows)).toEqual([[['Chair']], [['Stool']]]);
    const order = (await shownOf('SELECT name FROM item ORDER BY price DESC LIMIT 1')).get('text-order');
    expect(order?.evidence.map(({ rows }) => rows)).toEqual([[['Lamp']], [['Desk ']]]);
    expect(order?.repair).toEqual({
      sql: 'SELECT name FROM item ORDER BY CAST(price AS REAL) DESC LIMIT 1',
      result: 'changed',
    });
  });

  it.each([
    ["SELECT count(*) FROM review WHERE day < date('now')", "date('2001-02-03 04:05:06')"],
    ['SELECT count(*) FROM review WHERE day < CURRENT_TIMESTAMP', "'2001-02-03 04:05:06'"],
    ['SELECT count(*) FROM review WHERE day < CURRENT_DATE', "'2001-02-03'"],
    ['SELECT datetime(current_time) FROM review', "datetime('04:05:06')"],
  ])('puts into %s what SQLite gives at a moment', async (sql, put) => {
    const clock = (await shownOf(sql)).get('clock');
    expect(clock?.evidence[0]?.label).toBe('on 2001-02-03 at 04:05:06');
    expect(clock?.evidence[0]?.sql).toContain(put);
  });

  it('says that CURRENT_TIME has no date, and shows no other day of it', async () => {
    const sql = "SELECT count(*) FROM review WHERE day < date(current_time, '-1 year')";
    const found = await shownOf(sql);
    expect(found.get('constant')?.sentence).toBe(
      "date(current_time, '-1 year') has the same date on every day: CURRENT_TIME has none, and SQLite takes 2000-01-01.",
    );
    expect(found.has('clock')).toBe(false);
  });

  it('names the column that has several values, not one that its group determines', async () => {
    const sql = 'SELECT i.name, r.stars, count(*) FROM item i JOIN review r ON i.id = r.item_id GROUP BY i.id';
    expect((await shownOf(sql)).get('bare-column')?.sentence).toBe(
      'r.stars is neither grouped by nor aggregated, and a group has several values.',
    );
  });

  it.each([
    ['SELECT i.name, count(*) FROM item i JOIN review r ON i.id = r.item_id GROUP BY r.item_id'],
    ['SELECT i.*, count(*) FROM item i LEFT JOIN review r ON i.id = r.item_id GROUP BY i.id'],
    ['SELECT r.day, i.name FROM review r LEFT JOIN item i ON r.item_id = i.id GROUP BY r.id HAVING i.sold > 2'],
    ['SELECT name, count(*) FROM item JOIN refund USING (id) GROUP BY refund.id'],
    ['SELECT i.name, count(*) FROM item i, review r WHERE i.id = r.item_id AND i.id = 1'],
  ])('takes no column for bare that keys determine: %s', async (sql) => {
    const { possible, findings } = await auditShop(newFolder(), [{ sql }]);
    expect([...possible, ...findings].map((finding) => finding.class)).not.toContain('bare-column');
  });

  it.each([
    ['SELECT i.name, count(*) FROM review r LEFT JOIN item i ON r.item_id = i.id AND r.stars > 9 GROUP BY r.item_id'],
    ['SELECT i.name FROM item i LEFT JOIN review r ON i.id = r.item_id WHERE r.stars > 4 GROUP BY r.item_id'],
    ['SELECT sold, count(*) FROM item WHERE id < 2 GROUP BY kind'],
  ])('takes a column for bare that no key determines: %s', async (sql) => {
    const { possible } = await auditShop(newFolder(), [{ sql }]);
    expect(possible.map((finding) => finding.class)).toContain('bare-column');
  });

  it('repairs all values that the data write differently', async () => {
    const sql = "SELECT id FROM item WHERE name = 'desk' OR name = 'lamp'";
    expect((await shownOf(sql)).get('value-mismatch')).toMatchObject({
      sentence:
        "The query asks for 'desk', which item.name writes 'Desk ', and for 'lamp', which item.name writes 'Lamp'.",
      repair: { sql: "SELECT id FROM item WHERE name = 'Desk ' OR name = 'Lamp'", result: 'changed' },
    });
  });

  it('joins operators that a tokenizer split, but not what is quoted', async () => {
    const found = (await shownOf("SELECT '> =', id FROM item WHERE sold > = 7 AND kind ! = 'light'")).get(
      'does-not-bind',
    );
    const sql = "SELECT '> =', id FROM item WHERE sold >= 7 AND kind != 'light'";
    expect(found?.repair).toEqual({ sql, result: 'same' });
  });

  it('says why a result is empty', async () => {
    expect((await shownOf('SELECT id FROM refund')).get('empty')?.sentence).toBe(
      'The result has no rows: table refund has no rows.',
    );
    expect((await shownOf("SELECT id FROM item WHERE name = 'Bed'")).get('empty')?.sentence).toBe(
      "The result has no rows: no item.name is 'Bed'.",
    );
  });

  it('reports what no rows show as possible, and not as a finding', async () => {
    const { findings, possible, classes } = await auditShop(newFolder(), [
      { sql: 'SELECT name FROM item ORDER BY id LIMIT 1' },
    ]);
    expect(findings).toEqual([]);
    expect(possible.map((finding) => finding.class)).toContain('limit-tie');
    expect(classes['limit-tie']).toEqual({ findings: 0, possible: 1 });
  });

  it('finds questions that are asked twice with golds that differ, and lets alone those that are equal', async () => {
    const question = 'How many items are there?';
    const { findings } = await auditShop(newFolder(), [
      { question, sql: 'SELECT count(*) FROM item' },
      { question: 'how many items are there', sql: 'select  COUNT(*) from item;' },
      { question, sql: 'SELECT count(*) FROM item WHERE id > 1' },
      { question, sql: 'SELECT count(id) FROM item' },
    ]);
    expect(findings.map(({ example, class: name }) => [example, name])).toEqual([['dev:2', 'duplicate-question']]);
    expect(findings[0]?.evidence.map(({ rows }) => rows)).toEqual([[[5]], [[4]]]);
  });

  it('has every class in its counts', async () => {
    const { classes } = await auditShop(newFolder(), [{ sql: 'SELECT count(*) FROM item' }]);
    expect(Object.keys(classes)).toEqual(AUDIT_CLASS_NAMES);
  });

  it('gives the same report again, whatever the number of processes', async () => {
    const folder = newFolder();
    const paths = writeShop(
      folder,
      FAULTY.filter(([name]) => name !== 'runaway' && name !== 'random').map(([, sql]) => ({ sql })),
    );
    const one = await auditDataset({ dataset: 'sqlite', ...paths, jobs: 1 });
    expect(await auditDataset({ dataset: 'sqlite', ...paths, jobs: 2 })).toEqual(one);
  });

  it('runs nothing that writes', async () => {
    const folder = newFolder();
    const { findings } = await auditShop(folder, [
      { sql: 'DROP TABLE item' },
      { sql: `VACUUM INTO '${join(folder, 'copy.sqlite')}'` },
    ]);
    expect(findings.filter((finding) => finding.class === 'does-not-run')).toHaveLength(2);
    expect(existsSync(join(folder, 'copy.sqlite'))).toBe(false);
  });

  it('writes the data set with repaired golds, in the format that was read', async () => {
    const folder = newFolder();
    const repair = join(folder, 'repaired');
    const report = await auditShop(
      folder,
      [
        { sql: 'SELECT id FROM item WHERE kind = "wood"' },
        { sql: 'SELECT name FROM item ORDER BY price DESC LIMIT 1' },
        { sql: 'SELECT name FROM item LIMIT 1' },
      ],
      { repair },
    );
    expect(report.repair).toEqual({ folder: repair, repaired: 2 });
    const written = JSON.parse(readFileSync(join(repair, 'sqlite/examples.json'), 'utf8')) as { query: string }[];
    expect(written.map(({ query }) => query)).toEqual([
      "SELECT id FROM item WHERE kind = 'wood'",
      'SELECT name FROM item ORDER BY CAST(price AS REAL) DESC LIMIT 1',
      'SELECT name FROM item LIMIT 1',
    ]);
    const again = await auditDataset({
      dataset: 'sqlite',
      databases: join(folder, 'shop.sqlite'),
      examples: join(repair, 'sqlite/examples.json'),
    });
    expect(again.findings.map((finding) => finding.class)).toEqual(['unordered-limit']);
    const error = await rejectionOf(ConfigError, () => auditShop(newFolder(), [{ sql: 'SELECT 1' }], { repair }));
    expect(error.message).toBe(`option --repair: ${repair} is not empty`);
  });

  it('writes a page and its data', async () => {
    const folder = newFolder();
    const out = join(folder, 'out');
    const report = await auditShop(folder, [{ sql: 'SELECT name FROM item LIMIT 1' }], { out });
    expect(readdirSync(out).sort()).toEqual(['report.html', 'report.json', 'run.json']);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toEqual(report);
    expect(/<h1>(.*)<\/h1>/.exec(readFileSync(join(out, 'report.html'), 'utf8'))?.[1]).toBe(
      '1 of 1\u00a0example has a gold query in doubt, 100.0%',
    );
  });
});

describe('auditDataset of databases that hold nothing', () => {
  it('ends where all are so, and executes no golds on some', async () => {
    const databases = newFolder();
    cpSync(join(EXAMPLES, 'database'), databases, { recursive: true });
    const garden = join(databases, 'community_garden', 'community_garden.sqlite');
    writeFileSync(garden, '');
    const { tables, examples } = EXAMPLE_DATA;
    const options = { dataset: 'spider', tables, examples, databases, jobs: 1 } as const;
    const { databasesWithRows, findings, notes } = await auditDataset(options);
    expect(databasesWithRows).toBe(2);
    expect(findings.filter(({ class: name }) => name === 'does-not-run')).toEqual([]);
    expect(notes).toEqual([`${garden}: the database file is empty, so its gold queries are not executed`]);
    const error = await rejectionOf(InputFormatError, () => auditDataset({ ...options, databases: 'nowhere' }));
    expect(error.message).toBe('there is no database file');
  });
});

describe('auditDataset without rows', () => {
  const tables = [
    {
      db_id: 'shop',
      table_names: ['item'],
      table_names_original: ['item'],
      column_names: [
        [-1, '*'],
        [0, 'id'],
        [0, 'name'],
      ],
      column_names_original: [
        [-1, '*'],
        [0, 'id'],
        [0, 'name'],
      ],
      column_types: ['text', 'number', 'text'],
      primary_keys: [1],
      foreign_keys: [],
    },
  ];
  const audit = (records: readonly object[], dataset: 'spider' | 'bird' = 'spider') => {
    const paths = { tables: join(temp.path, 'tables.json'), examples: join(temp.path, 'dev.json') };
    writeFileSync(paths.tables, JSON.stringify(tables));
    writeFileSync(paths.examples, JSON.stringify(records));
    return auditDataset({ dataset, ...paths });
  };

  it.each([
    ['does-not-bind', 'SELECT prize FROM item'],
    ['other-dialect', 'SELECT name::text FROM item'],
    ['other-dialect', 'SELECT year(name) FROM item'],
    ['clock', 'SELECT CURRENT_DATE, name FROM item'],
  ] as const)('finds %s in %s', async (name, query) => {
    const { findings } = await audit([{ db_id: 'shop', question: 'q', query }]);
    expect(findings.map((finding) => finding.class)).toEqual([name]);
  });

  it('finds ids that several records have', async () => {
    const record = { question_id: 7, db_id: 'shop', question: 'q', evidence: '', SQL: 'SELECT name FROM item' };
    const { findings } = await audit([record, { ...record, question: 'r' }], 'bird');
    expect(findings.map(({ id, sentence }) => [id, sentence])).toEqual([
      ['dev:1/duplicate-id', 'The id "7" is also that of dev:0.'],
    ]);
  });

  it('takes the same question with other evidence for another one', async () => {
    const record = { db_id: 'shop', question: 'q' };
    const { findings, possible } = await audit(
      [
        { ...record, evidence: 'a', SQL: 'SELECT name FROM item' },
        { ...record, evidence: 'b', SQL: 'SELECT id FROM item' },
        { ...record, evidence: 'a', SQL: 'SELECT id, name FROM item' },
      ],
      'bird',
    );
    expect(findings).toEqual([]);
    expect(possible.map(({ id }) => id)).toEqual(['dev:2/duplicate-question']);
  });

  it('takes no gold for wrong of a question that has no query', async () => {
    const { findings, notes } = await audit([
      { db_id: 'shop', question: 'q', query: 'null' },
      { db_id: 'shop', question: 'r', query: 'nan' },
      { db_id: 'shop', question: 's', query: 'what prize', is_impossible: true },
      { db_id: 'shop', question: 't', query: 'what prize', answerable: true },
      { db_id: 'shop', question: 'u', query: 'Unanswerable;' },
    ]);
    expect(findings.map(({ id }) => id)).toEqual(['dev:3/does-not-bind']);
    expect(notes).toEqual(['4 examples have no query to audit: marked as unanswerable, or with a gold such as null']);
  });
});
