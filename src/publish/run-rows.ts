import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RunFolderError } from '../errors.js';
import { type SplitName, splitNamed } from '../formats/exports/export-names.js';
import { checkRecord, loadJsonArray } from '../formats/json-file.js';
import { loadSpiderTables } from '../formats/spider-tables.js';
import { type ProvenanceLine, readProvenance } from '../formats/artifacts/provenance.js';
import { loadSeeds, readMutants, type SeedRecord } from '../formats/artifacts/mutants.js';
import { variantId } from '../formats/variant-ids.js';
import { itemAt, mustGet } from '../present.js';
import { readRunManifest, type RunManifest } from '../run/run-folder.js';
import { declaredTypes } from '../formats/read-sqlite-schema.js';
import { memoize } from '../schema/memoize.js';
import type { Database } from '../schema/schema.js';
import { renderCreateTables } from '../sql/create-tables.js';
import { writtenDatabase } from '../variants/databases/write-variants.js';

/** Schemas whose text is kept: rows of one come together. */
const KEPT = 256;

/**
 * The CREATE TABLE statements of a schema of a run by its id, with the types that its database declares, where the run
 * holds it; empty where there is no schema of that id.
 */
export function createTablesOf(
  folder: string,
  schemas: ReadonlyMap<string, Database> = loadSpiderTables(join(folder, 'tables.json')),
): (dbId: string) => string {
  return memoize((dbId) => {
    const schema = schemas.get(dbId);
    return schema === undefined ? '' : renderCreateTables(schema, declaredTypes(writtenDatabase(folder, dbId), schema));
  }, KEPT);
}

/** One question with its SQL on one schema; each is self-contained. */
export interface PublishedRow {
  /** Distinct in the data set, with `split`. */
  readonly id: string;
  readonly source_id: string;
  /** `original`, or what was done: `RPL`, `SUB`, `CRn+TRm`. */
  readonly kind: string;
  readonly db_id: string;
  readonly original_db_id: string;
  readonly question: string;
  readonly original_question: string;
  /** Null where it has no gold. */
  readonly query: string | null;
  readonly original_query: string | null;
  /** The tables as CREATE TABLE statements. */
  readonly schema: string;
  /** How it was made, as a JSON object. */
  readonly provenance: string;
}

/** A row with where it goes. */
interface PlacedRow {
  readonly config: string;
  readonly split: SplitName;
  readonly row: PublishedRow;
}

/** A finished run whose data can be published. */
export interface PublishableRun {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** Names of configurations with what they hold, that of the originals first. */
  readonly configs: Readonly<Record<string, string>>;
  readonly splits: readonly SplitName[];
  /** From the start, in the run's order. */
  rows(): Iterable<PlacedRow>;
}

const FIX = 'Name a finished folder of `perturbql augment`, `perturbql mutate` or `perturbql compose`.';

const exampleRecord = z.looseObject({ question: z.string(), query: z.string() });
const splitOfId = (id: string): SplitName => splitNamed(id.split(':')[0] ?? '');

type Original = Pick<SeedRecord, 'question' | 'query'>;

/** `examples.json` with a line of `provenance.jsonl` for each record, as augment and compose write them. */
class RecordRun {
  readonly splits: readonly SplitName[];
  readonly #folder: string;
  readonly #examples: readonly z.infer<typeof exampleRecord>[];
  /** Of a composed run that was split for test: whether each example is for that. */
  readonly #isTested: readonly boolean[];

  constructor(folder: string) {
    const file = join(folder, 'examples.json');
    const records = loadJsonArray(file, 'examples');
    const test = join(folder, 'test.json');
    const tested = new Set((existsSync(test) ? loadJsonArray(test, 'examples') : []).map((one) => JSON.stringify(one)));
    this.#folder = folder;
    this.#examples = records.map((record, index) =>
      checkRecord(exampleRecord, record, { file, id: `example ${index}` }, FIX),
    );
    this.#isTested = records.map((record) => tested.has(JSON.stringify(record)));
    this.splits = tested.size > 0 ? ['train', 'test'] : [this.#inputSplit()];
  }

