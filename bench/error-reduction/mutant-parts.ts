import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Dataset } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { MutantSet } from '../../src/variants/mutate/mutant-set.js';
import { mutate } from '../../src/variants/mutate/mutate.js';
import type { MutantRecord } from '../../src/formats/artifacts/mutants.js';
import { MT_TEQL_IDS } from '../../src/variants/relations/relations.js';
import { mustGet } from '../../src/present.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import type { BaselineExample } from '../../src/victims/baseline/known-example.js';
import type { BenchOutput } from '../run-bench.js';

/** What the bench works on, and where it keeps what it made. */
export interface ReductionInputs {
  /** Spider's tables.json and train.json. */
  readonly tables: string;
  readonly examples: string;
  readonly state: string;
  /** Names for Column Renaming and Insertion; null: the pipeline decides them. */
  readonly candidates: string | null;
  /** So many databases, the first of tables.json that are asked; null: all. */
  readonly databases: number | null;
  readonly folds: number;
}

/** Databases whose questions are asked while a parser learns from those of the other parts. */
export interface Part {
  readonly name: string;
  /** Folder of the run of mutate. */
  readonly run: string;
  readonly paths: { readonly dataset: 'spider'; readonly tables: string; readonly examples: string };
  readonly dataset: Dataset;
  readonly originals: readonly BaselineExample[];
  readonly mutants: readonly MutantRecord[];
  /** What a parser learns from a mutant; null where its gold has no form. */
  readonly learnedOf: (mutant: MutantRecord) => BaselineExample | null;
}

const recordsSchema = z.array(z.looseObject({ db_id: z.string() }));

/** Neither parser nor comparison sees a row: all is judged by exact set match. */
const NO_ROWS = { databases: null, connection: null } as const;

function learnedFrom(run: MutantSet, dataset: Dataset): Part['learnedOf'] {
  return ({ id, question, query, db_id: dbId }) => {
    const database = mustGet(run.schemas.get(dbId) ?? dataset.databases.get(dbId), `schema ${dbId}`);
    return query === null ? null : { id, question, query, database, samples: [] };
  };
}

/** Each part's databases, at random. */
async function divided({
  tables,
  examples,
  databases,
  folds,
}: ReductionInputs): Promise<readonly (readonly string[])[]> {
  const dataset = await loadDataset({ dataset: 'spider', tables, examples, ...NO_ROWS });
  const asked = new Set([...dataset.examples()].map(({ dbId }) => dbId));
  const all = [...dataset.databases.keys()].filter((id) => asked.has(id));
  const drawn = shuffled(databases === null ? all : all.slice(0, databases), createRng(0, 'error reduction'));
  return Array.from({ length: folds }, (_, part) => drawn.filter((_, i) => i % folds === part));
}

/** Mutates the questions of each part; what is there is not made again. */
export async function mutantParts(
  inputs: ReductionInputs,
  records: z.infer<typeof recordsSchema>,
  output: BenchOutput,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const [i, own] of (await divided(inputs)).entries()) {
    const name = String(i + 1);
    const examples = join(inputs.state, `part-${name}.json`);
    const ids = new Set(own);
    if (!existsSync(examples)) writeFileSync(examples, JSON.stringify(records.filter((one) => ids.has(one.db_id))));
    const paths = { dataset: 'spider', tables: inputs.tables, examples } as const;
    const out = join(inputs.state, `mutants-${name}`);
    const { candidates } = inputs;
    await mutate({ ...paths, relations: MT_TEQL_IDS, limit: 1, candidates, out });
    const [run, dataset] = [new MutantSet(out), await loadDataset({ ...paths, ...NO_ROWS })];
    const originals = [...dataset.examples()].map(({ id, question, query, dbId }): BaselineExample => {
      const database = mustGet(dataset.databases.get(dbId), `database ${dbId}`);
      return { id: `${name}/${id}`, question, query, database, samples: [] };
    });
    output.tell(`part ${name}: ${own.length} databases, ${originals.length} questions, ${run.records.length} mutants`);
    parts.push({
      name,
      run: out,
      paths,
      dataset,
      originals,
      mutants: run.records,
      learnedOf: learnedFrom(run, dataset),
    });
  }
  return parts;
}

/** Spider's records, which parts are cut from. */
export const parseRecords = (text: string): z.infer<typeof recordsSchema> => recordsSchema.parse(JSON.parse(text));
