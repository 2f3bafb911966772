import { formatCount } from '../../counts.js';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { candidateDecisionSchema } from './candidates.js';
import { checkRecord, loadJsonArray, renderJsonLines } from '../json-file.js';
import { readJsonLines } from '../json-lines.js';
import { OUTPUT_KINDS, type OutputFolder } from '../output-set.js';
import { COMPOSITION_KINDS, COMPOSITION_MAKING } from './compositions.js';
import { EXPECTATIONS, valueMapping } from './mutants.js';
import { zip } from '../../present.js';

/** Name in a folder of records that were made of a data set's: of `augment`, `attack prepare` and `compose`. */
export const PROVENANCE_FILE = 'provenance.jsonl';

const { origin, e1, e2 } = candidateDecisionSchema.shape;

/** Fields of every line. */
const RECORD = {
  /** Position among the records: in `examples.json`, or in the `dev.json` of prepared inputs. */
  index: z.int().min(0),
  /** Id of the example in the input, "dev:17". */
  source: z.string().min(1),
  db_id: z.string().min(1),
  original_db_id: z.string().min(1),
} as const;

/** A column that was renamed, or that another one was added because of, under its new name or that of the one added. */
const recordedChange = z.looseObject({
  table: z.string(),
  column: z.string(),
  /** In a mixed variant: which of the two; in others it is the variant's kind. */
  kind: z.enum(['RPL', 'ADD']).exactOptional(),
  candidate: z.string(),
  identifier: z.string(),
  source: z.string(),
  reason: z.string(),
  origin,
  e1,
  e2,
});

/** A change as recorded in `provenance.jsonl`. */
export type RecordedChange = Readonly<z.infer<typeof recordedChange>>;

const span = { start: z.int().min(0), end: z.int().min(0) } as const;
const edits = z.array(z.object({ ...span, before: z.string(), after: z.string() }).readonly()).readonly();
const unsure = z.array(z.object({ ...span, text: z.string() }).readonly()).readonly();

const perturbedLine = z.looseObject({
  ...RECORD,
  kind: z.enum(OUTPUT_KINDS),
  /** Of a mutant: its own. */
  id: z.string().min(1).exactOptional(),
  /** True if none of the perturbed columns is mentioned; absent of a composed set's originals. */
  unmentioned: z.boolean().exactOptional(),
  changes: z.array(recordedChange).readonly(),
  /** Edits of the gold query by position in the original. */
  edits,
  /** Texts about the schema with mentions of renamed columns, by field: what changed and what was left; else absent. */
  texts: z
    .array(z.object({ field: z.string(), edits, unsure }).readonly())
    .readonly()
    .exactOptional(),
  /** Of a mutant: how it was made, and what became of values. */
  relations: z.array(z.string()).readonly().exactOptional(),
  level: z.string().exactOptional(),
  details: z.array(z.string()).readonly().exactOptional(),
  expectation: z.enum(EXPECTATIONS).exactOptional(),
  mapping: z.array(valueMapping).readonly().nullable().exactOptional(),
});

/** The line of an original, and of a record that was made by RPL, ADD or as a mutant. */
export type PerturbedLine = Readonly<z.infer<typeof perturbedLine>>;

const composedLine = z.looseObject({ ...RECORD, kind: z.enum(COMPOSITION_KINDS), ...COMPOSITION_MAKING });
const provenanceLine = z.discriminatedUnion('kind', [perturbedLine, composedLine]);

/** The origin of a record, its maker, and the reason: one line of `provenance.jsonl`. */
export type ProvenanceLine = Readonly<z.infer<typeof provenanceLine>>;

/** Writes `provenance.jsonl`. */
export function writeProvenance(folder: OutputFolder, lines: Iterable<ProvenanceLine>): void {
  folder.write(PROVENANCE_FILE, renderJsonLines(lines));
}

function* readLines<S extends z.ZodType>(folder: string, schema: S, fix: string): Generator<z.infer<S>> {
  const lines = readJsonLines(join(folder, PROVENANCE_FILE), schema, fix, (line) => `record ${line - 1}`);
  for (const { record } of lines) yield record;
}

/**
 * The lines of a run's `provenance.jsonl` one by one.
 * @throws InputFormatError with the given fix, naming the line and field that are wrong
 */
export function readProvenance(run: string, fix: string): Generator<ProvenanceLine> {
  return readLines(run, provenanceLine, fix);
}

/** A perturbed record of a run, with its gold query. */
export interface PerturbedRecord {
  readonly line: PerturbedLine;
  readonly query: string;
}

const exampleRecord = z.looseObject({ db_id: z.string(), query: z.string() });

/**
 * Reads perturbed records from their file, such as the `examples.json` of an `augment` run, and from the
 * `provenance.jsonl` next to it, which has a line for each.
 * @throws InputFormatError with the given fix, where a file is damaged or the two don't fit together
 */
export function readPerturbedRecords(file: string, fix: string): readonly PerturbedRecord[] {
  const examples = loadJsonArray(file, 'examples').map((json, i) =>
    checkRecord(exampleRecord, json, { file, id: `example ${i}` }, fix),
  );
  const lines = [...readLines(dirname(file), perturbedLine, fix)];
  if (lines.length !== examples.length) {
    throw new InputFormatError(
      `${formatCount(lines.length)} lines, but ${basename(file)} has ${formatCount(examples.length)} records`,
      {
        where: { file: join(dirname(file), PROVENANCE_FILE) },
        fix,
      },
    );
  }
  return zip(lines, examples).map(([line, { query }]) => ({ line, query }));
}
