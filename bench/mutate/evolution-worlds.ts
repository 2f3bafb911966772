import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputFormatError } from '../../src/errors.js';
import { sqlitePath } from '../../src/formats/sample-values.js';
import { loadSpiderTables, renderSpiderTables } from '../../src/formats/spider-tables.js';
import { createSyntheticDatabase } from '../../src/formats/synthetic-databases.js';
import { groupBy } from '../../src/run/group-by.js';
import type { Database } from '../../src/schema/schema.js';
import { adversarialNames, renamedWorld } from '../sql/gold-sweep.js';

/** Data sets whose schemas evolve, below the folder of data; databases that are not there are made for the golds. */
export const EVOLUTION_SETS = {
  dev: { title: 'Spider dev', tables: 'spider/tables.json', examples: 'spider/dev.json', databases: 'spider/database' },
  train: {
    title: 'Spider train',
    tables: 'spider/tables.json',
    examples: 'spider/train.json',
    databases: 'spider/database',
  },
  bird: { title: 'BIRD dev', tables: 'bird/dev_tables.json', examples: 'bird/dev.json', databases: 'bird/none' },
} as const;

export type EvolutionSetId = keyof typeof EVOLUTION_SETS;

/** Whether columns have their names, or such as break what takes names for words. */
export const NAMINGS = ['ordinary', 'adversarial'] as const;

/** A data set on disk, every database with rows. */
export interface EvolutionWorld {
  readonly tables: string;
  readonly examples: string;
  readonly databases: string;
}

interface Asked {
  readonly db_id: string;
  readonly question: string;
  readonly query: string;
}

export interface WorldRequest {
  readonly data: string;
  readonly set: EvolutionSetId;
  readonly naming: (typeof NAMINGS)[number];
  /** Draws adversarial names. */
  readonly seed: number;
  /** Only these databases; all where nothing is said. */
  readonly only?: readonly string[];
}

function readAsked(file: string): readonly Asked[] {
  if (!existsSync(file)) {
    const fix = 'Give the folder that holds spider/ and bird/ with --data.';
    throw new InputFormatError('the examples are not there', { where: { file }, fix });
  }
  const records = JSON.parse(readFileSync(file, 'utf8')) as readonly (Asked & { readonly SQL?: string })[];
  return records.map(({ db_id, question, query, SQL }) => ({ db_id, question, query: SQL ?? query }));
}

/** Writes a database under its own names; returns its golds. */
function writeOrdinary(schema: Database, source: string, target: string, asked: readonly Asked[]): void {
  mkdirSync(dirname(target), { recursive: true });
  if (existsSync(source)) copyFileSync(source, target);
  else writeFileSync(target, createSyntheticDatabase(schema, [...new Set(asked.map(({ query }) => query))], 0));
}

/** Writes a data set with rows into a folder; golds that can't be renamed are left out. */
export function writeEvolutionWorld(folder: string, { data, set, naming, seed, only }: WorldRequest): EvolutionWorld {
  const { tables, examples, databases } = EVOLUTION_SETS[set];
  const schemas = loadSpiderTables(join(data, tables));
  const world = { tables: join(folder, 'tables.json'), examples: join(folder, `${set}.json`), databases: folder };
  const [written, golds]: [Database[], Asked[]] = [[], []];
  for (const [id, asked] of groupBy(readAsked(join(data, examples)), ({ db_id }) => db_id)) {
    const schema = schemas.get(id);
    if (schema === undefined || only?.includes(id) === false) continue;
    const target = sqlitePath(folder, id);
    const ordinary = naming === 'ordinary' ? target : `${target}.ordinary`;
    writeOrdinary(schema, sqlitePath(join(data, databases), id), ordinary, asked);
    if (naming === 'ordinary') {
      written.push(schema);
      golds.push(...asked);
      continue;
    }
    const renamed = renamedWorld(schema, ordinary, target, { seed, names: adversarialNames });
    written.push(renamed.schema);
    golds.push(
      ...asked.flatMap((one) => {
        const query = renamed.rewrite(one.query);
        return query === null ? [] : [{ ...one, query }];
      }),
    );
  }
  writeFileSync(world.tables, JSON.stringify(written.map(renderSpiderTables)));
  writeFileSync(world.examples, JSON.stringify(golds));
  return world;
}
