import type { DatasetExample } from '../../../formats/dataset.js';
import { isNoQuery } from '../../../formats/no-answer.js';

/** Fields by which data sets mark questions that no query answers, with the value that says so. */
const MARKS: readonly (readonly [field: string, value: boolean])[] = [
  ['is_impossible', true],
  ['unanswerable', true],
  ['is_unanswerable', true],
  ['answerable', false],
  ['is_answerable', false],
];

/** Checks whether a data set says that an example's question has no query: by a mark, or by a gold query such as `null`. */
export function isUnanswerable({ query, record }: DatasetExample): boolean {
  if (isNoQuery(query)) return true;
  if (typeof record !== 'object' || record === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...record };
  return MARKS.some(([field, value]) => fields[field] === value || fields[field] === Number(value));
}

/** A note on the examples that are not audited as no query answers them; none where there are none. */
export function unanswerableNotes(examples: readonly DatasetExample[]): readonly string[] {
  const count = examples.filter(isUnanswerable).length;
  if (count === 0) return [];
  const which = count === 1 ? '1 example has no query to audit' : `${count} examples have no query to audit`;
  return [`${which}: marked as unanswerable, or with a gold such as null`];
}
