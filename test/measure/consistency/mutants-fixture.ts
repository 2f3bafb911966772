import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { readAnswer, type Victim, type VictimAnswer, type VictimQuestion } from '../../../src/victims/victim.js';
import { sqlitePath } from '../../../src/formats/sample-values.js';
import { renderSpiderTables } from '../../../src/formats/spider-tables.js';
import type { ConsistencyInput } from '../../../src/measure/consistency/consistency-options.js';
import type { MutantRecord } from '../../../src/formats/artifacts/mutants.js';
import type { Database, Table } from '../../../src/schema/schema.js';
import { EXAMPLES } from '../../variants/relations/cases.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

export const PATHS = {
  tables: inExamples('tables.json'),
  examples: inExamples('dev.json'),
  databases: inExamples('database'),
} as const;

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-consistency-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const GARDEN = EXAMPLES.databases.get('community_garden')!;
const STUDIO = EXAMPLES.databases.get('pottery_studio')!;

const withoutColumn = (table: Table, name: string): Table => ({
  ...table,
  columns: table.columns.filter(({ originalName }) => originalName !== name),
});

/** Gardeners without their year of birth. */
const WITHOUT_YEAR: Database = {
  ...GARDEN,
  id: 'garden_without_year',
  tables: GARDEN.tables.map((table, t) => (t === 0 ? withoutColumn(table, 'birth_year') : table)),
  primaryKeys: [],
  foreignKeys: [],
};

/** Plots with what is known of their gardeners. */
const FLAT: Database = {
  id: 'garden_flat',
  tables: [
    {
      ...GARDEN.tables[1]!,
      columns: [
        ...GARDEN.tables[1]!.columns,
        ...GARDEN.tables[0]!.columns.filter(({ originalName }) => originalName !== 'gardener_id'),
      ],
    },
    ...GARDEN.tables.slice(2),
  ],
  primaryKeys: [],
  foreignKeys: [],
};

/** The tables of the studio from last to first. */
const SHUFFLED: Database = {
  id: 'studio_shuffled',
  tables: [...STUDIO.tables].reverse(),
  primaryKeys: [],
  foreignKeys: [],
};

const COUNT = "SELECT count(*) FROM gardener WHERE home_country = 'Portugal'";
const PLOTS =
  "SELECT T2.plot_name , T2.plot_area FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T1.join_date > '2019-01-01'";
export const FLAT_PLOTS = "SELECT plot_name , plot_area FROM plot WHERE join_date > '2019-01-01'";
const POTTERS = 'SELECT FullName , BirthDate FROM Potter ORDER BY MonthlySalary DESC LIMIT 3';

/** The gold of the seeds that have mutants. */
export const SEED_GOLD: Readonly<Record<string, string>> = { 'dev:0': COUNT, 'dev:3': PLOTS, 'dev:12': POTTERS };

const SAME = { expectation: 'same-query', fluency: null } as const;
const OF_0 = { ...SAME, seed: 'dev:0', origin: 'community_garden', query: COUNT };

/** Seven mutants of three questions: six relations, one of them composed. */
export const MUTANTS: readonly MutantRecord[] = [
  {
    ...OF_0,
    id: 'dev:0~PI.0',
    relations: ['PI'],
    db_id: 'community_garden',
    question: 'Tell me how many gardeners come from Portugal?',
    details: ['inserted "tell me"'],
  },
  {
    ...OF_0,
    id: 'dev:0~PI.1',
    relations: ['PI'],
    db_id: 'community_garden',
    question: 'Return how many gardeners come from Portugal?',
    details: ['inserted "return"'],
  },
  {
    ...OF_0,
    id: 'dev:0~CRm.0',
    relations: ['CRm'],
    db_id: WITHOUT_YEAR.id,
    question: 'How many gardeners come from Portugal?',
    details: ['dropped gardener.birth_year'],
  },
  {
    ...OF_0,
    id: 'dev:0~CRm.0~PI.0',
    relations: ['CRm', 'PI'],
    db_id: WITHOUT_YEAR.id,
    question: 'Find how many gardeners come from Portugal?',
    details: ['dropped gardener.birth_year', 'inserted "find"'],
  },
  {
    id: 'dev:3~PS.0',
    seed: 'dev:3',
    relations: ['PS'],
    ...SAME,
    query: PLOTS,
    db_id: 'community_garden',
    origin: 'community_garden',
    question: 'List the names and areas of the plots whose gardener joined after January 1st, 2019.',
    details: ['"show" for "list"'],
  },
  {
    id: 'dev:3~FL.0',
    seed: 'dev:3',
    relations: ['FL'],
    expectation: 'same-result',
    query: FLAT_PLOTS,
    db_id: FLAT.id,
    origin: 'community_garden',
    fluency: null,
    question: 'Show the names and areas of the plots whose gardener joined after January 1st, 2019.',
    details: ['flattened gardener into plot'],
  },
  {
    id: 'dev:12~TS.0',
    seed: 'dev:12',
    relations: ['TS'],
    ...SAME,
    query: POTTERS,
    db_id: SHUFFLED.id,
    origin: 'pottery_studio',
    question: 'Give the full names and birth dates of the three potters with the highest monthly salary.',
    details: ['tables in another order'],
  },
];

