import { describe, expect, it } from 'vitest';
import { failedAnswer, readAnswer, saysUnanswerable } from '../../src/victims/victim.js';

describe('saysUnanswerable', () => {
  it.each(['', 'null', 'NULL;', 'Unanswerable.', 'not_answerable', "SELECT 'unanswerable'", 'SELECT NULL', 'n/a'])(
    'takes %j for it',
    (raw) => expect(saysUnanswerable(readAnswer('q', raw))).toBe(true),
  );

  it.each([
    'SELECT name FROM singer',
    'SELECT NULL FROM singer',
    "SELECT 'none of them'",
    'Well, it depends.',
    'nan',
    'NaN;',
    "SELECT 'nan'",
  ])('takes %j for another answer', (raw) => expect(saysUnanswerable(readAnswer('q', raw))).toBe(false));

  it('tells what was never answered, or refused, from it', () => {
    for (const kind of ['unanswered', 'refused', 'too-long', 'timeout'] as const) {
      expect(saysUnanswerable(failedAnswer('q', kind, 'no answer'))).toBe(false);
    }
  });
});
