import { afterEach, describe, expect, it } from 'vitest';
import type { NameCheck } from '../../../src/annotate/annotation.js';
import { type NameAids, type NameQuestion, NO_AIDS } from '../../../src/annotate/server/name-aids.js';
import { checkName, goesWithOf } from '../../../src/annotate/server/annotator-routes.js';
import { sampleItems } from '../sample-project.js';
import { itemPath, openApp } from './app-fixture.js';

const { item, context } = sampleItems().find(
  (each) => each.item.column === 'years of service' && each.item.kind === 'RPL',
)!;
const VOCABULARY = new Set(['tenure', 'length', 'keeper', 'home', 'nation', 'service', 'years']);
const words = {
  isWord: (word: string): boolean => VOCABULARY.has(word),
  frequencyRank: (word: string): number | null => (word === 'of' ? 1 : null),
};

const check = (name: string, aids: NameAids = NO_AIDS): Promise<NameCheck> => checkName(name, item, context, aids);

describe('a name by itself', () => {
  it.each([
    ['length of stay', []],
    ['', [{ kind: 'empty', column: null }]],
    ['  _ ', [{ kind: 'empty', column: null }]],
    ['Years of Services', [{ kind: 'same-as-target', column: 'years of service' }]],
    ['years_of_service', [{ kind: 'same-as-target', column: 'years of service' }]],
    ['Home Countries', [{ kind: 'existing-column', column: 'home country' }]],
    ['Keeper_ID', [{ kind: 'existing-column', column: 'keeper id' }]],
    ['Tenure', [{ kind: 'listed', column: null }]],
  ])('"%s" has the problems %o', async (name, problems) => {
    expect(await check(name)).toEqual({ name, problems, suggestions: [], judged: 'no' });
  });
});

describe('what a name goes with', () => {
  const scores = [{ name: 'tenure', goesWith: 'row' as const, difficulty: null }] as never;

  it('is told of additions, and not of replacements, where it would say that the run took them for none', () => {
    expect(goesWithOf('ADD', scores)).toEqual({ tenure: 'row' });
    expect(goesWithOf('RPL', scores)).toEqual({});
  });
});

describe('the spelling of a name', () => {
  it('is doubted where a word is unknown, with known ones nearby', async () => {
    const aids = { ...NO_AIDS, words };
    expect(await check('keper of nation', aids)).toMatchObject({
      problems: [{ kind: 'spelling', column: null }],
      suggestions: ['keeper of nation'],
    });
    expect(await check('length of nation', aids)).toMatchObject({ problems: [], suggestions: [] });
  });
});

describe('the judge', () => {
  const asked: NameQuestion[] = [];
  const aids: NameAids = {
    words: null,
    judge: async (question) => {
      asked.push(question);
      return { takenFor: question.name === 'motherland' ? 'home country' : null };
    },
  };
  afterEach(() => asked.splice(0));

  it('is asked about the other columns of the table', async () => {
    expect(await check('  Motherland', aids)).toMatchObject({
      problems: [{ kind: 'equivalent-to-other', column: 'home country' }],
      judged: 'yes',
    });
    expect(asked).toMatchObject([
      { name: 'motherland', target: { name: 'years of service', type: 'number' }, entity: 'keeper' },
    ]);
    expect(asked[0]!.others.map(({ name }) => name)).toEqual(['keeper id', 'name', 'home country']);
  });

  it('finding nothing is no problem', async () => {
    expect(await check('seniority in years', aids)).toMatchObject({ problems: [], judged: 'yes' });
  });

  it('that needs longer is to be asked again', async () => {
    const slow: NameAids = { words: null, judge: () => Promise.resolve('later') };
    expect(await check('motherland', slow)).toMatchObject({ problems: [], judged: 'later' });
  });

  it('is spared names that clash already', async () => {
    expect(await check('Home Country', aids)).toMatchObject({ judged: 'no' });
    expect(asked).toEqual([]);
  });
});

describe('the call', () => {
  it('checks a name of an item, and names what is wrong with a request', async () => {
    const app = openApp();
    const ask = (body: unknown): ReturnType<typeof app.json> =>
      app.json(itemPath(item.id, '/check'), { as: 'Ada', method: 'POST', body });
    expect(await ask({ name: 'home country' })).toMatchObject({
      status: 200,
      body: { problems: [{ kind: 'existing-column', column: 'home country' }], judged: 'no' },
    });
    expect(await ask({ name: 'x'.repeat(201) })).toMatchObject({
      status: 400,
      body: { error: { message: /^name: / } },
    });
    app.close();
  });
});
