import { join } from 'node:path';
import { z } from 'zod';
import type { Dataset, DatasetExample, DatasetPaths } from '../../formats/dataset.js';
import { checkRecord, loadJsonArray, renderJsonArray } from '../../formats/json-file.js';
import { rewordedExample, type SpiderExampleRecord, sqliteFolder } from '../../formats/spider-dataset.js';
import { loadSpiderTables, renderSpiderTables } from '../../formats/spider-tables.js';
import { requireFinishedRun } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import { SQLITE } from '../../sql/dialect.js';
import {
  type ComposedExample,
  COMPOSITIONS_FILE,
  COMPOSITIONS_FIX,
  loadCompositions,
  writeCompositions,
} from '../../formats/artifacts/compositions.js';
import { type ProvenanceLine, readProvenance, writeProvenance } from '../../formats/artifacts/provenance.js';
import { whereReadable } from '../../sql/sql-fault.js';
import type { OutputFolder } from '../../formats/output-set.js';
import { RecordIds } from '../../formats/variant-ids.js';
import { renderGoldLine, renderVariantRecord, spiderRecordOf } from '../../formats/spider-output.js';
import { countNoun, tally } from '../../counts.js';
import { groupBy } from '../../run/group-by.js';
import type { ComposeOptions } from './compose-options.js';
import type { ComposeInputs } from './compose-job.js';
import { createRng, shuffled } from '../../seeded-rng.js';

interface WrittenRecord {
  readonly record: SpiderExampleRecord;
  readonly source: DatasetExample;
  /** Null of an original. */
  readonly composed: ComposedExample | null;
}

function* originalRecords(dataset: Dataset): Generator<SpiderExampleRecord> {
  for (const example of dataset.examples()) yield spiderRecordOf(dataset, example);
}

/**
 * A composition's record has the other fields of its base's, an id of its own, and tokens and structure of its gold.
 */
class ComposedRecords {
  readonly #dataset: Dataset;
  readonly #ids: RecordIds;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
    this.#ids = new RecordIds(originalRecords(dataset));
  }

  /** Null where the gold can't be read. */
  render(composed: ComposedExample, source: DatasetExample): SpiderExampleRecord | null {
    const dataset = this.#dataset;
    const database = dataset.databases.get(source.dbId);
    if (database === undefined) throw new RangeError(`no database ${source.dbId}`);
    return whereReadable(() => {
      const record = renderVariantRecord(dataset, rewordedExample(source, composed.question), composed.query, database);
      return { ...record, ...this.#ids.namedIdsOf(record, composed.id) };
    }, null);
  }
}

/** The originals from the start, each with its compositions behind it. */
function recordsOf(kept: readonly ComposedExample[], inputs: ComposeInputs): readonly WrittenRecord[] {
  const bySource = groupBy(kept, ({ source }) => source);
  const records = new ComposedRecords(inputs.dataset);
  return [...inputs.dataset.examples()].flatMap((source) => {
    const own = (bySource.get(source.id) ?? []).flatMap((composed): WrittenRecord[] => {
      const record = records.render(composed, source);
      return record === null ? [] : [{ record, source, composed }];
    });
    return [{ record: spiderRecordOf(inputs.dataset, source), source, composed: null }, ...own];
  });
}

/** Which record comes from what. */
function provenanceOf({ source, composed }: WrittenRecord, index: number): ProvenanceLine {
  const common = { index, source: source.id, db_id: source.dbId, original_db_id: source.dbId };
  if (composed === null) return { ...common, kind: 'original', changes: [], edits: [] };
  const { id, kind, connective, depth, parents, elements, pieces, hardness } = composed;
  return { ...common, kind, id, connective, depth, parents, elements, pieces, hardness };
}

function* goldOf(records: readonly WrittenRecord[]): Generator<string> {
  for (const { record } of records) yield renderGoldLine(record.query, record.db_id);
}

function writeSplit(
  records: readonly WrittenRecord[],
  kept: readonly ComposedExample[],
  templates: ReadonlySet<string>,
  { testShare, seed }: ComposeOptions,
  folder: OutputFolder,
): { readonly train: number; readonly test: number } {
  const { train, test } = splitByTemplate(kept, templates, { testShare, seed });
  const tested = new Set(test);
  const parts = groupBy(records, ({ composed }) => (composed !== null && tested.has(composed) ? 'test' : 'train'));
  for (const name of ['train', 'test'] as const) {
    const own = parts.get(name) ?? [];
    folder.write(`${name}.json`, renderJsonArray(own.map(({ record }) => record)));
    folder.write(`${name}_gold.sql`, goldOf(own));
  }
  return { train: train.length, test: test.length };
}

