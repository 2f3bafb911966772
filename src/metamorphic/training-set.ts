import type { Dataset, DatasetExample } from '../formats/dataset.js';
import { renderJsonArray } from '../formats/json-output.js';
import type { OutputFolder, OwnFields } from '../formats/output-set.js';
import { ownFieldsIn } from '../formats/own-fields.js';
import { RecordIds } from '../formats/record-ids.js';
import { rewordedExample } from '../formats/reworded-example.js';
import type { SpiderExampleRecord } from '../formats/spider-examples.js';
import { textsOf } from '../formats/schema-text/record-texts.js';
import { renderGoldLine, renderVariantRecord, spiderRecordOf } from '../formats/spider-output.js';
import { groupBy } from '../run/group-by.js';
import type { Database } from '../schema/schema.js';
import type { MutantTexts } from './mutant-texts.js';
import type { MutantRecord } from '../formats/artifacts/mutants.js';

type AnyRecord = Readonly<Record<string, unknown>>;

/** The records of the examples that are written. */
function* originalRecords(dataset: Dataset, fieldsOf: OwnFields): Generator<AnyRecord> {
  for (const example of dataset.examples()) {
    if (example.query !== '') yield { ...ownFieldsIn(dataset, example, fieldsOf), ...spiderRecordOf(dataset, example) };
  }
}

/** The sources of mutants' records in addition to their queries. */
interface TrainingSources {
  readonly texts: MutantTexts;
  readonly schemaOf: (id: string) => Database;
  readonly fieldsOf: OwnFields;
}

/**
 * Writes a training set as Spider's own tools read it, `examples.json` and `gold.sql`: each example followed by its
 * mutants (MT-TEQL §4); their schemas are in `tables.json`. `fieldsOf` gives the fields of the data set's own, which
 * mutants share with their example.
 */
export function writeTrainingSet(
  dataset: Dataset,
  mutants: readonly MutantRecord[],
  { texts, schemaOf, fieldsOf }: TrainingSources,
  folder: OutputFolder,
): void {
  const bySeed = groupBy(mutants, ({ seed }) => seed);
  const gold: string[] = [];
  const ids = new RecordIds(originalRecords(dataset, fieldsOf));
  const renderMutant = (example: DatasetExample, mutant: MutantRecord): readonly SpiderExampleRecord[] => {
    // Nothing can be learned from a question that nothing answers.
    if (mutant.query === null || mutant.expectation === 'unanswerable') return [];
    const { example: followed } = texts.follow(example, mutant.db_id);
    const schema = schemaOf(mutant.db_id);
    const record = renderVariantRecord(dataset, rewordedExample(followed, mutant.question), mutant.query, schema);
    const own = ownFieldsIn(dataset, example, fieldsOf, { query: record.query, schema });
    const whole = { ...own, ...record, ...textsOf(dataset, followed) };
    return [{ ...whole, ...ids.namedIdsOf(whole, mutant.id) }];
  };
  const records = function* (): Generator<SpiderExampleRecord> {
    for (const example of dataset.examples()) {
      // Nor from one without its query.
      if (example.query === '') continue;
      const fields = ownFieldsIn(dataset, example, fieldsOf);
      const rendered = (bySeed.get(example.id) ?? []).flatMap((mutant) => renderMutant(example, mutant));
      const original = { ...fields, ...spiderRecordOf(dataset, example), ...textsOf(dataset, example) };
      for (const record of [original, ...rendered]) {
        gold.push(renderGoldLine(record.query, record.db_id));
        yield record;
      }
    }
  };
  folder.write('examples.json', renderJsonArray(records()));
  folder.write('gold.sql', gold);
}
