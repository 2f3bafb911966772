import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../src/http/http-error.js';

const NOW = Date.parse('Sat, 21 Nov 2026 10:00:00 GMT');
const LATER = 'Sat, 21 Nov 2026 10:00:05 GMT';

describe('retryAfterMs', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['parts of a second', { 'retry-after': '0.5' }, 500],
    ['zero', { 'retry-after': ' 0 ' }, 0],
    ['a date', { 'retry-after': LATER }, 5_000],
    ['a date by the service’s clock', { 'retry-after': LATER, date: 'Sat, 21 Nov 2026 10:00:03 GMT' }, 2_000],
    ['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 10:00:00 GMT' }, 0],
    ['nothing', {}, null],
    ['an empty value', { 'retry-after': '' }, null],
    ['a negative number', { 'retry-after': 'soon' }, null],
  ])('reads %s', (_, headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
  });
});
