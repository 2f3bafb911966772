import { fileWithin } from '../../regular-file.js';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadText, parseJson, type RecordPlace } from '../../formats/json-file.js';
import { renderJsonArray } from '../../formats/json-output.js';
import { writeDurably } from '../../run/durable-file.js';
import { type AnnotationItem, ANSWER_STATES, type AnswerState, type Role, type StoredAnswer } from '../annotation.js';
import type { ItemRecord } from '../project/item-record.js';
import { ARGILLA_QUESTIONS, argillaDataset, argillaSettings } from './argilla-settings.js';
import { parseCarried } from './carried-json.js';
import type { ExchangeFormat } from './exchange-format.js';
import { carryRecord, type ExchangeSet, inListOrder, joinRecord, peopleOf, rolesOf } from './exchange-set.js';
import { describeItem } from './item-texts.js';
import { carriedSchema, revisionSchema, timeSchema } from './record-schema.js';
import { UNDATED } from './undated.js';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const UNESCAPES: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };

/** Names one per line; a line end within a name is written as `\n`. */
function joinLines(names: readonly string[]): string {
  return names.map((name) => name.replace(/[\\\n\r]/gu, (character) => ESCAPES[character] ?? character)).join('\n');
}

/** The names of the lines, trimmed; empty lines are skipped. */
function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/u).flatMap((line) => {
    const name = line.trim().replace(/\\([\\nr])/gu, (_, character: string) => UNESCAPES[character] ?? character);
    return name === '' ? [] : [name];
  });
}

const RECORDS = 'records.json';
const FIX =
  'Name the folder that perturbql wrote, Argilla’s records.json, or what records.to_datasets().to_json() wrote.';

const { accepted, written, comment, flagged } = ARGILLA_QUESTIONS;

const STATUS = { draft: 'draft', done: 'submitted', skipped: 'discarded' } as const satisfies Record<
  AnswerState,
  string
>;
const STATES: Readonly<Record<string, AnswerState>> = { draft: 'draft', submitted: 'done', discarded: 'skipped' };

/** Who a user is, and what was exported of the answer. */
const originSchema = z.strictObject({
  user: z.string(),
  annotator: z.string().min(1),
  revision: revisionSchema,
  savedAt: timeSchema,
  state: z.enum(ANSWER_STATES),
});
type Origin = z.infer<typeof originSchema>;

const metadataSchema = z.strictObject({
  record: carriedSchema,
  answers: z.array(originSchema),
  adjudication: originSchema.nullable(),
});

const valueSchema = z.union([z.string(), z.array(z.string())]);
const responseSchema = z.looseObject({ value: valueSchema, user_id: z.string(), status: z.string().nullish() });
const suggestionSchema = z.looseObject({ value: valueSchema });

const recordSchema = z.looseObject({
  metadata: z.looseObject({ perturbql: z.string() }),
  responses: z.record(z.string(), z.array(responseSchema)).default({}),
  suggestions: z.record(z.string(), suggestionSchema).default({}),
});
type ArgillaRecord = z.infer<typeof recordSchema>;

