import type { SqlEdit } from '../../sql/edits.js';
import { databaseOf, type Dataset, type DatasetExample } from '../dataset.js';
import { hasOtherTables, isOriginal, type OutputSchema } from '../output-set.js';
import { type FollowedText, RenameFollower } from './follow-renames.js';
import { goldLinks, NO_LINKS } from './gold-links.js';
import type { DatasetFormat } from '../dataset-formats.js';

/** Field names for a text about the schema that goes with a question, in Spider's form and in question files. */
const COMMON = ['evidence', 'external_knowledge', 'knowledge', 'hint'] as const;

/** Fields of a format's question records that are texts about the schema: they follow a rename. */
const RECORD_TEXTS: Readonly<Partial<Record<DatasetFormat, readonly string[]>>> = {
  spider: COMMON,
  bird: ['evidence'],
  sqlite: COMMON,
  csv: COMMON,
  postgresql: COMMON,
  mysql: COMMON,
};

/** Fields of a record of `tables.json` that are texts about the schema, KaggleDBQA's for instance. */
export const TABLE_TEXTS = ['column_descriptions', 'table_descriptions'] as const;

/** The changes to one text of a record: offsets are into the original's field. */
export interface TextChange {
  readonly field: string;
  readonly edits: readonly SqlEdit[];
  /** Places that may name a renamed column, or name one that is gone, and were left. */
  readonly unsure: FollowedText['unsure'];
}

/** An example whose record's texts follow a rename. */
export interface FollowedExample {
  readonly example: DatasetExample;
  /** The texts with a mention, changed or unsure. */
  readonly texts: readonly TextChange[];
}

interface RecordText extends FollowedText {
  readonly field: string;
}

function followFields(input: Dataset, example: DatasetExample, output: OutputSchema): readonly RecordText[] {
  const record = example.record as Readonly<Record<string, unknown>>;
  const fields = (RECORD_TEXTS[input.format] ?? []).filter(
    (field) => typeof record[field] === 'string' && record[field] !== '',
  );
  if (isOriginal(output) || hasOtherTables(output) || fields.length === 0) return [];
  const database = databaseOf(input, example.dbId);
  const follower = new RenameFollower(database, output, input.dialect);
  if (!follower.hasRenames) return [];
  const links = example.query === '' ? NO_LINKS : goldLinks(example.query, database, input.dialect);
  return fields.map((field) => {
    return { field, ...follower.follow(record[field] as string, { links, question: example.question }) };
  });
}

/** The texts about the schema that an example's record has, by field. */
export function textsOf(
  { format }: Pick<Dataset, 'format'>,
  { record }: DatasetExample,
): Readonly<Record<string, string>> {
  const fields = Object.entries(record as object) as readonly (readonly [string, unknown])[];
  const own = new Set(RECORD_TEXTS[format]);
  return Object.fromEntries(
    fields.filter((entry): entry is [string, string] => own.has(entry[0]) && typeof entry[1] === 'string'),
  );
}

/**
 * An example with the texts about the schema in its record (`RECORD_TEXTS`) changed as the columns of a perturbed
 * schema are renamed; the example itself where none is concerned.
 * @throws SqlRewriteError when its query can't be resolved
 */
export function followTexts(input: Dataset, example: DatasetExample, output: OutputSchema): FollowedExample {
  const followed = followFields(input, example, output);
  const texts = followed
    .filter(({ edits, unsure }) => edits.length > 0 || unsure.length > 0)
    .map(({ field, edits, unsure }): TextChange => ({ field, edits, unsure }));
  if (texts.every(({ edits }) => edits.length === 0)) return { example, texts };
  const changed = Object.fromEntries(followed.map(({ field, text }) => [field, text]));
  return { example: { ...example, record: { ...(example.record as object), ...changed } }, texts };
}
