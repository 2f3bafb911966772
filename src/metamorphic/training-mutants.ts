import { join } from 'node:path';
import type { Dataset, DatasetExample } from '../formats/dataset.js';
import { loadJsonArray } from '../formats/json-file.js';
import { type OutputSchema, samePositions } from '../formats/output-set.js';
import { rewordedExample } from '../formats/reworded-example.js';
import { textsOf } from '../formats/schema-text/record-texts.js';
import type { MutantMaking, MutantSource, TrainingMutant, TrainingMutants } from '../perturb/mutant-source.js';
import type { SkippedItem } from '../perturb/plan-tables.js';
import { mustGet } from '../present.js';
import { sha256Of } from '../run/sha256.js';
import { type MutateInput, withMutateDefaults } from './mutate-options.js';
import { mutate } from './mutate.js';
import { isOnOwnSchema, MutantSet } from './mutant-set.js';
import type { MutantLine, MutantRecord } from '../formats/artifacts/mutants.js';

/** An example with the words of a mutant, and with its texts about the schema as they are for that. */
function mutantExample(dataset: Dataset, example: DatasetExample, line: MutantLine): DatasetExample {
  const fields = Object.keys(textsOf(dataset, example)).filter((field) => typeof line[field] === 'string');
  const texts = Object.fromEntries(fields.map((field) => [field, line[field]]));
  const reworded = rewordedExample(example, line.question);
  return { ...reworded, record: { ...(reworded.record as object), ...texts } };
}

function mutantProvenance({ id, relations, level, details, expectation, mapping }: MutantRecord): MutantMaking {
  return {
    id,
    relations,
    ...(level === undefined ? {} : { level }),
    details,
    ...(expectation === 'other-query' ? { expectation } : {}),
    ...(mapping == null ? {} : { mapping }),
  };
}

/** The schemas of a run, its own with their records. */
class RunSchemas {
  readonly #run: MutantSet;
  readonly #dataset: Dataset;
  readonly #records: ReadonlyMap<string, unknown>;
  readonly #known = new Map<string, OutputSchema>();

  constructor(run: MutantSet, dataset: Dataset) {
    this.#run = run;
    this.#dataset = dataset;
    const records = loadJsonArray(join(run.folder, 'tables.json'), 'databases') as readonly {
      readonly db_id: string;
    }[];
    this.#records = new Map(records.map((record) => [record.db_id, record]));
  }

  of(mutant: MutantRecord): OutputSchema {
    const known = this.#known.get(mutant.db_id);
    if (known !== undefined) return known;
    const { db_id: id, origin } = mutant;
    const database = mustGet(this.#dataset.databases.get(origin), 'dataset.databases.get(origin)');
    const schema: OutputSchema = isOnOwnSchema(mutant)
      ? { schema: this.#run.schemaOf(id), origin, columns: [], record: this.#records.get(id) }
      : { schema: database, origin, columns: samePositions(database) };
    this.#known.set(id, schema);
    return schema;
  }
}

/** The mutants of a run as records of a training set. */
function trainingMutants(run: MutantSet, dataset: Dataset): TrainingMutants {
  const examples = new Map([...dataset.examples()].map((example) => [example.id, example]));
  run.checkSeeds(examples);
  const schemas = new RunSchemas(run, dataset);
  const byExample = new Map<string, TrainingMutant[]>();
  const skipped: SkippedItem[] = [];
  for (const record of run.records) {
    const { id, seed, query, expectation } = record;
    const isAnswerable = expectation !== 'unanswerable';
    if (query === null) {
      skipped.push({ id, reason: isAnswerable ? 'it has no gold query' : 'nothing answers its question' });
      continue;
    }
    const source = mutantExample(dataset, mustGet(examples.get(seed), 'examples.get(seed)'), record);
    const example = { id, source, kind: 'mutant', schema: schemas.of(record), query } as const;
    byExample.set(seed, [...(byExample.get(seed) ?? []), { example, making: mutantProvenance(record) }]);
  }
  return { byExample, skipped, fileOf: (id) => run.fileOf(id) };
}

/**
 * The mutants of a run of `mutate`, for `augment`.
 * @throws RunFolderError or InputFormatError when the folder holds no finished run, or a line of it is wrong
 */
export async function mutantsOfRun(folder: string): Promise<MutantSource> {
  const run = new MutantSet(folder);
  return {
    fingerprint: sha256Of(JSON.stringify(run.fingerprints)),
    mutantsFor: async ({ dataset }) => trainingMutants(run, dataset),
  };
}

/** Folder within a run of `augment` where the run of its mutants is. */
const MADE_IN = 'mutants';

/**
 * Mutants that `augment` makes on the way, in a run of `mutate` in its folder, as many as there are examples and about as
 * many of each relation (MT-TEQL §4). Relations that need names take them from the candidates.
 * @throws ConfigError where the options are wrong
 */
export async function mutantsMadeBy(input: Omit<MutateInput, 'out' | 'candidates'>): Promise<MutantSource> {
  const options: Omit<MutateInput, 'out'> = { sample: 'stratified', ...input };
  const { relations, limit, compose, guard, question, sample, seed } = withMutateDefaults({ ...options, out: MADE_IN });
  return {
    fingerprint: sha256Of(JSON.stringify({ relations, limit, compose, guard, question, sample, seed })),
    mutantsFor: async ({ dataset, out, candidates }, host) => {
      const folder = join(out, MADE_IN);
      await mutate({ ...options, candidates, out: folder }, host);
      return trainingMutants(new MutantSet(folder), dataset);
    },
  };
}
