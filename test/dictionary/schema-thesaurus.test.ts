import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SchemaThesaurus } from '../../src/dictionary/schema-thesaurus.js';
import { CompositeDictionary, type SynonymHint } from '../../src/dictionary/synonym-dictionary.js';
import { StubDictionary } from './dictionary-fixture.js';

const thesaurus = new SchemaThesaurus();
const textsOf = async (word: string, hint?: SynonymHint): Promise<string[] | null> =>
  (await thesaurus.synonyms(word, hint))?.map((synonym) => synonym.text) ?? null;
const linesOf = (source: string): string[] =>
  readdirSync('data/thesaurus')
    .filter((name) => name === `${source}.txt` || name.startsWith(`${source}-`))
    .flatMap((name) => readFileSync(`data/thesaurus/${name}`, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '');

describe('SchemaThesaurus', () => {
  it('knows the vocabulary of schemas', async () => {
    expect(await textsOf('zip code')).toEqual(['postal code', 'postcode']);
    expect(await textsOf('last name')).toEqual(['surname', 'family name']);
    expect(await textsOf('start date')).toContain('starting date');
  });

  it('proposes members marked > without looking them up, and looks up those marked <', async () => {
    expect(await textsOf('sidewalk')).toContain('pavement');
    expect(await textsOf('pavement')).toBeNull();
    expect(await textsOf('dob')).toContain('date of birth');
    expect(await textsOf('date of birth')).not.toContain('dob');
  });

  it('heeds where a word stands', async () => {
    expect(await textsOf('price', { position: 'whole' })).toContain('cost');
    expect(await textsOf('price', { position: 'modifier' })).toEqual([]);
    expect(await textsOf('type', { position: 'head' })).not.toContain('kind');
    expect(await textsOf('type', { position: 'whole' })).not.toContain('kind');
  });

  it('finds participles by the form in which they stand, already inflected', async () => {
    const found = await thesaurus.synonyms('found', { surface: 'founded', pos: 'verb' });
    expect(found).toContainEqual(expect.objectContaining({ text: 'established', inflected: true }));
  });

  it('says nothing of a term that a group has for its abbreviation alone', async () => {
    expect(await textsOf('dname')).toEqual(['department name']);
    expect(await textsOf('department name')).toBeNull();
  });

  it('keeps plain words as they are', async () => {
    expect(await textsOf('name', { pos: 'noun' })).toEqual([]);
    expect(await textsOf('xyzzy')).toBeNull();
  });

  it('takes whole names and phrases in the form in which they stand', async () => {
    expect(await textsOf('date from', { position: 'whole' })).toContain('start date');
    expect(await textsOf('points', { position: 'whole' })).toContain('points earned');
    expect(await textsOf('last name')).not.toContain('name last');
  });

  it('takes groups of a domain only among words of it, or where any domain will do', async () => {
    const inSports = { position: 'whole', context: ['players', 'name'] } as const;
    expect(await textsOf('weight', inSports)).toContain('body weight');
    expect(await textsOf('weight', { ...inSports, context: ['parcels', 'name'] })).not.toContain('body weight');
    expect(await textsOf('weight', { position: 'whole', ofAnyDomain: true })).toContain('body weight');
    expect(await textsOf('weight', { ...inSports, position: 'modifier' })).not.toContain('body weight');
  });

  it.each([
    ['birth year', ['gardeners'], 'foaled in'],
    ['maximum temperature', ['kilns', 'temperature', 'humidity'], 'daily high'],
    ['capacity', ['kilns'], 'maximum occupancy'],
    ['cd', ['schools', 'charter'], 'compact disc'],
    ['charter', ['schools', 'charter'], 'charter flight'],
    ['is male', ['people'], 'of male sex'],
    ['singer name', ['singers'], 'vocalist'],
    ['gold', ['metals', 'silver', 'price'], 'gold medals'],
    ['principal', ['loans', 'principal'], 'head teacher'],
    ['issue', ['magazines', 'issue'], 'problem'],
    ['population', ['species', 'population'], 'number of inhabitants'],
    ['title', ['students', 'course'], 'name'],
  ])('does not narrow %s of %j to %s', async (name, context, narrow) => {
    expect((await textsOf(name, { position: 'whole', context })) ?? []).not.toContain(narrow);
  });

  it('has no member twice in a group, more than one in each, and words for each domain', () => {
    const groups = ['nouns', 'modifiers', 'participles', 'phrases'].flatMap(linesOf);
    const domains = linesOf('domains').map((line) => /^([a-z-]+): [a-z-]+(?: [a-z-]+)*$/.exec(line)?.[1]);
    expect(groups.length).toBeGreaterThan(150);
    expect(new Set(domains).size).toBe(domains.length);
    for (const line of groups) {
      const [, , domain, body = ''] = /^(?:(whole|head|modifier)?(?: ?@([a-z-]+))?: )?(.*)$/.exec(line) ?? [];
      if (domain !== undefined) expect(domains, line).toContain(domain);
      const members = body.split('|');
      const bare = members.map((member) => member.trim().replace(/^[<>]/, ''));
      expect(new Set(bare).size, line).toBe(bare.length);
      expect(bare.length, line).toBeGreaterThan(1);
      for (const member of bare) expect(member, line).toMatch(/^[a-z]+(?:[ -][a-z]+)*$/);
    }
  });
});

describe('CompositeDictionary', () => {
  it('takes the answer of the first that knows the term', async () => {
    const first = new StubDictionary({ name: ['(none)'] });
    const second = new StubDictionary({ name: ['title'], city: ['town'] });
    const both = new CompositeDictionary([first, second]);
    expect(await both.synonyms('name')).toEqual([]);
    expect((await both.synonyms('city'))?.map((synonym) => synonym.text)).toEqual(['town']);
    expect(await both.synonyms('xyzzy')).toBeNull();
    expect(both.id).toBe('stub+stub');
  });
});
