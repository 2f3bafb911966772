import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProposedNames } from '../../src/llm/proposed-names.js';

const NAMES = { replacements: ['home city'], additions: [] };
const JSON_TEXT = JSON.stringify(NAMES);

describe('readProposedNames', () => {
  it.each([
    ['the object alone', JSON_TEXT],
    ['with spaces around it', `\n  ${JSON_TEXT}\n`],
    ['in one fence', '```json\n' + JSON_TEXT + '\n```'],
    ['in a fence without a language', '```\r\n' + JSON_TEXT + '```'],
    ['behind thinking', `<think>A name… {"no": 1}</think>${JSON_TEXT}`],
    ['behind special tokens', `<|channel|>final<|message|>${JSON_TEXT}<|return|>`],
    ['with capitals and spaces in names', '{"replacements": [" Home City "], "additions": []}'],
  ])('reads %s', (_, answer) => {
    expect(readProposedNames(answer)).toEqual(NAMES);
  });

  it.each([
    ['nothing', ''],
    ['names in prose', 'You could call it home city or native town.'],
    ['prose before', `Sure! ${JSON_TEXT}`],
    ['prose behind', `${JSON_TEXT}\nI hope this helps.`],
    ['two fences', '```json\n' + JSON_TEXT + '\n```\n```json\n' + JSON_TEXT + '\n```'],
    ['an end that is missing', JSON_TEXT.slice(0, -4)],
    ['a list', '["home city"]'],
    ['a list that is missing', '{"replacements": ["home city"]}'],
    ['a further field', '{"replacements": [], "additions": [], "notes": "none"}'],
    ['names that are no texts', '{"replacements": [7, null], "additions": []}'],
    ['names in objects', '{"replacements": [{"name": "home city"}], "additions": []}'],
    ['a text for a list', '{"replacements": "home city", "additions": []}'],
    ['an empty name', '{"replacements": [" "], "additions": []}'],
    ['a name as long as an essay', JSON.stringify({ replacements: ['x'.repeat(101)], additions: [] })],
  ])('takes for no answer: %s', (_, answer) => {
    expect(readProposedNames(answer)).toBeNull();
  });

  it('gives back any two lists of names, and throws for no text', () => {
    const name = fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,3}$/);
    fc.assert(
      fc.property(fc.array(name), fc.array(name), fc.string(), (replacements, additions, text) => {
        expect(readProposedNames(JSON.stringify({ replacements, additions }))).toEqual({ replacements, additions });
        expect(() => readProposedNames(text)).not.toThrow();
      }),
    );
  });
});
