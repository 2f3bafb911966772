import { beforeAll, describe, expect, it } from 'vitest';
import { spellingHint, type SpellingWords } from '../../../src/annotate/server/name-aids.js';
import { StageResources } from '../../../src/recipes/stage-resources.js';
import { RECIPES } from '../../../src/recipes/recipes.js';
import { parseSettings } from '../../../src/recipes/settings.js';

let words: SpellingWords;
beforeAll(async () => {
  words = await new StageResources(parseSettings({}), RECIPES.cta).englishWords();
});

describe('the word lists of the package', () => {
  it.each([
    'citizenship',
    'date of birth',
    "owner's name",
    'Playing Time',
    'cell phones',
    'tel',
    'lng',
    'runtime',
    'ISBN',
    'HTTPX code',
    'p95 latency',
    'größe',
    'co-author',
    '',
  ])('leave "%s" alone', (name) => {
    expect(spellingHint(name, words)).toEqual({ hasUnknownWord: false, suggestions: [] });
  });

  it.each([
    ['nationalty', 'nationality'],
    ['adress', 'address'],
    ['recieved on', 'received on'],
    ['naem', 'name'],
    ['gaurdian', 'guardian'],
    ['phonenumber', 'phone number'],
    ['Hme_country', 'home_country'],
  ])('take "%s" for "%s"', (name, meant) => {
    const { hasUnknownWord, suggestions } = spellingHint(name, words);
    expect(hasUnknownWord).toBe(true);
    expect(suggestions.slice(0, 3)).toContain(meant);
  });

  it('repair several words together', () => {
    expect(spellingHint('adress of custmer', words).suggestions).toContain('address of customer');
  });

  it('doubt a word that nothing is near', () => {
    expect(spellingHint('xqzzwv', words)).toEqual({ hasUnknownWord: true, suggestions: [] });
  });

  it('give at most five spellings, all of them known', () => {
    const { suggestions } = spellingHint('bnak', words);
    expect(suggestions.length).toBeLessThanOrEqual(5);
    for (const spelling of suggestions) expect(spellingHint(spelling, words).hasUnknownWord, spelling).toBe(false);
  });
});
