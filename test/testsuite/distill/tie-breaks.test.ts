import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_CONSTRAINTS } from '../../../src/rows/constraints/mine-constraints.js';
import { readGoldCases } from '../../../src/testsuite/distill/gold-cases.js';
import { TrialDatabase } from '../../../src/testsuite/distill/trial-database.js';
import { createFuzzer, type Fuzzer } from '../../../src/rows/fuzz/fuzzer.js';
import { Library } from './library.js';

let library: Library;
let fuzzer: Fuzzer;

beforeAll(() => {
  library = new Library();
  fuzzer = createFuzzer(library.task([]), []);
});
afterAll(() => {
  fuzzer.close();
  library.remove();
});

const AUTHORS = [
  [1, 'Ada', 'UK', 1815],
  [2, 'Bo', 'Sweden', 1950],
  [3, 'Cy', 'UK', 1950],
];
/**
 * Whether a gold's result depends on nothing where these authors have these books: id, author, title, pages and price.
 */
function isDeterminate(sql: string, books: readonly (readonly unknown[])[]): boolean {
  const { cases } = readGoldCases(library.task([sql]), NO_CONSTRAINTS);
  const rows = new Map([
    ['author', AUTHORS],
    ['book', books],
  ]) as Parameters<Fuzzer['materialize']>[0];
  const trial = new TrialDatabase(fuzzer.materialize(rows));
  try {
    const [gold] = cases;
    return trial.isDeterminate(gold!, trial.resultOf(gold!)!, 'full');
  } finally {
    trial.close();
  }
}

const TWO_EACH = [
  [1, 1, 'Notes', 120, 9],
  [2, 2, 'Snow', 310, 9],
  [3, 2, 'Ice', 90, 9],
  [4, 1, 'Fog', 80, 9],
];
const BO_MORE = [...TWO_EACH, [5, 2, 'Mud', 70, 9]];

describe('a gold whose ties an equal query may settle otherwise', () => {
  it.each([
    [
      'groups under LIMIT',
      'SELECT T2.name FROM book AS T1 JOIN author AS T2 ON T1.author = T2.id GROUP BY T2.id ORDER BY count(*) DESC LIMIT 1',
    ],
    ['groups in order', 'SELECT author FROM book GROUP BY author ORDER BY count(*)'],
    ['groups without an order', 'SELECT author, count(*) FROM book GROUP BY author LIMIT 1'],
    [
      'groups in a subquery',
      'SELECT name FROM author WHERE id = (SELECT author FROM book GROUP BY author ORDER BY count(*) DESC LIMIT 1)',
    ],
    [
      'groups of a derived table',
      'SELECT author FROM (SELECT author, count(*) AS n FROM book GROUP BY author) ORDER BY n DESC LIMIT 1',
    ],
    ['DISTINCT under LIMIT', 'SELECT DISTINCT author FROM book LIMIT 1'],
    ['DISTINCT in order', 'SELECT DISTINCT author, price FROM book ORDER BY price'],
    ['UNION under LIMIT', 'SELECT author FROM book UNION SELECT id FROM author LIMIT 1'],
    ['UNION in order', 'SELECT author, price FROM book UNION SELECT author, price FROM book ORDER BY price'],
    ['rows in order', 'SELECT title FROM book ORDER BY price'],
  ])('is indeterminate: %s', (_, sql) => {
    expect(isDeterminate(sql, TWO_EACH)).toBe(false);
  });

  it.each([
    'SELECT T2.name FROM book AS T1 JOIN author AS T2 ON T1.author = T2.id GROUP BY T2.id ORDER BY count(*) DESC LIMIT 1',
    'SELECT author FROM book GROUP BY author ORDER BY count(*)',
    'SELECT author FROM (SELECT author, count(*) AS n FROM book GROUP BY author) ORDER BY n DESC LIMIT 1',
    'SELECT count(*) > 1 FROM book GROUP BY author LIMIT 1',
    'SELECT DISTINCT price FROM book LIMIT 1',
    'SELECT author FROM book UNION SELECT id FROM author WHERE id < 3 LIMIT 2',
    'SELECT author FROM book INTERSECT SELECT id FROM author ORDER BY 1 DESC LIMIT 1',
    'SELECT price FROM book ORDER BY price',
    'SELECT title FROM (SELECT title FROM book ORDER BY pages DESC) LIMIT 1',
    'SELECT EXISTS (SELECT author FROM book GROUP BY author LIMIT 1)',
  ])('is determinate where all that is tied is the same: %s', (sql) => {
    expect(isDeterminate(sql, BO_MORE)).toBe(true);
  });

  it('is looked at next to bare columns, of which any row may give the value', () => {
    const sql = 'SELECT author, title FROM book GROUP BY author ORDER BY count(*) DESC LIMIT 1';
    expect(isDeterminate(sql, BO_MORE)).toBe(false);
    expect(isDeterminate('SELECT author FROM book GROUP BY author ORDER BY pages LIMIT 1', TWO_EACH)).toBe(false);
  });
});
