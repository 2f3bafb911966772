import { describe, expect, it } from 'vitest';
import { AttributeCatalog } from '../../src/attributes/attribute-catalog.js';
import { AttributeSource, type AttributeSourceParts } from '../../src/attributes/attribute-source.js';
import { NounKinds } from '../../src/dictionary/noun-kinds.js';
import { TableNameTpe } from '../../src/tpe/table-name-tpe.js';
import { createContext, createTarget, inflector, wordnet } from '../dictionary/dictionary-fixture.js';

const CATALOG = new AttributeCatalog(
  '^person: birth place | marital status\ncourse, class: textbook\ncourse, track: surface\n*: remarks\n',
  'salary: currency\n',
);

function sourceOf(given: Partial<AttributeSourceParts> = {}): AttributeSource {
  return new AttributeSource({
    catalog: CATALOG,
    tpe: new TableNameTpe(),
    inflector,
    nounKinds: new NounKinds(wordnet),
    similarity: () => 0.5,
    keep: 40,
    nearness: null,
    ...given,
  });
}

/** An encoder to which the given texts are as near to the table as said, and to its rows, and all others not at all. */
function near(cosines: Readonly<Record<string, number>>): AttributeSourceParts['nearness'] {
  return async (_target, _entity, texts) =>
    texts.map((text) => ({ table: cosines[text] ?? 0, entity: cosines[text] ?? 0 }));
}

async function namesFor(table: string, columns: readonly string[], source = sourceOf()): Promise<readonly string[]> {
  const [candidates] = await source.propose([{ target: createTarget(table, columns), column: 0 }], createContext());
  return candidates!.map(({ name }) => name);
}

