import { SqlRewriteError } from '../errors.js';
import type { Dataset, DatasetExample } from '../formats/dataset.js';
import { renderJsonArray } from '../formats/json-output.js';
import { type OutputFolder, type OwnFields, samePositions } from '../formats/output-set.js';
import type { SpiderExampleRecord } from '../formats/spider-examples.js';
import { renderGoldLine, renderVariantRecord, spiderRecordOf } from '../formats/spider-output.js';
import { groupBy } from '../run/group-by.js';
import type { Database } from '../schema/schema.js';
import type { MutantRecord } from './relation.js';

/** Words and signs, as Spider's `question_toks` have them. */
const WORDS = /[\p{L}\p{N}]+(?:[-_.'’][\p{L}\p{N}]+)*|\S/gu;

/** An example with another question; tokens made from the old one are made again. */
function reworded(example: DatasetExample, question: string): DatasetExample {
  const record = example.record as Readonly<Record<string, unknown>>;
  const tokens = 'question_toks' in record ? { question_toks: question.match(WORDS) ?? [] } : {};
  return { ...example, question, record: { ...record, question, ...tokens } };
}

/** A mutant's record; null where the examples have Spider's `sql` and its gold has no form there, such as IS NOT NULL. */
function renderMutant(
  dataset: Dataset,
  example: DatasetExample,
  { question, query }: MutantRecord,
  schema: Database,
): SpiderExampleRecord | null {
  try {
    return renderVariantRecord(dataset, reworded(example, question), query, schema);
  } catch (error) {
    if (error instanceof SqlRewriteError) return null;
    throw error;
  }
}

type AnyRecord = Readonly<Record<string, unknown>>;

/** Gives mutants' records ids of their own where examples have some: the mutant's, or numbers after the greatest. */
class MutantIds {
  readonly #next = new Map<string, number>();

  /** Takes note of an original's ids. */
  take(record: AnyRecord): void {
    for (const field of ['id', 'question_id']) {
      const id = record[field];
      if (typeof id === 'number') this.#next.set(field, Math.max(this.#next.get(field) ?? 0, Math.floor(id) + 1));
    }
  }

  idsOf(record: AnyRecord, { id }: MutantRecord): AnyRecord {
    const named = ['id', 'question_id'].filter((field) => ['string', 'number'].includes(typeof record[field]));
    return Object.fromEntries(
      named.flatMap((field) => {
        const original = record[field];
        return [
          [field, typeof original === 'number' ? this.#number(field) : id],
          [`original_${field}`, original],
        ];
      }),
    );
  }

  #number(field: string): number {
    const next = this.#next.get(field) ?? 0;
    this.#next.set(field, next + 1);
    return next;
  }
}

/** The fields of an example that are the data set's own, beyond those of its record in Spider's form. */
function fieldsIn(dataset: Dataset, source: DatasetExample, fieldsOf: OwnFields): AnyRecord {
  const database = dataset.databases.get(source.dbId);
  if (database === undefined) return {};
  const schema = { schema: database, origin: database.id, columns: samePositions(database) };
  return fieldsOf({ source, kind: 'original', schema, query: source.query }, dataset);
}

/**
 * Writes a training set as Spider's own tools read it, `examples.json` and `gold.sql`: each example followed by its
 * mutants (MT-TEQL §4); their schemas are in `tables.json`. `fieldsOf` gives the fields of the data set's own, which
 * mutants share with their example.
 * @returns how many mutants were left out, as Spider's structure has no form for their gold
 */
export function writeTrainingSet(
  dataset: Dataset,
  mutants: readonly MutantRecord[],
  schemaOf: (id: string) => Database,
  folder: OutputFolder,
  fieldsOf: OwnFields = () => ({}),
): number {
  const bySeed = groupBy(mutants, ({ seed }) => seed);
  const gold: string[] = [];
  const ids = new MutantIds();
  for (const example of dataset.examples()) {
    ids.take({ ...fieldsIn(dataset, example, fieldsOf), ...spiderRecordOf(dataset, example) });
  }
  let leftOut = 0;
  const records = function* (): Generator<SpiderExampleRecord> {
    for (const example of dataset.examples()) {
      const own = bySeed.get(example.id) ?? [];
      const fields = fieldsIn(dataset, example, fieldsOf);
      const rendered = own.map((mutant) => {
        const record = renderMutant(dataset, example, mutant, schemaOf(mutant.db_id));
        return record === null ? null : { ...fields, ...record, ...ids.idsOf({ ...fields, ...record }, mutant) };
      });
      const kept = rendered.filter((record) => record !== null);
      leftOut += own.length - kept.length;
      for (const record of [{ ...fields, ...spiderRecordOf(dataset, example) }, ...kept]) {
        gold.push(renderGoldLine(record.query, record.db_id));
        yield record;
      }
    }
  };
  folder.write('examples.json', renderJsonArray(records()));
  folder.write('gold.sql', gold);
  return leftOut;
}
