import type { MutantLine, MutantRecord } from '../../formats/artifacts/mutants.js';
import type { Dataset, DatasetExample } from '../../formats/dataset.js';
import {
  type OutputExample,
  type OutputFolder,
  type OutputSchema,
  type OwnFields,
  samePositions,
} from '../../formats/output-set.js';
import { rewordedExample } from '../../formats/spider-dataset.js';
import { textsOf } from '../../formats/schema-text/schema-texts.js';
import { writeSpiderExamples } from '../../formats/spider-output.js';
import { mutantMaking, type TrainingMutant, type TrainingMutants } from '../augment/provenance.js';
import type { SkippedItem } from '../candidates/plan-tables.js';
import { mustGet } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { isOnOwnSchema } from './mutant-set.js';

/** An example with the words of a mutant, and with its texts about the schema as they are for that. */
function mutantExample(dataset: Dataset, example: DatasetExample, line: MutantLine): DatasetExample {
  const fields = Object.keys(textsOf(dataset, example)).filter((field) => typeof line[field] === 'string');
  const texts = Object.fromEntries(fields.map((field) => [field, line[field]]));
  const reworded = rewordedExample(example, line.question);
  return { ...reworded, record: { ...(reworded.record as object), ...texts } };
}

/** Mutants as records of a training set, by the example that they were made of, and those nothing can be learned from. */
export function trainingMutants(
  lines: Iterable<MutantLine>,
  dataset: Dataset,
  schemaOf: (mutant: MutantRecord) => OutputSchema,
): Omit<TrainingMutants, 'fileOf'> {
  const examples = new Map([...dataset.examples()].map((example) => [example.id, example]));
  const byExample = new Map<string, TrainingMutant[]>();
  const skipped: SkippedItem[] = [];
  for (const line of lines) {
    const { id, seed, query, expectation } = line;
    const isAnswerable = expectation !== 'unanswerable';
    if (query === null || !isAnswerable) {
      skipped.push({ id, reason: isAnswerable ? 'it has no gold query' : 'nothing answers its question' });
      continue;
    }
    const source = mutantExample(dataset, mustGet(examples.get(seed), 'examples.get(seed)'), line);
    const example = { id, source, kind: 'mutant', schema: schemaOf(line), query } as const;
    byExample.set(seed, [...(byExample.get(seed) ?? []), { example, making: mutantMaking(line) }]);
  }
  return { byExample, skipped };
}

/** The schema of a mutant as a record has it; texts about it have followed already. */
export function mutantSchema(mutant: MutantRecord, schema: Database, record?: unknown): OutputSchema {
  const { origin } = mutant;
  return isOnOwnSchema(mutant)
    ? { schema, origin, columns: [], record }
    : { schema, origin, columns: samePositions(schema) };
}

/**
 * Writes a training set as Spider's own tools read it, `examples.json` and `gold.sql`: each example followed by its
 * mutants (MT-TEQL §4); their schemas are in `tables.json`. Examples without a gold query are in none.
 */
export function writeTrainingSet(
  lines: Iterable<MutantLine>,
  dataset: Dataset,
  schemaOf: (id: string) => Database,
  fieldsOf: OwnFields | undefined,
  folder: OutputFolder,
): void {
  const { byExample } = trainingMutants(lines, dataset, (mutant) => mutantSchema(mutant, schemaOf(mutant.db_id)));
  const examples = function* (): Generator<OutputExample> {
    for (const source of dataset.examples()) {
      const { dbId: origin, query } = source;
      if (query === '') continue;
      const schema = schemaOf(origin);
      yield { source, kind: 'original', schema: { schema, origin, columns: samePositions(schema) }, query };
      for (const { example } of byExample.get(source.id) ?? []) yield example;
    }
  };
  writeSpiderExamples({ input: dataset, schemas: [], examples, sqliteFile: () => null }, folder, fieldsOf);
}
