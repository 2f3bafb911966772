import { describe, expect, it } from 'vitest';
import { createPlanner, StubDictionary } from './dictionary-fixture.js';

const planner = createPlanner();

/** The options of each part of the name's own variant. */
async function optionsOf(name: string, context: string[] = []): Promise<Record<string, readonly string[]>> {
  const [own = []] = (await planner.plan(name, context)).variants;
  return Object.fromEntries(own.map((part) => [part.original, part.options]));
}

/** The other ways to say the name, before words are replaced. */
async function turnsOf(name: string, type: 'text' | 'number' = 'number'): Promise<string[]> {
  const { variants } = await planner.plan(name, [], { type });
  return variants.slice(1).map((parts) => parts.map((part) => part.original).join(' '));
}

describe('terms', () => {
  it('replaces the longest known term as one', async () => {
    expect(Object.keys(await optionsOf('owner phone number'))).toEqual(['owner', 'phone number']);
    expect((await optionsOf('last name'))['last name']).toEqual(['surname', 'family name']);
  });

  it('splits on underscores and spaces, whatever the case', async () => {
    expect(Object.keys(await optionsOf('Customer_Zip  Code'))).toEqual(['customer', 'zip code']);
  });

  it('keeps number and participles', async () => {
    expect((await optionsOf('salaries'))['salaries']).toContain('wages');
    expect((await optionsOf('year founded'))['year founded']).toContain('year established');
    expect((await optionsOf('school founded'))['founded']).toEqual(['established']);
    expect((await optionsOf('delivery dates'))['delivery dates']).toContain('dates of delivery');
  });

  it.each(['id', 'of', 'the', '42', 'b2b', 'kg', 'x', '—', 'per'])('leaves %j alone', async (word) => {
    const parts = await optionsOf(`price ${word} order`);
    expect(parts[word]).toEqual([]);
  });

  it('reads an abbreviation where the thesaurus lists it, and leaves it alone where only WordNet has it', async () => {
    expect((await optionsOf('ldh', ['laboratory']))['ldh']).toContain('lactate dehydrogenase');
    expect((await optionsOf('price kg'))['kg']).toEqual([]);
  });

  it('leaves words of set phrases alone', async () => {
    expect((await optionsOf('clerk in charge'))['charge']).toEqual([]);
    expect((await optionsOf('due process'))['due process']).toEqual([]);
  });

  it('puts no long phrase before a head', async () => {
    const options = (await optionsOf('birth date range'))['birth date'] ?? [];
    expect(options).toContain('birthdate');
    expect(options).not.toContain('date of birth');
  });

  it('tells dictionaries part of speech, place and context', async () => {
    const stub = new StubDictionary({ average: ['mean'], salary: ['pay'] });
    await createPlanner(stub).plan('average salary', ['bakery']);
    const hintOf = (word: string) => stub.asked.find((asked) => asked.word === word)?.hint;
    expect(hintOf('salary')).toEqual({
      pos: 'noun',
      position: 'head',
      surface: 'salary',
      context: ['average', 'bakery'],
      ofAnyDomain: false,
    });
    expect(hintOf('average')).toMatchObject({ position: 'modifier' });
  });
});

describe('turned phrases', () => {
  it.each([
    ['number of platforms', ['platform count', 'total number of platforms', 'count of platforms']],
    ['platform count', ['number of platforms', 'total number of platforms', 'count of platforms']],
    ['burial date', ['date of burial']],
    ['order id', ['order identifier', 'order identification number']],
    ['owner phone', ['owner phone number', 'phone number of owner', 'owner telephone number']],
    ['time of arrival', []],
  ])('%s', async (name, turns) => {
    expect(await turnsOf(name)).toEqual(turns);
  });

  it('turns a count that is a term of its own, too', async () => {
    expect(await turnsOf('number of floors')).toEqual(['floor count', 'total number of floors', 'count of floors']);
  });

  it('calls no key of letters a number', async () => {
    expect(await turnsOf('bond id', 'text')).toEqual(['bond identifier']);
  });

  it('adds "name" to a person or place only in text columns', async () => {
    expect(await turnsOf('captain', 'text')).toEqual(['captain name', 'name of captain']);
    expect(await turnsOf('captain', 'number')).toEqual([]);
    expect(await turnsOf('price', 'text')).toEqual([]);
  });

  it('leaves "name" out for a person or place only in text columns', async () => {
    expect(await turnsOf('captain name', 'text')).toEqual(['name of captain', 'captain']);
    expect(await turnsOf('captain name', 'number')).toEqual(['name of captain']);
    expect(await turnsOf('price name', 'text')).not.toContain('price');
  });

  it('turns no adjective, measure or set phrase', async () => {
    expect(await turnsOf('official language')).toEqual([]);
    expect(await turnsOf('average class size')).toEqual([]);
    expect(await turnsOf('first name')).toEqual([]);
    expect(await turnsOf('email address')).toEqual([]);
  });
});
