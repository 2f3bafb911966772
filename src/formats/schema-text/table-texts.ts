import { databaseOf, type Dataset } from '../dataset.js';
import { hasOtherTables, isOriginal, type OutputSchema } from '../output-set.js';
import { type FollowedText, RenameFollower } from './follow-renames.js';
import { TABLE_TEXTS, type TextChange } from './schema-texts.js';

/** Visits each text of a value: its place, and the text after the changes. */
type Visit = (path: string, text: FollowedText) => string;

/** Every text of a value changed; one in a pair such as `[table, text]` describes a column of that table. */
class TextFollower {
  readonly #follower: RenameFollower;
  readonly #visit: Visit;

  constructor(follower: RenameFollower, visit: Visit) {
    this.#follower = follower;
    this.#visit = visit;
  }

  follow(value: unknown, path: string, table?: number): unknown {
    if (typeof value === 'string') {
      return this.#visit(path, this.#follower.follow(value, table === undefined ? {} : { table }));
    }
    if (Array.isArray(value)) {
      const [first] = value as readonly unknown[];
      const own = typeof first === 'number' && first >= 0 ? first : table;
      return value.map((item, i) => this.follow(item, `${path}[${i}]`, own));
    }
    if (typeof value !== 'object' || value === null) return value;
    const items = Object.entries(value).map(([name, item]) => [name, this.follow(item, `${path}.${name}`, table)]);
    return Object.fromEntries(items) as unknown;
  }
}

function followFields(
  input: Dataset,
  output: OutputSchema,
  record: object,
  visit: Visit,
): Readonly<Record<string, unknown>> {
  const fields = TABLE_TEXTS.filter((field) => Object.hasOwn(record, field));
  if (isOriginal(output) || hasOtherTables(output) || fields.length === 0) return {};
  const database = databaseOf(input, output.origin);
  const follower = new TextFollower(new RenameFollower(database, output, input.dialect), visit);
  const texts = fields.map(
    (field) => [field, follower.follow((record as Record<string, unknown>)[field], field)] as const,
  );
  return Object.fromEntries(texts);
}

/**
 * A perturbed schema's record of `tables.json` with the texts about the schema (`TABLE_TEXTS`) changed as its columns
 * are renamed.
 */
export function followTableTexts(input: Dataset, output: OutputSchema, record: unknown): unknown {
  const texts = followFields(input, output, record as object, (_, { text }) => text);
  return Object.keys(texts).length === 0 ? record : { ...(record as object), ...texts };
}

/**
 * Returns the changes to the texts about a perturbed schema in its original's record of `tables.json`; `field` is the
 * text's place there: "tables.column_descriptions[5][1]".
 */
export function tableTextChanges(input: Dataset, output: OutputSchema): readonly TextChange[] {
  const record = input.spiderTables?.get(output.origin);
  const changes: TextChange[] = [];
  if (record === undefined) return changes;
  followFields(input, output, record as object, (path, { text, edits, unsure }) => {
    if (edits.length > 0 || unsure.length > 0) changes.push({ field: `tables.${path}`, edits, unsure });
    return text;
  });
  return changes;
}
