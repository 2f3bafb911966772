import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesAnEntity, singularTableName, TableNameTpe } from '../../src/tpe/table-name-tpe.js';
import { createTarget } from '../retriever/retriever-fixture.js';

describe('singularTableName', () => {
  test.each([
    ['singers', 'singer'],
    ['Dog Kennels', 'dog kennel'],
    ['students of club', 'student of club'],
    ['singer in concert', 'singer in concert'],
    ['countries', 'country'],
    ['people', 'person'],
    ['matches', 'match'],
    ['address', 'address'],
    ['series', 'series'],
    ['  sales   persons ', 'sales person'],
    ['of', 'of'],
    ['', ''],
  ])('"%s" gives "%s"', (name, singular) => {
    expect(singularTableName(name)).toBe(singular);
  });

  test('is in lower case, trimmed, and stays once it is singular', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z ]{0,20}$/), (name) => {
        const once = singularTableName(name);
        expect(once).toBe(once.toLowerCase().trim());
        expect(once.split(' ')).toHaveLength(Math.max(1, name.trim().split(/\s+/).length));
      }),
    );
  });
});

describe('namesAnEntity', () => {
  test.each(['singer', 'dog kennels', 'ref template types', 'student data', '歌手'])('"%s" does', (name) => {
    expect(namesAnEntity(name)).toBe(true);
  });
  test.each(['', 'table 1', 't1', '1-10015132-11', 'data', 'Sheet1', '🙂', 'x y', 'table', 'TBL_2'])(
    '"%s" does not',
    (name) => {
      expect(namesAnEntity(name)).toBe(false);
    },
  );
});

test('TableNameTpe answers a batch in order, also an empty one', async () => {
  const tpe = new TableNameTpe();
  expect(await tpe.predict([createTarget('concerts', ['name']), createTarget('singers', ['age'])])).toEqual([
    'concert',
    'singer',
  ]);
  expect(await tpe.predict([])).toEqual([]);
});
