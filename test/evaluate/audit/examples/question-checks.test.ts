import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditClassName } from '../../../../src/evaluate/audit/audit-classes.js';
import type { AuditFinding } from '../../../../src/evaluate/audit/finding.js';
import { makeTempFolder } from '../../../e2e/run-cli.js';
import { auditShop } from '../shop-data-set.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

type Asked = readonly [question: string, sql: string];

/** What may be wrong and what is wrong with each gold, by class; all in one run, as no check looks at two of them. */
async function auditEach(asked: readonly Asked[]): Promise<(of: Asked) => Record<'possible' | 'wrong', Sentences>> {
  const folder = join(temp.path, String(folders++));
  const report = await auditShop(
    folder,
    asked.map(([question, sql]) => ({ question, sql })),
  );
  expect(report.examples).toBe(asked.length);
  const sentencesOf = (findings: readonly AuditFinding[], id: string): Sentences =>
    new Map(findings.filter(({ example }) => example === id).map((finding) => [finding.class, finding.sentence]));
  return ([question, sql]) => {
    const id = `dev:${asked.findIndex((one) => one[0] === question && one[1] === sql)}`;
    return { possible: sentencesOf(report.possible, id), wrong: sentencesOf(report.findings, id) };
  };
}

type Sentences = ReadonlyMap<AuditClassName, string>;
let folders = 0;

describe('a year in the dates of a query', () => {
  const dated = (condition: string): string => `SELECT id FROM review WHERE ${condition}`;
  const [in2021, in2023] = ['Which reviews were written in 2021?', 'Which reviews were written in 2023?'];
  const ofOneYear = [
    "day LIKE '2023%'",
    "day LIKE '2023-%'",
    "day BETWEEN '2023-01-01' AND '2023-12-31'",
    "day >= '2023-01-01' AND day < '2024-01-01'",
    "day > '2022-12-31' AND day <= '2023-12-31' AND day >= '2023-01-01'",
  ];
  const ofSeveral: readonly Asked[] = [
    ['Which reviews were written after 2022?', "day >= '2023-01-01'"],
    ['Which reviews were written in the year after 2022?', "day LIKE '2023%'"],
    ['Which reviews of 2022 or 2023 are there?', "day LIKE '2023%'"],
    ['Which reviews were written in 2022?', "day BETWEEN '2021-01-01' AND '2023-12-31'"],
    ['Which reviews has order 2022-17?', "day LIKE '2023%'"],
    ['Which reviews were written in 2022?', "day >= '2022-01-01' AND day < '2023-01-01'"],
  ];
  let wrongOf: (question: string, condition: string) => string | undefined;

  beforeAll(async () => {
    const asked = [
      ...ofOneYear.flatMap((condition): Asked[] => [
        [in2021, condition],
        [in2023, condition],
      ]),
      ...ofSeveral,
    ];
    const audited = await auditEach(asked.map(([question, condition]) => [question, dated(condition)]));
    wrongOf = (question, condition) => audited([question, dated(condition)]).wrong.get('value-mismatch');
  });

  it.each(ofOneYear)('is not another than that of the question: %s', (condition) => {
    expect(wrongOf(in2021, condition)).toMatch(
      /^The question says 2021, and the query asks for dates of 202[23](?: to 2023)?\.$/,
    );
    expect(wrongOf(in2023, condition)).toBeUndefined();
  });

  it.each(ofSeveral)('may be another, or is not known: "%s" %s', (question, condition) => {
    expect(wrongOf(question, condition)).toBeUndefined();
  });
});

