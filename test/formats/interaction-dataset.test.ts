import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadInteractionDataset, type InteractionDataset } from '../../src/formats/interaction-dataset.js';
import { writeInteractions } from '../../src/formats/interaction-output.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { createFile, createFolder, faultOf, TOWN } from './format-fixture.js';
import { createOutput, pathsOf, rowsOf, createSqlite } from './output-set-fixture.js';
import { added, renamed, setWith } from './variant-fixture.js';

const STAR = {
  utterance: 'Show the singers.',
  utterance_toks: ['Show', 'the', 'singers', '.'],
  query: 'SELECT * FROM Singer',
};
const TOWNS = {
  utterance: 'Which towns are they from?',
  query_toks_no_value: ['old'],
  query: 'SELECT Home_Town FROM Singer WHERE Singer_ID > 1',
  sql: { select: [], from: {} },
};
const COUNT = 'SELECT count(*) FROM Singer JOIN Concert ON Singer.Singer_ID = Concert.Singer_ID';
const DIALOGUES = [
  {
    database_id: 'town',
    interaction: [STAR, TOWNS],
    final: { utterance: 'How many have a concert?', query: COUNT },
    extra: { kept: true },
  },
  {
    database_id: 'town',
    interaction: [
      { utterance: 'Hello!', query: '' },
      { ...STAR, goal: 1 },
    ],
  },
];
const ROWS = `CREATE TABLE Singer (Singer_ID, Home_Town); CREATE TABLE Concert (Concert_ID, Singer_ID);
  INSERT INTO Singer VALUES (1, 'Ulm'), (2, 'Bern'); INSERT INTO Concert VALUES (7, 2);`;