/**
 * Writes a composed data set as `augment` writes one, with `compositions.jsonl`; by templates split where asked for.
 * Returns the written compositions, with warnings about those that could not be written.
 */
export function writeComposed(
  chosen: readonly ComposedExample[],
  inputs: ComposeInputs,
  options: ComposeOptions,
  templates: ReadonlySet<string>,
  folder: OutputFolder,
) {
  const { dataset, examples } = inputs;
  const records = recordsOf(chosen, inputs);
  const kept = records.flatMap(({ composed }) => composed ?? []);
  const schemas = [...examples.keys()].flatMap((id) => dataset.databases.get(id) ?? []);
  const tables = schemas.map((one) => dataset.spiderTables?.get(one.id) ?? renderSpiderTables(one));
  folder.write('tables.json', renderJsonArray(tables));
  folder.write('examples.json', renderJsonArray(records.map(({ record }) => record)));
  folder.write('gold.sql', goldOf(records));
  writeCompositions(folder, kept);
  writeProvenance(folder, records.map(provenanceOf));
  const split = options.testShare > 0 ? writeSplit(records, kept, templates, options, folder) : null;
  const lost = chosen.length - kept.length;
  const warning = `${countNoun(lost, 'composition')} left out: Spider’s sql structure has no form for the gold`;
  return { kept, split, warnings: lost === 0 ? [] : [warning] };
}

/**
 * Splits compositions by the templates of their queries, so that about `testShare` of them are for test. Templates of
 * the originals, which are for training, are none of the test set's; so each element is in training by its own question
 * at least, and what is new in the test set is the combination.
 */
export function splitByTemplate(
  examples: readonly ComposedExample[],
  originalTemplates: ReadonlySet<string>,
  { testShare, seed }: { readonly testShare: number; readonly seed: number },
) {
  const sizes = tally(examples.map(({ template }) => template));
  const unseen = [...sizes.keys()].filter((template) => !originalTemplates.has(template)).sort();
  const tested = new Set<string>();
  let open = Math.round(examples.length * testShare);
  for (const template of shuffled(unseen, createRng(seed, 'templates'))) {
    const size = sizes.get(template) ?? 0;
    if (size > open) continue;
    tested.add(template);
    open -= size;
  }
  return {
    train: examples.filter(({ template }) => !tested.has(template)),
    test: examples.filter(({ template }) => tested.has(template)),
  };
}

const exampleRecord = z.looseObject({ db_id: z.string().min(1), question: z.string(), query: z.string() });

/** The folder of a `compose` run: its compositions, and the data set that they were made of as far as it holds it. */
export class ComposeOutput {
  /** `compositions.jsonl`, for messages. */
  readonly file: string;
  readonly compositions: readonly ComposedExample[];
  /** sha256 of `compositions.jsonl`. */
  readonly fingerprint: string;
  readonly #folder: string;

  /** @throws RunFolderError or InputFormatError when the folder holds no finished run, or a line of it is wrong */
  constructor(folder: string) {
    requireFinishedRun(folder, { command: 'compose', products: 'the compositions', fix: COMPOSITIONS_FIX });
    this.#folder = folder;
    this.file = join(folder, COMPOSITIONS_FILE);
    this.compositions = loadCompositions(folder);
    this.fingerprint = fileSha256(this.file);
  }

  /** Where the run holds its schemas: what further training examples are read with. */
  paths(databases: string | null): DatasetPaths {
    const tables = join(this.#folder, 'tables.json');
    return { dataset: 'spider', tables, examples: null, databases, connection: null };
  }

  /**
   * The data set that the questions were composed of: its examples and schemas, with the rows in `databases`.
   * @throws InputFormatError when a file of the run is missing or wrong
   */
  originals(databases: string | null): Dataset {
    const examples = this.#readOriginals();
    return {
      format: 'spider',
      dialect: SQLITE,
      databases: loadSpiderTables(join(this.#folder, 'tables.json')),
      size: examples.length,
      skipped: [],
      fingerprints: { composedOf: fileSha256(join(this.#folder, 'examples.json')) },
      examples: () => examples,
      ...sqliteFolder(databases),
    };
  }

  #readOriginals(): readonly DatasetExample[] {
    const file = join(this.#folder, 'examples.json');
    const records = loadJsonArray(file, 'examples');
    return [...readProvenance(this.#folder, COMPOSITIONS_FIX)].flatMap((line): readonly DatasetExample[] => {
      const { index, source, kind } = line;
      if (kind !== 'original') return [];
      const record = checkRecord(exampleRecord, records[index], { file, id: source }, COMPOSITIONS_FIX);
      const { db_id: dbId, question, query } = record;
      return [{ id: source, group: source, dbId, question, query, record }];
    });
  }
}
