import { describe, expect, it } from 'vitest';
import { firstLeftOut, firstOfGroups, groupByReason } from '../../src/report/left-out.js';

const left = (count: number, reason: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => ({ id: `dev:${i}`, reason: reason(i) }));

describe('what a terminal says was left out', () => {
  it('is every item with its reason where there are few', () => {
    expect(
      firstLeftOut(
        left(2, () => 'field "db_id" is missing'),
        'report.json',
      ),
    ).toEqual(['dev:0 was left out: field "db_id" is missing', 'dev:1 was left out: field "db_id" is missing']);
    expect(firstLeftOut([], 'report.json')).toEqual([]);
  });

  it('is one sentence where many have one reason', () => {
    expect(
      firstLeftOut(
        left(1200, () => 'no gold'),
        'report.json',
      ),
    ).toEqual(['1,200 were left out, dev:0, dev:1, dev:10 …: no gold']);
  });

  it('is bounded whatever the reasons are, and says where the others are', () => {
    const sentences = firstLeftOut(left(1500, String), 'RUN/report.json');
    expect(sentences).toHaveLength(11);
    expect(sentences.at(-1)).toBe('and 1,490 more: see RUN/report.json');
  });

  it('is the same of what a report holds by reason', () => {
    const items = left(4, (i) => (i === 2 ? 'rare' : 'frequent'));
    expect([...firstOfGroups(groupByReason(items), '')].sort()).toEqual([...firstLeftOut(items, '')].sort());
  });
});