/** Argilla's users have UUIDs: a name's is made of its hash, so that it is the same in every export. RFC 9562 §5.8 */
export function argillaUser(name: string): string {
  const hex = createHash('sha256').update(`perturbql annotator ${name}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** Returns the values of an answer by question; `flagged` is always there, so that every answer has a response. */
function valuesOf(answer: StoredAnswer, item: AnnotationItem): Record<string, string | string[]> {
  const listed = item.candidates.map(({ name }) => name);
  const numbers = answer.accepted.map((name) => String(listed.indexOf(name) + 1));
  return {
    ...(numbers.length === 0 ? {} : { [accepted]: numbers }),
    ...(answer.written.length === 0 ? {} : { [written]: joinLines(answer.written) }),
    ...(answer.comment === '' ? {} : { [comment]: answer.comment }),
    [flagged]: answer.flagged ? 'yes' : 'no',
  };
}

function originOf({ annotator, revision, savedAt, state }: StoredAnswer): Origin {
  return { user: argillaUser(annotator), annotator, revision, savedAt, state };
}

function responsesOf(standing: readonly StoredAnswer[], item: AnnotationItem): Record<string, unknown[]> {
  const responses: Record<string, unknown[]> = {};
  for (const answer of standing) {
    for (const [question, value] of Object.entries(valuesOf(answer, item))) {
      const given = { value, user_id: argillaUser(answer.annotator), status: STATUS[answer.state] };
      (responses[question] ??= []).push(given);
    }
  }
  return responses;
}

/** A reviewer's decision is what Argilla suggests: it belongs to no annotator. */
function suggestionsOf(adjudication: StoredAnswer | null, item: AnnotationItem): Record<string, unknown> {
  if (adjudication === null) return {};
  const values = Object.entries(valuesOf(adjudication, item));
  return Object.fromEntries(
    values.map(([question, value]) => [question, { value, score: null, agent: adjudication.annotator }]),
  );
}

function listCandidates({ candidates }: AnnotationItem): string {
  return candidates.map(({ name }, i) => `${i + 1}. ${name}`).join('\n');
}

function argillaRecordOf(record: ItemRecord, roles: ReadonlyMap<string, Role>): unknown {
  const { item } = record;
  const { standing, adjudication, carried } = carryRecord(record, roles);
  const { column, table, rows, questions } = describeItem(record);
  const fields = {
    column,
    table,
    candidates: listCandidates(item) || '(none)',
    rows,
    questions: questions || '(none)',
  };
  const perturbql = {
    record: carried,
    answers: standing.map(originOf),
    adjudication: adjudication === null ? null : originOf(adjudication),
  };
  return {
    id: item.id,
    fields,
    // Metadata are terms and numbers, so the rest is one text.
    metadata: { kind: item.kind, db_id: item.dbId, perturbql: JSON.stringify(perturbql) },
    suggestions: suggestionsOf(adjudication, item),
    responses: responsesOf(standing, item),
    vectors: {},
  };
}

function writeSet({ name, people, records }: ExchangeSet, folder: string): void {
  const roles = rolesOf(people);
  let most = 0;
  const rendered = function* (): Generator<unknown> {
    for (const record of records) {
      most = Math.max(most, record.item.candidates.length);
      yield argillaRecordOf(record, roles);
    }
  };
  writeDurably(join(folder, RECORDS), renderJsonArray(rendered()));
  writeDurably(join(folder, 'settings.json'), `${JSON.stringify(argillaSettings(most), null, 2)}\n`);
  writeDurably(join(folder, 'dataset.json'), `${JSON.stringify(argillaDataset(name))}\n`);
}

/** One user's responses to a record, by question. */
interface UserResponses {
  readonly values: Record<string, string | string[]>;
  status: string | null;
}

function byUser({ responses }: ArgillaRecord): ReadonlyMap<string, UserResponses> {
  const users = new Map<string, UserResponses>();
  for (const [question, given] of Object.entries(responses)) {
    for (const { value, user_id, status } of given) {
      const user = users.get(user_id) ?? { values: {}, status: null };
      users.set(user_id, user);
      user.values[question] = value;
      user.status ??= status ?? null;
    }
  }
  return users;
}

function textOf(value: string | string[] | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : value.join('\n');
}

function acceptedNames(value: string | string[] | undefined, item: AnnotationItem, place: RecordPlace): string[] {
  const numbers = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  return numbers.map((number) => {
    const candidate = item.candidates[Number(number) - 1];
    if (candidate !== undefined) return candidate.name;
    throw new InputFormatError(`the list has no candidate number ${number}`, { where: place, fix: FIX });
  });
}

function answerOf(
  values: UserResponses['values'],
  origin: Omit<Origin, 'user'>,
  item: AnnotationItem,
  place: RecordPlace,
): StoredAnswer {
  const { annotator, revision, savedAt, state } = origin;
  return {
    itemId: item.id,
    annotator,
    revision,
    savedAt,
    state,
    accepted: inListOrder(acceptedNames(values[accepted], item, place), item),
    written: splitLines(textOf(values[written])),
    comment: textOf(values[comment]),
    flagged: textOf(values[flagged]) === 'yes',
  };
}

/** Whose response it is: a user of the export, or one of Argilla, whose id is all that is known. */
function originFor(user: string, status: string | null, known: readonly Origin[]): Omit<Origin, 'user'> {
  const origin = known.find((one) => one.user === user);
  // Argilla's own records.json leaves the status out.
  const state = STATES[status ?? ''] ?? origin?.state ?? 'done';
  return { ...(origin ?? { annotator: user, revision: 1, savedAt: UNDATED }), state };
}

function recordOf(json: unknown, place: RecordPlace, roles: Map<string, Role>): ItemRecord {
  const given = checkRecord(recordSchema, unflattened(json), place, FIX);
  const carried = parseCarried(given.metadata.perturbql, place);
  const { record, answers, adjudication } = checkRecord(metadataSchema, carried, place, FIX);
  const at = { file: place.file, id: record.item.id };
  const standing = [...byUser(given)].map(([user, { values, status }]) =>
    answerOf(values, originFor(user, status, answers), record.item, at),
  );
  for (const { name, role } of record.people) roles.set(name, role);
  for (const { annotator } of standing) if (!roles.has(annotator)) roles.set(annotator, 'annotator');
  const suggested = Object.fromEntries(Object.entries(given.suggestions).map(([name, { value }]) => [name, value]));
  const decided = adjudication === null ? [] : [answerOf(suggested, adjudication, record.item, at)];
  return joinRecord(record, standing, decided);
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** A record of a Hugging Face dataset, whose columns are `accepted.responses`, `accepted.responses.users` and so on. */
function unflattened(json: unknown): unknown {
  if (!isObject(json) || 'metadata' in json) return json;
  const list = (key: string): unknown[] => (Array.isArray(json[key]) ? json[key] : []);
  const questions = Object.values(ARGILLA_QUESTIONS);
  const responses = questions.map((question) => {
    const users = list(`${question}.responses.users`);
    const statuses = list(`${question}.responses.status`);
    const values = list(`${question}.responses`);
    return [question, values.map((value, i) => ({ value, user_id: users[i], status: statuses[i] }))] as const;
  });
  const suggestions = questions.flatMap((question) => {
    const value = json[`${question}.suggestion`];
    return value === undefined || value === null ? [] : [[question, { value }] as const];
  });
  return {
    metadata: { perturbql: json['perturbql'] },
    responses: Object.fromEntries(responses),
    suggestions: Object.fromEntries(suggestions),
  };
}

/** Records of a JSON array, or of JSON Lines, each with its place. */
function parseRecords(text: string, file: string): readonly { readonly json: unknown; readonly place: RecordPlace }[] {
  if (/^\s*\[/u.test(text)) {
    const json = parseJson(text, file) as unknown[];
    return json.map((record, i) => ({ json: record, place: { file, id: `record ${i + 1}` } }));
  }
  return text.split('\n').flatMap((line, i) => {
    const place = { file, line: i + 1, id: 'record' };
    return line.trim() === '' ? [] : [{ json: parseJson(line, file, i + 1), place }];
  });
}

function readSet(path: string): ExchangeSet {
  const file = fileWithin(path, RECORDS);
  const roles = new Map<string, Role>();
  const records = parseRecords(loadText(file), file).map(({ json, place }) => recordOf(json, place, roles));
  return { name: 'annotation', people: peopleOf(roles), notes: {}, records };
}

/**
 * Argilla: a dataset as `rg.Dataset.from_disk` reads it, with its settings; a record per item, an annotator's answer as
 * responses, a reviewer's as suggestions. Read back also as the Hugging Face dataset that Argilla makes of its records.
 * https://docs.argilla.io/latest/how_to_guides/import_export/
 */
export const ARGILLA_FORMAT: ExchangeFormat = {
  out: 'folder',
  oneKind: false,
  holdsSplits: false,
  write: writeSet,
  read: (path) => readSet(path),
};
