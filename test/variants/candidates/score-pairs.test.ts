import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { parsePairs } from '../../../src/variants/candidates/score-pairs.js';

describe('parsePairs', () => {
  it('keeps lines as they were, with unknown fields and without defaults', () => {
    const pairs = parsePairs('{"b": "y", "a": "x", "gold": 1}\r\n\n  \n{"a": "é", "b": "z", "table": ["q"]}', 'f');
    expect(pairs.map((pair) => JSON.stringify(pair))).toEqual([
      '{"b":"y","a":"x","gold":1}',
      '{"a":"é","b":"z","table":["q"]}',
    ]);
  });

  it('gives nothing for nothing', () => {
    expect(parsePairs('\n\n', 'f')).toEqual([]);
  });

  it.each([
    ['{"a": "x"', /this is not JSON/],
    ['[]', /the record is wrong/],
    ['{"a": "", "b": "y"}', /field "a" is wrong/],
    ['{"a": "x", "b": 5}', /field "b" is wrong/],
    ['{"a": "x", "b": "y", "type": "date"}', /field "type" is wrong/],
    ['{"a": "x", "b": "y", "table": "z"}', /field "table" is wrong/],
  ])('names the line of %s', (line, message) => {
    const parse = (): unknown => parsePairs(`{"a": "x", "b": "y"}\n\n${line}\n`, 'pairs.jsonl');
    expect(parse).toThrow(message);
    try {
      parse();
    } catch (error) {
      expect(error).toBeInstanceOf(InputFormatError);
      expect((error as InputFormatError).where).toMatchObject({ file: 'pairs.jsonl', line: 3 });
    }
  });
});