describe('checkQuestion', () => {
  const possible = [
    ['superlative', 'What are the top five items by price?', 'SELECT name FROM item ORDER BY sold DESC'],
    ['superlative', 'What are the top 5 items by price?', 'SELECT name FROM item ORDER BY sold DESC LIMIT 3'],
    ['superlative', 'Which are the three cheapest items?', 'SELECT name FROM item ORDER BY sold LIMIT 1'],
    [
      'superlative',
      'Which kind has the least items?',
      'SELECT kind FROM item GROUP BY kind ORDER BY count(*) DESC LIMIT 1',
    ],
    ['superlative', 'What are the top 2 items with the most sales?', 'SELECT name FROM item ORDER BY sold LIMIT 2'],
    ['superlative', 'What are the top two items by sales?', 'SELECT name FROM item ORDER BY sold LIMIT 2'],
    [
      'superlative',
      'What are the top 2 kinds by number of items?',
      'SELECT kind FROM item GROUP BY kind ORDER BY count(*) LIMIT 2',
    ],
    ['superlative', 'Which is the most recent review?', 'SELECT id FROM review ORDER BY day LIMIT 1'],
    ['superlative', 'Which is the latest review?', 'SELECT id FROM review ORDER BY stars, day, id DESC LIMIT 1'],
    ['bound', 'Which items were sold at least 3 times?', 'SELECT name FROM item WHERE sold > 3'],
    ['bound', 'Which items were sold at least three times?', 'SELECT name FROM item WHERE 3 < sold'],
    ['bound', 'Which items were sold 3 times or more?', 'SELECT name FROM item WHERE sold > 3'],
    ['bound', 'Which items were sold more than 3 times?', 'SELECT name FROM item WHERE sold >= 3'],
    ['bound', 'Which items were sold no more than 3 times?', 'SELECT name FROM item WHERE sold < 3'],
    ['bound', 'Which items were sold less than 3 times?', 'SELECT name FROM item WHERE sold > 3'],
    ['missing-count', 'How many kinds are there?', 'SELECT DISTINCT kind FROM item'],
    ['missing-count', 'In total, how many items are there?', 'SELECT id FROM item'],
    ['value-mismatch', 'How many parcels went to NC?', "SELECT count(*) FROM parcel WHERE state = 'NY'"],
    ['value-mismatch', 'How many items are made of light?', "SELECT count(*) FROM item WHERE kind = 'wood'"],
    ['text-order', 'Which is the highest fee?', 'SELECT max(fee) FROM parcel'],
    ['text-order', 'Which parcel has the lowest fee?', 'SELECT id FROM parcel ORDER BY fee LIMIT 1'],
    ['text-order', 'Which kind has the most items?', 'SELECT max(kind) FROM item'],
  ] as const;
  const sound = [
    ['superlative', 'What are the top five items by price?', 'SELECT name FROM item ORDER BY sold DESC LIMIT 5'],
    [
      'superlative',
      'What are the top 3 items?',
      'SELECT name FROM (SELECT name, rank() OVER (ORDER BY id) AS n FROM item) WHERE n < 4',
    ],
    ['superlative', 'What are the top 2 rarest items by sales?', 'SELECT name FROM item ORDER BY sold LIMIT 2'],
    ['superlative', 'What are the top 2 items in ascending sales?', 'SELECT name FROM item ORDER BY sold LIMIT 2'],
    ['superlative', 'What are the top 2 names of items?', 'SELECT name FROM item ORDER BY name LIMIT 2'],
    ['null-order', 'Which kind is rare?', 'SELECT kind FROM item GROUP BY kind ORDER BY count(*) LIMIT 1'],
    ['superlative', 'What are the top 2 items?', 'SELECT name FROM item ORDER BY id LIMIT 2'],
    ['superlative', 'Which items are in the top 10 percent?', 'SELECT name FROM item WHERE sold > 6'],
    ['superlative', 'Which kind has the least items?', 'SELECT kind FROM item GROUP BY kind ORDER BY count(*) LIMIT 1'],
    [
      'superlative',
      'Which item was sold at least once, first by name?',
      'SELECT name FROM item WHERE sold > 0 ORDER BY name DESC LIMIT 1',
    ],
    ['superlative', 'Which is the latest review?', 'SELECT id FROM review ORDER BY day DESC, id DESC LIMIT 1'],
    ['superlative', 'List names, then stars falling.', 'SELECT name, sold FROM item ORDER BY name, sold DESC'],
    ['bound', 'Which items were sold at least 3 times?', 'SELECT name FROM item WHERE sold > 2'],
    ['bound', 'Which items were sold at least 3 times?', 'SELECT name FROM item WHERE 3 <= sold'],
    [
      'bound',
      'Which items were sold more than 3 or less than 2 times?',
      'SELECT name FROM item WHERE sold > 3 OR sold < 2',
    ],
    ['bound', 'Which items were not sold more than 3 times?', 'SELECT name FROM item WHERE sold <= 3'],
    [
      'bound',
      'Which items were sold at least 3 times?',
      'SELECT name FROM item EXCEPT SELECT name FROM item WHERE sold < 3',
    ],
    ['missing-count', 'How many kinds are there?', 'SELECT count(DISTINCT kind) FROM item'],
    ['missing-count', 'How many times was the lamp sold?', 'SELECT sold FROM item WHERE id = 1'],
    ['value-mismatch', 'How many parcels went to New York?', "SELECT count(*) FROM parcel WHERE state = 'NY'"],
    ['value-mismatch', 'How many items are wooden?', "SELECT count(*) FROM item WHERE kind = 'wood'"],
    ['text-order', 'Which is the most recent day?', 'SELECT max(sent) FROM parcel'],
    ['text-order', 'Which item was sold the most?', 'SELECT name FROM item ORDER BY sold DESC LIMIT 1'],
  ] as const;
  let possibleOf: (question: string, sql: string) => Sentences;

  beforeAll(async () => {
    const audited = await auditEach([...possible, ...sound].map(([, question, sql]) => [question, sql]));
    possibleOf = (question, sql) => audited([question, sql]).possible;
  });

  it.each(possible)('takes for possible %s: "%s" %s', (name, question, sql) => {
    const found = possibleOf(question, sql);
    expect([...found.keys()]).toContain(name);
    expect(found.get(name)).toMatch(/^(?:The question|DESC).*\.$/s);
  });

  it.each(sound)('takes for no %s: "%s" %s', (name, question, sql) => {
    expect([...possibleOf(question, sql).keys()]).not.toContain(name);
  });
});