  *rows(): Generator<PlacedRow> {
    const schemaOf = createTablesOf(this.#folder);
    const originals = this.#originals();
    const taken = new Set<string | number>(originals.keys());
    for (const { index, source, kind, id, db_id, original_db_id, ...how } of this.#provenance()) {
      const example = itemAt(this.#examples, index);
      const original = originals.get(source) ?? example;
      const own = id ?? (kind === 'original' ? source : variantId(source, kind, taken));
      yield {
        config: kind.toLowerCase(),
        split: itemAt(this.splits, this.#isTested[index] === true ? 1 : 0),
        row: {
          id: own,
          source_id: source,
          kind,
          db_id,
          original_db_id,
          question: example.question,
          original_question: original.question,
          query: example.query,
          original_query: original.query,
          schema: schemaOf(db_id),
          provenance: JSON.stringify(how),
        },
      };
    }
  }

  #provenance(): Generator<ProvenanceLine> {
    return readProvenance(this.#folder, FIX);
  }

  #originals(): ReadonlyMap<string, Original> {
    const originals = [...this.#provenance()].filter(({ kind }) => kind === 'original');
    return new Map(originals.map(({ source, index }) => [source, itemAt(this.#examples, index)]));
  }

  #inputSplit(): SplitName {
    const [first] = this.#provenance();
    return splitOfId(first?.source ?? '');
  }
}

/** The mutants of a run after the examples that they were made of. */
class MutateRun {
  readonly splits: readonly SplitName[];
  readonly #folder: string;
  readonly #seeds: ReadonlyMap<string, SeedRecord>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#seeds = loadSeeds(folder);
    const [first = ''] = this.#seeds.keys();
    this.splits = [splitOfId(first)];
  }

  *rows(): Generator<PlacedRow> {
    const schemaOf = createTablesOf(this.#folder);
    const split = mustGet(this.splits[0], 'split');
    for (const { id, db_id, question, query } of this.#seeds.values()) {
      const row = { id, source_id: id, kind: 'original', db_id, original_db_id: db_id, question, query };
      const original = { original_question: question, original_query: query };
      yield { config: 'original', split, row: { ...row, ...original, schema: schemaOf(db_id), provenance: '{}' } };
    }
    for (const mutant of readMutants(this.#folder)) {
      const { id, seed, relations, db_id, origin, question, query, ...how } = mutant;
      const original = this.#seeds.get(seed);
      yield {
        config: 'mutants',
        split,
        row: {
          id,
          source_id: seed,
          kind: relations.join('+'),
          db_id,
          original_db_id: origin,
          question,
          query,
          original_question: original?.question ?? '',
          original_query: original?.query ?? null,
          schema: schemaOf(db_id),
          provenance: JSON.stringify({ relations, ...how }),
        },
      };
    }
  }
}

const ORIGINAL = 'the questions as they were';

/** The published form of each command's run. */
const KINDS: Readonly<
  Record<string, { readonly configs: PublishableRun['configs']; readonly open: typeof RecordRun | typeof MutateRun }>
> = {
  augment: {
    configs: {
      original: ORIGINAL,
      rpl: 'the same questions on tables with renamed columns (RPL), the gold SQL rewritten',
      add: 'the same questions on tables with associated columns added (ADD)',
      mixed: 'the same questions on tables with both, the gold SQL rewritten',
      mutant: 'questions reworded and schemas changed in ways that must not change the answer',
    },
    open: RecordRun,
  },
  compose: {
    configs: {
      original: ORIGINAL,
      sub: 'questions in which a part was replaced by one of another question (CG-SUB)',
      app: 'questions to which a part of another question was appended (CG-APP)',
    },
    open: RecordRun,
  },
  mutate: {
    configs: {
      original: ORIGINAL,
      mutants:
        'questions reworded and schemas changed; `expectation` says whether the answer stays, is another or is gone',
    },
    open: MutateRun,
  },
};

/** @throws RunFolderError or InputFormatError when the folder holds no finished run of data that can be published */
export function openPublishableRun(folder: string): PublishableRun {
  const manifest = readRunManifest(folder);
  const kind = KINDS[manifest.command];
  const where = { file: folder };
  if (kind === undefined) {
    throw new RunFolderError(`a run of \`perturbql ${manifest.command}\` is no data set`, { where, fix: FIX });
  }
  if (!manifest.complete) {
    const fix = `Give the \`perturbql ${manifest.command}\` that began it again: it resumes.`;
    throw new RunFolderError('the run is not finished', { where, fix });
  }
  const run = new kind.open(folder);
  return { folder, manifest, configs: kind.configs, splits: run.splits, rows: () => run.rows() };
}
