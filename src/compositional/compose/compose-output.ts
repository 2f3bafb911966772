import { join } from 'node:path';
import { z } from 'zod';
import type { Dataset, DatasetExample, DatasetPaths } from '../../formats/dataset.js';
import { checkRecord, loadJsonArray, parseJson } from '../../formats/json-file.js';
import { readIdentifiedLines } from '../../formats/identified-lines.js';
import { sqliteFolder } from '../../formats/spider-dataset.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import { readTextLines } from '../../formats/text-lines.js';
import { requireFinishedRun } from '../../run/run-folder.js';
import { fileSha256 } from '../../run/sha256.js';
import { SQLITE } from '../../sql/dialect.js';
import { COMPOSITION_KINDS } from './composition-draft.js';

const FIX = 'Name a folder that `perturbql compose` wrote and finished.';

const compositionRecord = z.object({
  id: z.string().min(1),
  kind: z.enum(COMPOSITION_KINDS),
  depth: z.int().min(1),
  db_id: z.string().min(1),
  parents: z.tuple([z.string().min(1), z.string().min(1)]),
  source: z.string().min(1),
  question: z.string().min(1),
  query: z.string().min(1),
  hardness: z.string().nullable(),
});

/** What is read of a line of `compositions.jsonl`; its further fields are left. */
export type CompositionRecord = Readonly<z.infer<typeof compositionRecord>>;

const provenanceRecord = z.object({ index: z.int().min(0), source: z.string().min(1), kind: z.string() });
const exampleRecord = z.looseObject({ db_id: z.string().min(1), question: z.string(), query: z.string() });

function readCompositions(file: string): readonly CompositionRecord[] {
  const emptyFix = 'Compose with other questions, a larger --budget, or --allow-empty.';
  return readIdentifiedLines(file, compositionRecord, { nothing: 'there are no compositions', fix: FIX, emptyFix });
}

/** The folder of a `compose` run: its compositions, and the data set that they were made of as far as it holds it. */
export class ComposeOutput {
  /** `compositions.jsonl`, for messages. */
  readonly file: string;
  readonly compositions: readonly CompositionRecord[];
  /** sha256 of `compositions.jsonl`. */
  readonly fingerprint: string;
  readonly #folder: string;

  /** @throws RunFolderError or InputFormatError when the folder holds no finished run, or a line of it is wrong */
  constructor(folder: string) {
    requireFinishedRun(folder, { command: 'compose', products: 'the compositions', fix: FIX });
    this.#folder = folder;
    this.file = join(folder, 'compositions.jsonl');
    this.compositions = readCompositions(this.file);
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
    const [file, provenance] = [join(this.#folder, 'examples.json'), join(this.#folder, 'provenance.jsonl')];
    const records = loadJsonArray(file, 'examples');
    return [...readTextLines(provenance)].flatMap(({ line, text }): readonly DatasetExample[] => {
      const place = { file: provenance, line, id: '' };
      const { index, source, kind } = checkRecord(provenanceRecord, parseJson(text, provenance, line), place, FIX);
      if (kind !== 'original') return [];
      const record = checkRecord(exampleRecord, records[index], { file, id: source }, FIX);
      const { db_id: dbId, question, query } = record;
      return [{ id: source, group: source, dbId, question, query, record }];
    });
  }
}