describe('AttributeSource', () => {
  it('proposes what goes with the column, then what the rows’ entity has, as additions', async () => {
    const target = createTarget('persons', ['salary', 'name']);
    const [candidates] = await sourceOf().propose([{ target, column: 0 }], createContext());
    expect(candidates!.map(({ name }) => name)).toEqual(['currency', 'birth place', 'marital status']);
    expect(candidates![1]).toEqual({
      name: 'birth place',
      source: 'attributes',
      origin: { table: 'attributes/person', title: 'person', column: 'birth place', type: 'text', score: null },
      similarity: 0.5,
      proposedFor: 'ADD',
    });
  });

  it('proposes nothing that the table has, and no more than asked for', async () => {
    expect(await namesFor('persons', ['salary', 'Marital_Status', 'currency'])).toEqual(['birth place']);
    expect(await namesFor('persons', ['salary'], sourceOf({ keep: 1 }))).toEqual(['currency']);
    expect(await namesFor('persons', ['salary'], sourceOf({ keep: 0 }))).toEqual([]);
  });

  it('takes a noun that it lacks for what WordNet calls it, but no name of a person', async () => {
    expect(await namesFor('lawyers', ['name'])).toEqual(['birth place', 'marital status']);
    expect(await namesFor('teach', ['name'])).toEqual(['remarks']);
    expect(await namesFor('lawyer details', ['name'])).toEqual(['birth place', 'marital status']);
  });

  it('takes a table of ids for what links rows, not for a thing', async () => {
    expect(await namesFor('lawyer', ['lawyer id', 'client id'])).toEqual(['remarks']);
    expect(await namesFor('lawyer', ['lawyer id', 'firm id', 'name', 'age'])).toEqual([
      'birth place',
      'marital status',
    ]);
  });

  it('takes figures of a period for statistics, whatever the last words of the table’s name', async () => {
    const catalog = new AttributeCatalog('course: textbook\nstatistic: footnote\n*: remarks\n', '');
    const source = sourceOf({ catalog });
    const figures = ['entity name', 'year', 'total count', 'pct tested'];
    expect(await namesFor('annual math', figures, source)).toEqual(['footnote']);
    expect(await namesFor('advanced course', ['school year', ...figures], source)).toEqual(['footnote']);
    const counts = ['level 1 count', 'level 2 count', 'pct tested', 'total'];
    expect(await namesFor('cohort course', ['entity name', ...counts], source)).toEqual(['footnote']);
    expect(await namesFor('cohort course', ['name', ...counts.slice(1)], source)).toEqual(['textbook']);
    // A table that is named so, rows without a period, and numbers that count nothing.
    expect(await namesFor('courses', figures, source)).toEqual(['textbook']);
    expect(await namesFor('annual math', ['open year', 'total count', 'pct tested'], source)).toEqual(['remarks']);
    expect(await namesFor('annual math', ['year', 'house number', 'phone number'], source)).toEqual(['remarks']);
  });

  it('takes rows of an occasion and a place for observations where nothing else says what they are', async () => {
    const catalog = new AttributeCatalog('course: textbook\nobservation: recorded by\n*: remarks\n', '');
    const source = sourceOf({ catalog });
    const keys = ['location id', 'event id'];
    expect(await namesFor('tbl cover board', [...keys, 'species code', 'count'], source)).toEqual(['recorded by']);
    expect(await namesFor('courses', [...keys, 'title', 'count'], source)).toEqual(['textbook']);
    // Keys alone link rows, and an occasion without a place is none.
    expect(await namesFor('tbl cover board', keys, source)).toEqual(['remarks']);
    expect(await namesFor('tbl cover board', ['event id', 'person id', 'code', 'count'], source)).toEqual(['remarks']);
  });

  it('knows tables that link rows and tables of values by their columns', async () => {
    const catalog = new AttributeCatalog(
      '^person: age\nlink: valid from@\nlookup value: display order#\n*: remarks\n',
      '',
    );
    const source = sourceOf({ catalog });
    expect(await namesFor('lawyer', ['lawyer id', 'client id'], source)).toEqual(['valid from']);
    expect(await namesFor('hues', ['id', 'hue'], source)).toEqual(['display order']);
    expect(await namesFor('lu gravity', ['gravity code', 'description'], source)).toEqual(['display order']);
    expect(await namesFor('hues', ['id', 'hue', 'wave length'], source)).toEqual(['remarks']);
    expect(await namesFor('lawyers', ['id', 'name'], source)).toEqual(['age']);
  });

  it('takes dated rows about the things of another table for what was recorded then', async () => {
    const catalog = new AttributeCatalog('^person, player: age\nsnapshot: recorded by\n*: remarks\n', '');
    const proposed = async (name: string, columns: readonly string[], sibling: string): Promise<readonly string[]> => {
      const target = { ...createTarget(name, columns), siblings: [createTarget(sibling, ['id']).table] };
      const [candidates] = await sourceOf({ catalog }).propose([{ target, column: 0 }], createContext());
      return candidates!.map((one) => one.name);
    };
    const dated = ['player id', 'date', 'stamina'];
    expect(await proposed('player attributes', dated, 'players')).toEqual(['recorded by']);
    expect(await proposed('player attributes', dated, 'teams')).toEqual(['age']);
    expect(await proposed('player attributes', ['player id', 'stamina'], 'players')).toEqual(['age']);
    expect(await proposed('star players', dated, 'players')).toEqual(['age']);
  });

  it('takes of several senses the one whose attributes fit the table', async () => {
    expect(await namesFor('course', ['name'])).toEqual(['textbook']);
    const nearness = near({ surface: 0.2, track: 0.3 });
    expect(await namesFor('course', ['name'], sourceOf({ nearness }))).toEqual(['surface']);
  });

  it('takes a class that is only named by last words, or a kind, for none where it is far from the table', async () => {
    const far = sourceOf({ nearness: near({}) });
    expect(await namesFor('race course', ['name'], far)).toEqual(['remarks']);
    expect(await namesFor('lawyer', ['name'], far)).toEqual(['remarks']);
    // A class of that very name needs no such proof.
    expect(await namesFor('course', ['name'], far)).toEqual(['textbook']);
    const close = sourceOf({ nearness: near({ track: 0.3, person: 0.3 }) });
    expect(await namesFor('race course', ['name'], close)).toEqual(['surface']);
    expect(await namesFor('lawyer', ['name'], close)).toEqual(['birth place', 'marital status']);
  });
});
