import { describe, expect, it } from 'vitest';
import { recordWithQuery } from '../../src/formats/query-fields.js';
import { CONCERTS } from '../evaluate/concert-database.js';

describe('recordWithQuery', () => {
  it('makes tokens and structure again, and leaves other fields and their order', () => {
    const record = {
      db_id: 'concerts',
      query: 'SELECT 1',
      query_toks: ['x'],
      sql: { select: [], from: {}, limit: 9 },
      own: [1],
    };
    const changed = recordWithQuery(record, 'query', 'SELECT Name FROM Singer LIMIT 2', CONCERTS);
    expect(Object.keys(changed)).toEqual(Object.keys(record));
    expect(changed).toMatchObject({
      query: 'SELECT Name FROM Singer LIMIT 2',
      query_toks: ['SELECT', 'Name', 'FROM', 'Singer', 'LIMIT', '2'],
      sql: { limit: 2 },
      own: [1],
    });
  });

  it('takes a text in the field sql for a query, not for its structure', () => {
    const record = { sql: 'SELECT 1', question: 'q' };
    expect(recordWithQuery(record, 'sql', 'SELECT 2', CONCERTS)).toEqual({ sql: 'SELECT 2', question: 'q' });
  });
});