function load(dialogues: unknown = DIALOGUES): InteractionDataset {
  const folder = createFolder({ 'tables.json': JSON.stringify([TOWN]), 'dev.json': JSON.stringify(dialogues) });
  return loadInteractionDataset(
    pathsOf('sparc', { tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json') }),
  );
}
const read = (path: string, name: string): string => readFileSync(join(path, name), 'utf8');

describe('loadInteractionDataset', () => {
  test('takes each turn and the goal as examples of one group', () => {
    const dataset = load();
    expect([...dataset.examples()].map(({ id, group, dbId }) => [id, group, dbId])).toEqual([
      ['dev:0.0', 'dev:0', 'town'],
      ['dev:0.1', 'dev:0', 'town'],
      ['dev:0.final', 'dev:0', 'town'],
      ['dev:1.1', 'dev:1', 'town'],
    ]);
    expect(dataset.size).toBe(4);
    expect(dataset.skipped).toEqual([{ id: 'dev:1.0', reason: 'it has no query' }]);
    expect([...dataset.examples()][2]).toMatchObject({ question: 'How many have a concert?', query: COUNT });
  });

  test('a goal without words of its own is asked by all turns', () => {
    const [, , goal] = [...load([{ ...DIALOGUES[0], final: { query: COUNT } }]).examples()];
    expect(goal!.question).toBe('Show the singers. Which towns are they from?');
  });

  test('is what the formats cosql and sparc read', async () => {
    const paths = { tables: createFile([TOWN]), examples: createFile(DIALOGUES, 'dev.json') };
    for (const dataset of ['cosql', 'sparc'] as const) {
      expect((await loadDataset(pathsOf(dataset, paths))).format).toBe(dataset);
    }
  });

  test.each<[string, object, RegExp, string[]]>([
    [
      'an unknown database',
      { ...DIALOGUES[0], database_id: 'village' },
      /database_id "village" is not in the tables/,
      ['dev:1.0', 'dev:1.1', 'dev:1.final'],
    ],
    ['no turns', { database_id: 'town' }, /field "interaction" is missing/, ['dev:1']],
    ['no record', [7], /the record is wrong/, ['dev:1']],
    [
      'a turn without words',
      { database_id: 'town', interaction: [{}, STAR] },
      /the turn has no utterance/,
      ['dev:1.0'],
    ],
  ])('leaves out %s by the ids of its turns, and nothing else', (_, record, reason, ids) => {
    const dataset = load([DIALOGUES[0], record]);
    expect(dataset.skipped.map(({ id }) => id)).toEqual(ids);
    for (const one of dataset.skipped) expect(one.reason).toMatch(reason);
    expect([...dataset.examples()].filter(({ group }) => group === 'dev:0')).toHaveLength(3);
  });

  test('refuses what holds no interaction at all', () => {
    expect(faultOf(() => load([{ database_id: 'town' }])).where.id).toBe('dev:0');
  });
});

describe('writeInteractions', () => {
  test('writes originals as they were', () => {
    const dataset = load();
    const { path, folder } = createOutput();
    writeInteractions(setWith(dataset, []), folder);
    expect(JSON.parse(read(path, 'sparc/dev.json'))).toEqual(DIALOGUES);
    expect(read(path, 'sparc/dev.json')).toContain(JSON.stringify(DIALOGUES[0]));
    expect(JSON.parse(read(path, 'sparc/tables.json'))).toEqual([TOWN]);
    expect(read(path, 'sparc/dev_gold.txt')).toBe(
      `${STAR.query}\ttown\n${TOWNS.query}\ttown\n\n${STAR.query}\ttown\n\n`,
    );
    const again = loadInteractionDataset(
      pathsOf('cosql', { tables: join(path, 'sparc/tables.json'), examples: join(path, 'sparc/dev.json') }),
    );
    expect([...again.examples()]).toEqual([...dataset.examples()]);
    expect(again.databases).toEqual(dataset.databases);
  });

  test('rewrites the turns and the goal of a variant, and keeps the rest', () => {
    const dataset = load();
    const town = dataset.databases.get('town')!;
    const rpl = renamed(town, 0, 1, 'birthplace', 'Birthplace');
    const add = added(town, 0, 1, { name: 'stage name', originalName: 'Stage_Name', type: 'text' });
    const { path, folder } = createOutput();
    writeInteractions(setWith(dataset, [rpl, add]), folder);
    const written = JSON.parse(read(path, 'sparc/dev.json')) as typeof DIALOGUES;
    expect(written.map(({ database_id }) => database_id)).toEqual([
      'town',
      'town__rpl_1',
      'town__add_1',
      'town',
      'town__rpl_1',
      'town__add_1',
    ]);
    const [, towns] = written[1]!.interaction as (typeof TOWNS)[];
    expect(towns!.query).toBe('SELECT Birthplace FROM Singer WHERE Singer_ID > 1');
    expect(towns!.query_toks_no_value).toContain('birthplace');
    expect(towns!.sql).toHaveProperty('select');
    expect(towns).not.toHaveProperty('query_toks');
    expect(written[1]).toMatchObject({
      extra: { kept: true },
      final: { query: COUNT, utterance: 'How many have a concert?' },
    });
    expect(written[2]!.interaction[0]).toEqual({ ...STAR, query: 'SELECT Singer_ID, Home_Town FROM Singer' });
    expect(written[4]!.interaction[0]).toEqual({ utterance: 'Hello!', query: '' });
    expect(read(path, 'sparc/dev_gold.txt').split('\n\n')).toHaveLength(7);
  });

  test('the variants read back as data sets whose queries return what the originals return', () => {
    const dataset = load();
    const town = dataset.databases.get('town')!;
    const add = added(town, 0, 1, { name: 'stage name', originalName: 'Stage_Name', type: 'text' });
    const { path, folder } = createOutput();
    writeInteractions(setWith(dataset, [add]), folder);
    const again = loadInteractionDataset(
      pathsOf('sparc', { tables: join(path, 'sparc/tables.json'), examples: join(path, 'sparc/dev.json') }),
    );
    expect(again.databases.get('town__add_1')).toEqual(add.schema.schema);
    const [before, after] = [
      createSqlite(ROWS),
      createSqlite(ROWS.replace('Home_Town)', 'Stage_Name, Home_Town)').replaceAll(/\((\d), '/g, "($1, 'x', '")),
    ];
    const queriesOf = (id: string): string[] =>
      [...again.examples()].filter(({ dbId }) => dbId === id).map(({ query }) => query);
    const results = (file: string, id: string): unknown => queriesOf(id).map((query) => rowsOf(file, query));
    expect(results(after, 'town__add_1')).toEqual(results(before, 'town'));
  });

  test('follows composite keys, columns that are not grouped by table, and the case of names', () => {
    const odd = {
      ...TOWN,
      extra: 1,
      column_names: [
        [-1, '*'],
        [1, 'Concert id'],
        [0, 'Singer ID'],
        [1, 'Singer id'],
        [0, 'Home Town'],
      ],
      column_names_original: [
        [-1, '*'],
        [1, 'Concert_ID'],
        [0, 'Singer_ID'],
        [1, 'Singer_ID'],
        [0, 'Home_Town'],
      ],
      column_types: ['text', 'number', 'number', 'number', 'text'],
      primary_keys: [2, [1, 3]],
      foreign_keys: [[3, 2]],
    };
    const folder = createFolder({ 'tables.json': JSON.stringify([odd]), 'dev.json': JSON.stringify(DIALOGUES) });
    const paths = { tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json') };
    const dataset = loadInteractionDataset(pathsOf('sparc', paths));
    const add = added(dataset.databases.get('town')!, 0, 0, { name: 'age', originalName: 'Age', type: 'number' });
    const output = createOutput();
    writeInteractions(setWith(dataset, [add]), output.folder);
    const [, variant] = JSON.parse(read(output.path, 'sparc/tables.json')) as object[];
    expect(variant).toMatchObject({
      extra: 1,
      column_names: [
        [-1, '*'],
        [0, 'age'],
        [0, 'Singer ID'],
        [0, 'Home Town'],
        [1, 'Concert id'],
        [1, 'Singer id'],
      ],
      column_types: ['text', 'number', 'number', 'text', 'number', 'number'],
      primary_keys: [2, [4, 5]],
      foreign_keys: [[5, 2]],
    });
  });
});
