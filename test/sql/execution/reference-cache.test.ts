import { describe, expect, it } from 'vitest';
import type { QueryOutcome } from '../../../src/sql/execution/query-outcome.js';
import { ReferenceCache } from '../../../src/sql/execution/batch-work.js';

const ROWS: QueryOutcome = { kind: 'rows', columns: ['a'], rows: [[1n]] };

describe('ReferenceCache', () => {
  it('keeps what running the query again would give', () => {
    const cache = new ReferenceCache();
    const wrong: QueryOutcome = { kind: 'failed', at: 'query', message: 'no such column: a' };
    cache.keep('rows', ROWS);
    cache.keep('wrong', wrong);
    expect([cache.get('rows'), cache.get('wrong'), cache.get('other')]).toEqual([ROWS, wrong, undefined]);
  });

  it.each<QueryOutcome>([
    { kind: 'failed', at: 'database', message: 'database is locked' },
    { kind: 'failed', at: 'process', message: 'the process that ran it died' },
    { kind: 'timed-out' },
    { kind: 'too-large', limit: 'memory' },
  ])('asks again after %j', (outcome) => {
    const cache = new ReferenceCache();
    cache.keep('key', outcome);
    expect(cache.get('key')).toBeUndefined();
  });

  it('makes room for the latest', () => {
    const cache = new ReferenceCache();
    const large: QueryOutcome = { ...ROWS, rows: Array.from({ length: 24_000 }, () => [1n]) };
    for (let i = 0; i < 20; i++) cache.keep(`large ${i}`, large);
    expect(cache.get('large 0')).toBeUndefined();
    expect(cache.get('large 19')).toEqual(large);
  });
});
