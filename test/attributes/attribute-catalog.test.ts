import { describe, expect, it } from 'vitest';
import { AttributeCatalog } from '../../src/attributes/attribute-catalog.js';

const ENTITIES = `
^person: birth place | shoe size# | date of entry@ | retired?
student < person: dormitory
+student < person: thesis title
course, class: textbook
course, track: surface
*: remarks
`;
const COMPANIONS = `
salary, wage (person): pay frequency
salary: currency
price (course): discount
`;

describe('AttributeCatalog', () => {
  const catalog = new AttributeCatalog(ENTITIES, COMPANIONS);
  const namesOf = (noun: string): readonly (readonly string[])[] =>
    catalog.classesOf(noun).map(({ attributes }) => attributes.map(({ name }) => name));

  it('reads types off the marks', () => {
    expect(catalog.classesOf('person')[0]?.attributes).toEqual([
      { name: 'birth place', type: 'text' },
      { name: 'shoe size', type: 'number' },
      { name: 'date of entry', type: 'time' },
      { name: 'retired', type: 'boolean' },
    ]);
    expect([...catalog.kinds]).toEqual(['person']);
  });

  it('gives a class what is added to it, then its own, then what the class above it has', () => {
    expect(namesOf('student')).toEqual([
      ['thesis title', 'dormitory', 'birth place', 'shoe size', 'date of entry', 'retired'],
    ]);
  });

  it('keeps the senses of a noun apart', () => {
    expect(namesOf('course')).toEqual([['textbook'], ['surface']]);
    expect(namesOf('class')).toEqual([['textbook']]);
    expect(namesOf('nothing')).toEqual([]);
  });

  it('gives the companions of a column in tables of the classes that they ask for', () => {
    const of = (column: string, noun: string): readonly string[] =>
      catalog.companionsOf(column, catalog.classesOf(noun)[0] ?? catalog.anyRow).map(({ name }) => name);
    expect(of('salary', 'student')).toEqual(['pay frequency', 'currency']);
    expect(of('wage', 'student')).toEqual(['pay frequency']);
    expect(of('salary', 'class')).toEqual(['currency']);
    expect(of('price', 'class')).toEqual(['discount']);
    expect(of('price', 'student')).toEqual([]);
    expect(of('remarks', 'nothing')).toEqual([]);
  });
});

describe('the catalog that ships', () => {
  const catalog = new AttributeCatalog();

  it('has attributes in lower case, each once in a class', () => {
    for (const noun of ['person', 'player', 'product', 'order', 'station', 'party', 'flight']) {
      const classes = catalog.classesOf(noun);
      expect(classes.length, noun).toBeGreaterThan(0);
      for (const { attributes } of classes) {
        const names = attributes.map(({ name }) => name);
        expect(new Set(names).size, noun).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)*$/);
      }
    }
    expect(catalog.anyRow.attributes.length).toBeGreaterThan(2);
  });
});
