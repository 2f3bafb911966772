import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What is wrong with a value of a given shape, in words. */
export interface ShapeFault {
  /** The field, as `sql.where.0`; empty where it is the whole value. */
  readonly field: string;
  /** "is missing", "is wrong: text is expected, not a number" */
  readonly fault: string;
}

/** Values by the names that zod has for them. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** What a value that is not at hand was, as zod's own message has it; null where it says nothing of it. */
function receivedKind({ message }: Issue): string | null {
  const received = /, received (\w+)$/.exec(message)?.[1];
  return received === undefined ? null : (KINDS[received] ?? received);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (Number.isInteger(value)) return 'a whole number';
  return KINDS[typeof value] ?? typeof value;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Readonly<Record<PropertyKey, unknown>>)[key] : undefined,
    value,
  );
}

function listed(parts: readonly string[]): string {
  const unique = [...new Set(parts)];
  const last = unique.pop() ?? '';
  return unique.length === 0 ? last : `${unique.join(', ')} or ${last}`;
}

/** The forms that an issue expects; null where it isn't about these. */
function expectedOf(issue: Issue): readonly string[] | null {
  if (issue.code === 'invalid_type') return [KINDS[issue.expected] ?? issue.expected];
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value) ?? String(value));
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return null;
  const parts = issue.errors.map(([first]) =>
    first === undefined || first.path.length > 0 ? null : (expectedOf(first) ?? (isEmptyText(first) ? ['text'] : null)),
  );
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

function isEmptyText(issue: Issue): boolean {
  return issue.code === 'too_small' && issue.origin === 'string';
}

/** A bound of zod in words; texts and lists have a length. */
function boundOf(origin: string, word: string, bound: number | bigint): string {
  if (origin === 'array') return `${word} ${bound} ${bound === 1 ? 'item is' : 'items are'} expected`;
  return `${origin === 'string' ? `text ${word} ${bound} characters` : `a number ${word} ${bound}`} is expected`;
}

/** A format of a text in words; a pattern is shown as it is. */
function formOf(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  const { pattern } = issue as { readonly pattern?: unknown };
  if (issue.format === 'regex' && typeof pattern === 'string') return `text of the pattern ${pattern} is expected`;
  return `text of the form "${issue.format}" is expected`;
}

function complaintOf(issue: Issue, value: unknown, kind: string | null): string {
  // A schema's own words stay.
  if (!/^(?:Invalid|Too (?:small|big)|Unrecognized)/.test(issue.message)) return issue.message;
  if (isEmptyText(issue) && value === '') return 'it is empty';
  if (issue.code === 'too_small') {
    const word = issue.inclusive === false ? 'above' : 'of at least';
    return boundOf(issue.origin, issue.origin === 'array' ? 'at least' : word, issue.minimum);
  }
  if (issue.code === 'too_big') {
    const word = issue.inclusive === false ? 'below' : 'of at most';
    return boundOf(issue.origin, issue.origin === 'array' ? 'at most' : word, issue.maximum);
  }
  if (issue.code === 'unrecognized_keys') return `there is no field ${listed(issue.keys.map((key) => `"${key}"`))}`;
  if (issue.code === 'invalid_format') return formOf(issue);
  const expected = expectedOf(issue);
  if (expected === null) return 'it has none of the expected forms';
  const isValue = issue.code === 'invalid_value' && ['string', 'number', 'boolean'].includes(typeof value);
  const actual = isValue ? JSON.stringify(value) : kind;
  return `${listed(expected)} is expected${actual === null ? '' : `, not ${actual}`}`;
}

/** The issue of a union's member that comes closest: the one of the deepest place. */
function closest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || expectedOf(issue) !== null) return issue;
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [closest(first)]));
  const [deepest] = inner.toSorted((a, b) => b.path.length - a.path.length);
  return deepest === undefined || deepest.path.length === 0
    ? issue
    : { ...deepest, path: [...issue.path, ...deepest.path] };
}

/** Says in words what the first issue with a value is. */
export function shapeFault({ issues: [first] }: z.core.$ZodError, value: unknown): ShapeFault {
  if (first === undefined) return { field: '', fault: 'is wrong' };
  const issue = closest(first);
  const own = valueAt(value, issue.path);
  const isMissing = own === undefined && issue.path.length > 0 && issue.code !== 'custom';
  return faultOf(issue, isMissing, complaintOf(issue, own, kindOf(own)));
}

/** As `shapeFault`, where only the error is at hand and no longer the value. */
export function toldShapeFault({ issues: [first] }: z.core.$ZodError): ShapeFault {
  if (first === undefined) return { field: '', fault: 'is wrong' };
  const issue = closest(first);
  const kind = receivedKind(issue);
  return faultOf(issue, kind === 'undefined' && issue.path.length > 0, complaintOf(issue, undefined, kind));
}

function faultOf({ path }: Issue, isMissing: boolean, complaint: string): ShapeFault {
  return { field: path.map(String).join('.'), fault: isMissing ? 'is missing' : `is wrong: ${complaint}` };
}

/** A fault as the sentence of a message; `whole` is the subject where no field is at fault: "the body". */
export function faultSentence({ field, fault }: ShapeFault, whole: string): string {
  return `${field === '' ? whole : `field "${field}"`} ${fault}`;
}
