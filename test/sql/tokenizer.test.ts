import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { isTrivia, tokenize, unquote } from '../../src/sql/tokenizer.js';
import { TOWN_QUERIES } from './town-queries.js';

const kinds = (sql: string): string[] =>
  tokenize(sql)
    .filter((token) => !isTrivia(token))
    .map(({ kind, text }) => `${kind} ${text}`);

describe('tokenize', () => {
  it.each([
    ['a_1 $', null],
    ['SELECT Année', ['word SELECT', 'word Année']],
    ['"a""b"[c d]`e``f`', ['quoted "a""b"', 'quoted [c d]', 'quoted `e``f`']],
    ["'it''s' x'0F' X''", ["string 'it''s'", "blob x'0F'", "blob X''"]],
    [
      '1 1.5 .5 1e3 1.5E-2 0xFF 1_000',
      ['number 1', 'number 1.5', 'number .5', 'number 1e3', 'number 1.5E-2', 'number 0xFF', 'number 1_000'],
    ],
    ['? ?12 :a @b $c', ['parameter ?', 'parameter ?12', 'parameter :a', 'parameter @b', 'parameter $c']],
    ['a->b->>c||d<>e==f!=g<=h>=i<<j>>k', null],
    ['t.c', ['word t', 'operator .', 'word c']],
    ['a--b\n/* c\nd */e /* open', ['word a', 'word e']],
  ])('%s', (sql, expected) => {
    if (expected !== null) expect(kinds(sql)).toEqual(expected);
    else if (sql.includes('->')) expect(kinds(sql).filter((kind) => kind.startsWith('operator'))).toHaveLength(10);
    else expect(() => tokenize(sql)).toThrow(SqlRewriteError);
  });

  it.each([
    ["SELECT 'a", /unterminated ' at offset 7 \(1:8\)/],
    ['SELECT\n "a', /unterminated " at offset 8 \(2:2\)/],
    ['SELECT [a', /unterminated \[/],
    ['12ab', /malformed number/],
    ["x'0'", /malformed blob/],
    ['a ^ b', /unexpected character "\^" at offset 2/],
    ['a \0', /unexpected character/],
  ])('refuses %j', (sql, message) => {
    expect(() => tokenize(sql)).toThrow(message);
  });

  it('covers every byte: the texts joined are the input', () => {
    const piece = fc.constantFrom(
      'a',
      '"b"',
      "'c'",
      '[d]',
      '1.5',
      ' ',
      '\n',
      '--x\n',
      '/*y*/',
      '||',
      '(',
      ')',
      ',',
      'é',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const sql = pieces.join('  ');
        const tokens = tokenize(sql);
        expect(tokens.map((token) => token.text).join('')).toBe(sql);
        for (const { start, end, text } of tokens) expect(sql.slice(start, end)).toBe(text);
      }),
    );
  });

  it.each(TOWN_QUERIES)('keeps the bytes of %s', (sql) => {
    expect(
      tokenize(sql)
        .map((token) => token.text)
        .join(''),
    ).toBe(sql);
  });
});

describe('unquote', () => {
  it.each([
    ['a', 'a'],
    ['"a""b"', 'a"b'],
    ['[a]', 'a'],
    ['`a``b`', 'a`b'],
    ["'a''b'", "a'b"],
    ['""', ''],
  ])('%s', (text, name) => {
    const [token] = tokenize(text);
    expect(token && unquote(token)).toBe(name);
  });
});
