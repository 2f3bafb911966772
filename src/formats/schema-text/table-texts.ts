import { present } from '../../present.js';
import type { Dataset } from '../dataset.js';
import { isOriginal, type OutputSchema } from '../output-set.js';
import { RenameFollower } from './follow-renames.js';
import { TABLE_TEXTS } from './text-fields.js';

/** Every text of a value changed; one in a pair such as `[table, text]` describes a column of that table. */
function followAll(value: unknown, follower: RenameFollower, table?: number): unknown {
  if (typeof value === 'string') return follower.follow(value, table === undefined ? {} : { table }).text;
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    const own = typeof first === 'number' && first >= 0 ? first : table;
    return value.map((item) => followAll(item, follower, own));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, followAll(item, follower, table)]));
}

/** A perturbed schema's record of `tables.json` with the texts about the schema (`TABLE_TEXTS`) changed as its columns are renamed. */
export function followTableTexts(input: Dataset, output: OutputSchema, record: unknown): unknown {
  const fields = TABLE_TEXTS.filter((field) => Object.hasOwn(record as object, field));
  if (isOriginal(output) || fields.length === 0) return record;
  const database = present(input.databases.get(output.origin), 'input.databases.get(output.origin)');
  const follower = new RenameFollower(database, output, input.dialect);
  const texts = fields.map(
    (field) => [field, followAll((record as Record<string, unknown>)[field], follower)] as const,
  );
  return { ...(record as object), ...Object.fromEntries(texts) };
}
