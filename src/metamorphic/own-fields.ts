import type { DatasetExample } from '../formats/dataset.js';
import { idsIn } from '../formats/record-ids.js';

type AnyRecord = Readonly<Record<string, unknown>>;

/** Ids that a record has in its file, where the example is called otherwise. */
function ownIds({ id, record }: DatasetExample): AnyRecord {
  return Object.fromEntries(Object.entries(idsIn(record as object)).filter(([, value]) => String(value) !== id));
}

/**
 * A line of `mutants.jsonl` or `seeds.jsonl` with the fields of the data set's own behind its own; one of the same name
 * is there as `original_<name>`.
 */
export function withOwnFields<T extends object>(line: T, source: DatasetExample, fields: AnyRecord): T & AnyRecord {
  const own = Object.entries({ ...ownIds(source), ...fields }).map(([name, value]) => [
    Object.hasOwn(line, name) ? `original_${name}` : name,
    value,
  ]);
  return { ...line, ...(Object.fromEntries(own) as AnyRecord) };
}
