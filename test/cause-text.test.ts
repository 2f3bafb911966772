import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { causeText } from '../src/cause-text.js';
import { ConfigError } from '../src/errors.js';
import { RAW_TEXT } from './raw-text.js';

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('the cause of an error in words', () => {
  test.each([
    ['[{"a": 1, ', /^(?:the text ends too soon|a name in double quotes is expected(?: at column 11)?)$/],
    ['"a', /^the text ends too soon$/],
    ['{"a": 1,, }', /^a name in double quotes is expected(?: at column 9)?$/],
    ['{"a": hello}', /^"h" is not expected$/],
    ['<html>', /^"<" is not expected$/],
    ['{"a" 1}', /^':' after a name is expected(?: at column 6)?$/],
    ['[1 2]', /^',' or ']' after an item is expected(?: at column 4)?$/],
    ['{} x', /^the text is no JSON(?: at column 4)?$/],
    ['"a\nb"', /^the text is no JSON(?: at column 3)?$/],
  ])('of %s that is parsed as JSON', (text, expected) => {
    const told = causeText(thrownBy(() => JSON.parse(text)));
    expect(told).toMatch(expected);
    expect(told).not.toMatch(RAW_TEXT);
  });

  const schema = z.strictObject({ id: z.string(), more: z.union([z.number(), z.boolean()]).exactOptional() });
  test.each<[string, unknown]>([
    ['the content is wrong: an object is expected, not a number', 7],
    ['field "id" is missing', {}],
    ['field "id" is wrong: text is expected, not a number', { id: 7 }],
    ['field "id" is wrong: text is expected, not a list', { id: [] }],
    ['field "more" is wrong: a number or true or false is expected', { id: 'a', more: {} }],
    ['the content is wrong: there is no field "x"', { id: 'a', x: 1 }],
  ])('of a value of another shape: %s', (expected, value) => {
    expect(causeText(thrownBy(() => schema.parse(value)))).toBe(expected);
  });

  test('of the system, and of what says it itself', () => {
    expect(causeText(thrownBy(() => readFileSync('/nowhere')))).toBe('there is no such file or folder');
    expect(causeText(thrownBy(() => readFileSync(tmpdir())))).toBe('it is a folder, not a file');
    expect(causeText(new RangeError('the header is cut off'))).toBe('the header is cut off');
    // A fault in a module of one's own is JavaScript's to tell.
    expect(causeText(new SyntaxError("Unexpected token '}'"))).toBe("Unexpected token '}'");
  });

  test('is how errors are shown', () => {
    const cause = thrownBy(() => schema.parse({ id: 7 }));
    expect(new ConfigError('this is wrong', { fix: 'Fix it.', cause }).render()).toBe(
      'this is wrong\n  cause: field "id" is wrong: text is expected, not a number\n  fix: Fix it.',
    );
  });
});
