import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../../../src/variants/databases/row-reader.js';
import { seedCase } from '../../../../src/variants/relations/relation.js';
import { comparisonChange } from '../../../../src/variants/relations/query/comparison-change.js';
import { databaseNumberChange } from '../../../../src/variants/relations/query/database-number-change.js';
import { databaseTextChange } from '../../../../src/variants/relations/query/database-text-change.js';
import { numberChange } from '../../../../src/variants/relations/query/number-change.js';
import { sortOrderChange } from '../../../../src/variants/relations/query/sort-order-change.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { mutateOne } from '../cases.js';
import { CLUB, datasetAt, writeClub } from '../evolution/club-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-query-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'club.sqlite');
writeClub(file, [
  [
    [1, 'Ann Lee', '1990-01-31', 1, 'Senior', 10, '2020-01-02', 1],
    [2, 'Jan Dyk', '2001-12-05', 0, 'Junior', 20, '2020-03-04', 1],
    [3, 'Bob Stone', null, 1, 'Senior', 34, null, 2],
    [4, 'Eve Stone', '1990-01-31', null, 'Unknown', 50, null, null],
  ],
  [[1, 'Ann', 'Lee', 'York', 'Ohio', 1.5]],
  [[1, 1, '7']],
]);

const rows = RowReader.of(datasetAt(file));
const KINDS = {
  QCm: comparisonChange(SQLITE),
  QSo: sortOrderChange(rows, SQLITE),
  QNn: numberChange(SQLITE),
  QDn: databaseNumberChange(rows, SQLITE),
  QDt: databaseTextChange(rows, SQLITE),
};

/** Questions and golds of a kind, or the reason why there are none. */
async function changed(kind: keyof typeof KINDS, question: string, query: string): Promise<unknown> {
  const one = seedCase({ id: 'own:0', dbId: 'club', question, query }, CLUB);
  const result = await mutateOne(KINDS[kind], one, 100);
  if ('reason' in result) return result.reason;
  expect(result.every(({ expectation, mutated }) => expectation === 'other-query' && mutated === null)).toBe(true);
  return result.map((mutation) => [mutation.question, mutation.query]);
}

