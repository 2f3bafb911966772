import { join } from 'node:path';
import { loadSpiderExamples } from '../../../src/formats/spider-dataset.js';
import { loadSampleValues } from '../../../src/formats/sample-values.js';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import type { BaselineExample } from '../../../src/victims/baseline/known-example.js';
import type { Column, Database } from '../../../src/schema/schema.js';

const FOLDER = join(import.meta.dirname, '../../../examples');

/** The example data set as the baseline takes it. */
export function loadGardenExamples(): readonly BaselineExample[] {
  const databases = loadSpiderTables(join(FOLDER, 'tables.json'));
  const samples = new Map(
    [...databases.values()].map((database) => [database, loadSampleValues(join(FOLDER, 'database'), database)]),
  );
  return loadSpiderExamples(join(FOLDER, 'dev.json'), databases).map(({ id, dbId, question, query }) => {
    const database = databases.get(dbId)!;
    return { id, question, query, database, samples: samples.get(database)! };
  });
}

const text = (name: string) => ({ name, originalName: name.replaceAll(' ', '_'), type: 'text' as const });
const number = (name: string) => ({ name, originalName: name.replaceAll(' ', '_'), type: 'number' as const });

/** Riders and their bikes; one foreign key. */
export const BIKES: Database = {
  id: 'bikes',
  tables: [
    {
      name: 'rider',
      originalName: 'rider',
      columns: [number('rider id'), text('name'), number('age'), text('home town')],
    },
    {
      name: 'bike',
      originalName: 'bike',
      columns: [number('bike id'), number('rider id'), text('brand'), number('weight')],
    },
  ],
  primaryKeys: [
    { table: 0, column: 0 },
    { table: 1, column: 0 },
  ],
  foreignKeys: [{ from: { table: 1, column: 1 }, to: { table: 0, column: 0 } }],
};

/** Cells of {@link BIKES}. */
export const BIKE_CELLS = [
  [['1'], ['Ada Lund'], ['31'], ['Port Ellen', 'Bergen']],
  [['7'], ['1'], ['Kestrel'], ['9']],
];

/** A schema with other column names in one table. */
export function renamed(database: Database, table: number, names: Readonly<Record<string, string>>): Database {
  const tables = database.tables.map((entry, t) => {
    if (t !== table) return entry;
    const columns = entry.columns.map((column) => {
      const name = names[column.name];
      return name === undefined ? column : { ...column, name, originalName: name.replaceAll(' ', '_') };
    });
    return { ...entry, columns };
  });
  return { ...database, tables };
}

/** A schema with a column more at the front of one table; keys are gone. */
export function withColumn(database: Database, table: number, column: Column): Database {
  const tables = database.tables.map((entry, t) =>
    t === table ? { ...entry, columns: [column, ...entry.columns] } : entry,
  );
  return { ...database, tables, primaryKeys: [], foreignKeys: [] };
}

/** Questions about {@link BIKES} with their queries. */
export const BIKE_EXAMPLES: readonly BaselineExample[] = [
  ['How many riders are there?', 'SELECT count(*) FROM rider'],
  ['What are the names of the riders?', 'SELECT name FROM rider'],
  ['What is the average age of the riders?', 'SELECT avg(age) FROM rider'],
  ['Show the names of riders older than 30.', 'SELECT name FROM rider WHERE age > 30'],
  ['List the names of the riders sorted by age.', 'SELECT name FROM rider ORDER BY age'],
  [
    'Which brands do riders from "Bergen" have?',
    "SELECT T1.brand FROM bike AS T1 JOIN rider AS T2 ON T1.rider_id = T2.rider_id WHERE T2.home_town = 'Bergen'",
  ],
].map(([question = '', query = ''], i) => ({
  id: `bikes:${i}`,
  question,
  query,
  database: BIKES,
  samples: BIKE_CELLS,
}));
