import { join } from 'node:path';
import { z } from 'zod';
import type { Dataset, DatasetExample, DatasetPaths } from '../../formats/dataset.js';
import { checkRecord, loadJsonArray } from '../../formats/json-file.js';
import { sqliteFolder } from '../../formats/spider-dataset.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import { requireFinishedRun } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import { SQLITE } from '../../sql/dialect.js';
import {
  COMPOSITIONS_FILE,
  COMPOSITIONS_FIX,
  type ComposedExample,
  loadCompositions,
} from '../../formats/artifacts/compositions.js';
import { readProvenance } from '../../formats/artifacts/provenance.js';

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