describe('changes of gold and question together', () => {
  it.each([
    [
      'QCm',
      'Players with more than 20 points?',
      'SELECT * FROM player WHERE points > 20',
      'Players with less than 20 points?',
      'SELECT * FROM player WHERE points < 20',
    ],
    [
      'QCm',
      'Levels with at least 3 players?',
      'SELECT level FROM player GROUP BY level HAVING count(*) >= 3',
      'Levels with at most 3 players?',
      'SELECT level FROM player GROUP BY level HAVING count(*) <= 3',
    ],
    [
      'QCm',
      'Levels of more than 3 players?',
      'SELECT level FROM player GROUP BY level HAVING count(*) > 3',
      'Levels of fewer than 3 players?',
      'SELECT level FROM player GROUP BY level HAVING count(*) < 3',
    ],
    [
      'QSo',
      'Who has the highest points?',
      'SELECT player_name FROM player ORDER BY points DESC LIMIT 1',
      'Who has the lowest points?',
      'SELECT player_name FROM player ORDER BY points ASC LIMIT 1',
    ],
    [
      'QSo',
      'Which level has the most players?',
      'SELECT level FROM player GROUP BY level ORDER BY count(*) DESC LIMIT 1',
      'Which level has the fewest players?',
      'SELECT level FROM player GROUP BY level ORDER BY count(*) ASC LIMIT 1',
    ],
    [
      'QSo',
      'Names in alphabetical order?',
      'SELECT player_name FROM player ORDER BY player_name',
      'Names in reverse alphabetical order?',
      'SELECT player_name FROM player ORDER BY player_name DESC',
    ],
    [
      'QSo',
      'Names from youngest to oldest',
      'SELECT player_name FROM player ORDER BY birth_date DESC',
      'Names from oldest to youngest',
      'SELECT player_name FROM player ORDER BY birth_date ASC',
    ],
  ] as const)('%s turns %s round', async (kind, question, query, otherQuestion, otherQuery) => {
    expect(await changed(kind, question, query)).toEqual([[otherQuestion, otherQuery]]);
  });

  it.each([
    ['QCm', 'Players with more than 20 points?', 'SELECT * FROM player WHERE points >= 20'],
    ['QCm', 'Players that do not have more than 20 points?', 'SELECT * FROM player WHERE points > 20'],
    [
      'QCm',
      'Players with more than all of level Junior?',
      "SELECT * FROM player WHERE points > (SELECT max(points) FROM player WHERE level = 'Junior')",
    ],
    ['QCm', 'Players born after 1990?', "SELECT * FROM player WHERE birth_date > '1990-12-31'"],
    ['QCm', 'All over the club?', 'SELECT * FROM player WHERE points > 20'],
    [
      'QCm',
      'Teams with more than 3 players?',
      'SELECT team.city FROM team JOIN player USING (team_id) GROUP BY city HAVING count(*) > 3',
    ],
    ['QSo', 'The three latest births?', 'SELECT player_name FROM player ORDER BY birth_date DESC LIMIT 3'],
    ['QSo', 'Who has at most points?', 'SELECT player_name FROM player ORDER BY points DESC LIMIT 1'],
    [
      'QSo',
      'Which team has the most players?',
      'SELECT city FROM team JOIN player USING (team_id) GROUP BY city ORDER BY count(*) DESC LIMIT 1',
    ],
    ['QSo', 'Who has the most points?', 'SELECT player_name FROM player ORDER BY points LIMIT 1'],
    ['QNn', 'The first player and the one of level 1?', 'SELECT * FROM player LIMIT 1'],
    ['QNn', 'Levels with more than 3 players?', 'SELECT level FROM player GROUP BY level HAVING count(*) >= 3'],
    ['QNn', 'The 2 players with 2 points?', 'SELECT * FROM player WHERE points = 2 LIMIT 2'],
    ['QDn', 'Players with at least 20 points?', 'SELECT * FROM player WHERE points > 20'],
    ['QDt', 'Senior players of a senior team?', "SELECT * FROM player WHERE level = 'Senior'"],
    ['QDt', 'When was Ann Lee here?', "SELECT * FROM team WHERE first_name = 'Ann' AND last_name = 'Lee'"],
  ] as const)('%s leaves alone what is not said once and clearly: %s', async (kind, question, query) => {
    expect(await changed(kind, question, query)).toEqual(expect.any(String));
  });

  it('write other numbers of rows as the question has them', async () => {
    const result = await changed('QNn', 'The top three players?', 'SELECT * FROM player ORDER BY points DESC LIMIT 3');
    expect(result).toHaveLength(8);
    expect(result).toContainEqual(['The top four players?', 'SELECT * FROM player ORDER BY points DESC LIMIT 4']);
  });

  it('write numbers of the column: any where it is equal, between its ends and as round where it is compared by size', async () => {
    const equal = await changed('QDn', 'Who has 20 points?', 'SELECT * FROM player WHERE points = 20');
    expect(equal).toEqual(
      [10, 34, 50].map((n) => [`Who has ${n} points?`, `SELECT * FROM player WHERE points = ${n}`]),
    );
    const greater = await changed('QDn', 'Who has over 20 points?', 'SELECT * FROM player WHERE points > 20');
    expect(greater).toEqual([['Who has over 30 points?', 'SELECT * FROM player WHERE points > 30']]);
  });

  it('write texts of the column that look alike, in the letters and with the article that the question wants', async () => {
    const result = await changed(
      'QDt',
      'When did a senior player arrive?',
      "SELECT arrived_on FROM player WHERE level = 'Senior'",
    );
    expect(result).toEqual([
      ['When did a junior player arrive?', "SELECT arrived_on FROM player WHERE level = 'Junior'"],
    ]);
  });
});
