import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TIMEOUT_OPTION } from '../../../src/cli/shared-options.js';
import { VICTIM_OPTIONS, victimOf } from '../../../src/cli/victim-options.js';
import { ConfigError, InputFormatError } from '../../../src/errors.js';
import { loadSpiderDataset } from '../../../src/formats/spider-dataset.js';
import { PATH_DEFAULTS } from '../../../src/formats/dataset.js';
import { locateModel } from '../../../src/inference/model-store.js';
import { columnKey, type Database } from '../../../src/schema/schema.js';
import { SQLITE } from '../../../src/sql/dialect.js';
import { renameColumns } from '../../../src/sql/rename-columns.js';
import {
  loadAnnotations,
  selectAnnotations,
  selectingVictim,
} from '../../../src/victims/annotations/selecting-victim.js';
import { LinkerVictim } from '../../../src/victims/linker/linker-victim.js';
import { readAnswer, type Victim, type VictimQuestion } from '../../../src/victims/victim.js';
import { writeTinyLinker } from '../linker/tiny-linker.js';
import { listening, temporaryFolder } from '../victim-fixture.js';

const SHARED = join('..', 'shared', 'data');
const MAS = join(SHARED, 'spider-syn', 'MAS', 'tables(ManualMAS).json');

const text = (name: string, originalName: string) => ({ name, originalName, type: 'text' as const });
const CONCERTS: Database = {
  id: 'concerts',
  tables: [
    {
      name: 'singer',
      originalName: 'singer',
      columns: [text('name', 'Name'), text('country', 'Country'), text('song name', 'Song_Name')],
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

/** Names of tables and columns by identifier, in a tables.json as Spider-Syn releases it. */
function annotationsFile(names: Readonly<Record<string, string>>): string {
  const [table] = CONCERTS.tables;
  const columns = table!.columns.map(({ name, originalName }) => [0, names[originalName] ?? name]);
  const record = {
    db_id: 'concerts',
    table_names: [names['singer'] ?? 'singer'],
    table_names_original: ['singer'],
    column_names: [[-1, '*'], ...columns],
    column_names_original: [[-1, '*'], ...table!.columns.map(({ originalName }) => [0, originalName])],
    column_types: ['text', 'text', 'text', 'text'],
    primary_keys: [],
    foreign_keys: [],
  };
  const file = join(temporaryFolder(), 'tables.json');
  writeFileSync(file, JSON.stringify([record]));
  return file;
}

const NAMES = { singer: 'singer | vocalist', Name: 'name | title', Country: 'country | nationality | state' };

function select(question: string, schema = CONCERTS, names: Readonly<Record<string, string>> = NAMES) {
  return selectAnnotations(question, schema, loadAnnotations(annotationsFile(names)));
}

const columnsOf = ({ schema }: ReturnType<typeof select>): readonly string[] =>
  schema.tables[0]!.columns.map(({ originalName }) => originalName);

describe('selectAnnotations', () => {
  it('takes the names that the question has, in the style of their column, and says what they were', () => {
    const found = select('What are the nationalities of all vocalists?');
    expect(columnsOf(found)).toEqual(['Name', 'Nationality', 'Song_Name']);
    expect(found.schema.tables[0]).toMatchObject({ name: 'vocalist', originalName: 'singer' });
    expect([...found.former]).toEqual([[columnKey({ table: 0, column: 1 }), 'Country']]);
  });

  it('keeps the first name where the question has none of them, or as much of it', () => {
    expect(columnsOf(select('How many are there?'))).toEqual(['Name', 'Country', 'Song_Name']);
    expect(columnsOf(select('Which country and which state?'))).toEqual(['Name', 'Country', 'Song_Name']);
  });

  it('takes the longer of two names that the question has whole', () => {
    const names = { Song_Name: 'song | song title' };
    expect(columnsOf(select('Give every song title.', CONCERTS, names))[2]).toBe('Song_Title');
  });

  it('never gives two columns of a table one name', () => {
    const names = { Name: 'name | title', Song_Name: 'song name | title' };
    expect(columnsOf(select('Give every title.', CONCERTS, names))).toEqual(['Title', 'Country', 'Song_Name']);
    expect(columnsOf(select('By country.', CONCERTS, { Name: 'name | country' }))[0]).toBe('Name');
  });

  it('has no names for a column that was renamed, and none of another database', () => {
    const [table] = CONCERTS.tables;
    const columns = table!.columns.with(1, text('homeland', 'Homeland'));
    const renamed = { ...CONCERTS, tables: [{ ...table!, columns }] };
    expect(columnsOf(select('Which nationality?', renamed))).toEqual(['Name', 'Homeland', 'Song_Name']);
    expect(select('Which nationality?', { ...CONCERTS, id: 'another' }).former.size).toBe(0);
  });
});

/** A victim that says what it is told, and what it was asked last. */
function sayingVictim(sql: (asked: VictimQuestion) => string): Victim & { readonly asked: VictimQuestion[] } {
  const asked: VictimQuestion[] = [];
  return {
    id: 'own',
    fingerprint: 'own-1',
    concurrency: 3,
    asked,
    answer: (question) => {
      asked.push(question);
      return Promise.resolve(readAnswer(question.id, sql(question)));
    },
  };
}

const asked = (question: string): VictimQuestion => ({
  id: 'q',
  question,
  dbId: 'concerts',
  schema: CONCERTS,
  dialect: SQLITE,
  databaseFile: 'concerts.sqlite',
});

async function answerOf(sql: string, question = 'Which nationality?') {
  const victim = sayingVictim(() => sql);
  const selecting = selectingVictim(victim, loadAnnotations(annotationsFile(NAMES)));
  expect(selecting).toMatchObject({ id: 'own', concurrency: 3 });
  expect(selecting.fingerprint).toMatch(/^own-1\+mas-1-[0-9a-f]{64}$/);
  const answer = await selecting.answer(asked(question), listening());
  return { sql: answer.sql, asked: victim.asked[0]! };
}

describe('selectingVictim', () => {
  it('asks with the nearest names and brings the answer back to the schema’s own', async () => {
    const answer = await answerOf('SELECT T1.nationality FROM singer AS T1 WHERE Nationality = "Nationality of"');
    expect(answer.asked.schema.tables[0]!.columns[1]!.originalName).toBe('Nationality');
    expect(answer.sql).toBe('SELECT T1.Country FROM singer AS T1 WHERE Country = "Nationality of"');
  });

  it('shows no database whose columns are called otherwise than those of the schema', async () => {
    expect((await answerOf('SELECT 1')).asked.databaseFile).toBeNull();
    expect((await answerOf('SELECT 1', 'How many?')).asked.databaseFile).toBe('concerts.sqlite');
  });

  it.each(['SELECT Country FROM singer', 'SELECT nothing FROM nowhere', 'SELECT FROM'])(
    'leaves as it is what does not hold on the schema that was shown: %s',
    async (sql) => {
      expect((await answerOf(sql)).sql).toBe(sql);
    },
  );

  it('has a schema linker name the columns by the schema’s own names', async () => {
    const located = locateModel('schema-linker', writeTinyLinker(temporaryFolder()));
    const linker = new LinkerVictim(located);
    const selecting = selectingVictim(linker, loadAnnotations(annotationsFile(NAMES)));
    // Without the third column, whose name has a word of another.
    const tables = CONCERTS.tables.map((table) => ({ ...table, columns: table.columns.slice(0, 2) }));
    const question = { ...asked('Which title, say, and which nationality?'), schema: { ...CONCERTS, tables } };
    try {
      expect((await linker.answer(question, listening())).columns).toEqual([]);
      expect(await selecting.answer(question, listening())).toMatchObject({
        raw: 'singer.Name, singer.Country',
        columns: [
          { table: 0, column: 0 },
          { table: 0, column: 1 },
        ],
      });
    } finally {
      await selecting.dispose?.();
    }
  });

  it('lets failures through', async () => {
    const victim: Victim = { ...sayingVictim(() => ''), answer: async ({ id }) => readAnswer(id, '') };
    const selecting = selectingVictim(victim, loadAnnotations(annotationsFile(NAMES)));
    const answer = await selecting.answer(asked('Which nationality?'), listening());
    expect(answer.failure?.kind).toBe('empty');
  });
});

describe('--annotated-tables', () => {
  const given = (more: Readonly<Record<string, unknown>>) => {
    const schema = { ...VICTIM_OPTIONS, ...TIMEOUT_OPTION };
    const values = Object.fromEntries(
      Object.entries(schema).flatMap(([name, field]) => {
        const parsed = field.safeParse(more[name]);
        return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
      }),
    );
    return victimOf(values as Parameters<typeof victimOf>[0], new Set(Object.keys(more)));
  };

  it('is part of the choice of every victim that is asked', () => {
    const choices = [
      given({ victim: 'baseline', annotatedTables: 'mas.json' }),
      given({ victim: 'command', command: 'model', annotatedTables: 'mas.json' }),
    ];
    for (const choice of choices) expect(choice).toMatchObject({ annotatedTables: 'mas.json' });
  });

  it('is refused with --executions: the model would see other names in the database', () => {
    const both = { victim: 'command', command: 'model', annotatedTables: 'mas.json', executions: 3 };
    expect(() => given(both)).toThrow(ConfigError);
  });

  it('needs a tables.json', () => {
    expect(() => loadAnnotations(join(temporaryFolder(), 'none.json'))).toThrow(InputFormatError);
  });
});

describe.skipIf(!existsSync(MAS))('Spider-Syn’s annotations on Spider dev (skipped without ../shared)', () => {
  it('bring every gold back that was written with the names shown, but for letter case', () => {
    const spider = (name: string): string => join(SHARED, 'spider', name);
    const paths = {
      ...PATH_DEFAULTS,
      dataset: 'spider' as const,
      tables: spider('tables.json'),
      examples: spider('dev.json'),
    };
    const dataset = loadSpiderDataset(paths);
    const annotations = loadAnnotations(MAS);
    let renamed = 0;
    for (const { dbId, question, query } of [...dataset.examples()].filter((_, i) => i % 5 === 0)) {
      const database = dataset.databases.get(dbId)!;
      const { schema, former } = selectAnnotations(question, database, annotations);
      const shown = new Map(
        [...former.keys()].map((key) => {
          const [table, column] = key.split('.').map(Number) as [number, number];
          return [key, schema.tables[table]!.columns[column]!.originalName];
        }),
      );
      const written = renameColumns(query, database, shown).sql;
      if (written !== query) renamed++;
      expect(renameColumns(written, schema, former).sql.toLowerCase()).toBe(query.toLowerCase());
    }
    expect(renamed).toBeGreaterThan(10);
  });
});