const GOLD = new Map([...Object.entries(SEED_GOLD), ...MUTANTS.map(({ id, query }) => [id, query] as const)]);

/** What is right on a seed or mutant; of a shrunk one, what is right on its schema. */
export function goldOf(id: string): string {
  return GOLD.get(id) ?? GOLD.get(id.split('~')[0]!)!;
}

function writeDatabase(
  folder: string,
  { id, tables }: Database,
  origin: string,
  selects: ReadonlyMap<string, string>,
): void {
  const file = sqlitePath(join(folder, 'database'), id);
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file);
  sqlite.prepare('ATTACH ? AS origin').run(sqlitePath(PATHS.databases, origin));
  for (const { originalName: name } of tables) {
    sqlite.exec(`CREATE TABLE "${name}" AS ${selects.get(name) ?? `SELECT * FROM origin."${name}"`}`);
  }
  sqlite.close();
}

/** Writes mutants as `perturbql mutate` does; their databases, too, unless told otherwise. */
export function writeMutants(
  folder: string,
  {
    mutants = MUTANTS,
    manifest = {},
    databases = true,
  }: {
    readonly mutants?: readonly object[];
    readonly manifest?: object;
    readonly databases?: boolean;
  } = {},
): string {
  mkdirSync(folder, { recursive: true });
  const run = { command: 'mutate', version: '0', seed: 0, settings: {}, inputs: {}, complete: true, ...manifest };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
  writeFileSync(join(folder, 'mutants.jsonl'), mutants.map((mutant) => `${JSON.stringify(mutant)}\n`).join(''));
  const seeds = [...EXAMPLES.examples()].map(({ id, dbId, question, query }) => ({ id, db_id: dbId, question, query }));
  writeFileSync(join(folder, 'seeds.jsonl'), seeds.map((seed) => `${JSON.stringify(seed)}\n`).join(''));
  const schemas = [...EXAMPLES.databases.values(), WITHOUT_YEAR, FLAT, SHUFFLED];
  writeFileSync(join(folder, 'tables.json'), JSON.stringify(schemas.map(renderSpiderTables)));
  if (!databases) return folder;
  const columns = WITHOUT_YEAR.tables[0]!.columns.map(({ originalName }) => originalName).join(', ');
  writeDatabase(folder, WITHOUT_YEAR, GARDEN.id, new Map([['gardener', `SELECT ${columns} FROM origin.gardener`]]));
  const flat =
    'SELECT p.*, g.full_name, g.home_country, g.birth_year, g.join_date, g.annual_fee, g.is_volunteer FROM origin.plot p LEFT JOIN origin.gardener g ON p.gardener_id = g.gardener_id';
  writeDatabase(folder, FLAT, GARDEN.id, new Map([['plot', flat]]));
  writeDatabase(folder, SHUFFLED, STUDIO.id, new Map());
  for (const original of EXAMPLES.databases.values()) writeDatabase(folder, original, original.id, new Map());
  return folder;
}

type Answering = (question: VictimQuestion) => string | null | VictimAnswer | undefined;

/** A model that is right but where it is told otherwise, and remembers what it was asked. */
export class ScriptedVictim implements Victim {
  readonly id = 'scripted';
  readonly fingerprint = 'scripted-1';
  readonly concurrency = 1;
  readonly asked: VictimQuestion[] = [];
  readonly #answering: Answering;

  constructor(answering: Answering = () => undefined) {
    this.#answering = answering;
  }

  async answer(question: VictimQuestion): Promise<VictimAnswer> {
    this.asked.push(question);
    const said = this.#answering(question);
    if (said !== null && typeof said === 'object') return said;
    return readAnswer(question.id, said === undefined ? goldOf(question.id) : (said ?? ''));
  }
}

/** A run over the fixture's mutants. */
export function inputOf(victim: Victim, more: Partial<ConsistencyInput> = {}): ConsistencyInput {
  const folder = temporaryFolder();
  return {
    ...PATHS,
    mutants: more.mutants ?? writeMutants(join(folder, 'mutants')),
    out: join(folder, 'out'),
    victim: { kind: 'own', victim },
    ...more,
  };
}
