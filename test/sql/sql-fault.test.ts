import { expect, it } from 'vitest';
import { ConfigError, SqlRewriteError } from '../../src/errors.js';
import { sqlFault } from '../../src/sql/sql-fault.js';

it('tells a fault in a query and its place apart, though the message has both', () => {
  const fault = sqlFault('SELECT a\nFROM t', 9, 'no such word at offset 2', 'Write another.');
  expect(fault.message).toBe('no such word at offset 2 at offset 9 (2:1), near: SELECT a »FROM t');
  expect(fault.summary).toBe('no such word at offset 2');
  expect(fault.place).toEqual({ offset: 9, text: '9 (2:1), near: SELECT a »FROM t' });
});

it('has no place where the whole query is meant, or none', () => {
  const whole = new SqlRewriteError('nested too deeply', { fix: 'Write it in another way.' });
  expect([whole.place, whole.summary]).toEqual([null, 'nested too deeply']);
  expect(new ConfigError('wrong', { fix: 'Change it.' }).summary).toBe('wrong');
});
