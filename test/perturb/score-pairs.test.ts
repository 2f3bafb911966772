import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { parsePairs } from '../../src/perturb/score-pairs.js';
import { formatCount } from '../../src/report/figures.js';
import { renderEstimate, type RunEstimate } from '../../src/perturb/run-estimate.js';

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

describe('renderEstimate', () => {
  const counts = { databases: 3, tables: 12, columns: 73, examples: 30, pairs: 8030, seconds: 14 };
  const estimate: RunEstimate = { ...counts, proposals: null };

  it('is one line with every count', () => {
    const line = renderEstimate(estimate);
    for (const count of Object.values(counts)) expect(line).toContain(formatCount(count));
    expect(line).not.toContain('\n');
  });

  it('counts one of a thing as one', () => {
    const one = { ...estimate, databases: 1, tables: 1, columns: 1, examples: 1 };
    expect(renderEstimate(one)).toMatch(/^1 question on 1 database: 1 column of 1 table, /);
  });

  it.each([
    [89, '89 s'],
    [90, '2 min'],
    [1200, '20 min'],
  ])('says %d seconds as %s', (seconds, text) => {
    expect(renderEstimate({ ...estimate, seconds })).toContain(`, ${text} `);
  });

  it('says what asking a language model will cost at most, and what it costs where prices are known', () => {
    const proposals = { calls: 73, promptTokens: 21_900, answerTokens: 8_030, price: null };
    const line = renderEstimate({ ...estimate, proposals });
    expect(line).toMatch(/73 times at most, about 21900 tokens of prompts and 8030 of answers$/);
    expect(renderEstimate({ ...estimate, proposals: { ...proposals, price: 0.0081 } })).toMatch(
      /price of about 0\.0081$/,
    );
  });

  it('says that nothing is scored where the candidates are given', () => {
    const line = renderEstimate({ ...estimate, pairs: 0, seconds: 6 });
    expect(line).toMatch(/tables, no pairs to score$/);
  });
});
