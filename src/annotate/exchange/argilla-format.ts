import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { fileWithin } from '../../regular-file.js';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadText, parseJson, type RecordPlace, renderJsonArray } from '../../formats/json-file.js';
import { writeDurably } from '../../run/durable-file.js';
import { type AnnotationItem, ANSWER_STATES, type AnswerState, type Role, type StoredAnswer } from '../annotation.js';
import type { ItemRecord } from '../project/item-store.js';
import { carriedSchema, parseCarried, revisionSchema, timeSchema } from './record-schema.js';
import {
  carryRecord,
  describeItem,
  type ExchangeFormat,
  type ExchangeSet,
  inListOrder,
  joinRecord,
  peopleOf,
  rolesOf,
  UNDATED,
} from './exchange-set.js';
import { QUESTIONS } from './label-studio-config.js';

/** Names of the questions of a dataset. */
export const ARGILLA_QUESTIONS = {
  accepted: 'accepted',
  written: 'written',
  comment: 'comment',
  flagged: 'flagged',
} as const;

/** Fewest options of a question with labels. */
const FEWEST_LABELS = 2;
/** Fewest that Argilla shows before the rest is folded away. */
const FEWEST_VISIBLE = 3;

/** A property as Argilla's own serializer writes it; ids and times come from its server. */
function property(name: string, title: string, settings: Record<string, unknown>, required: boolean): unknown {
  return { id: null, inserted_at: null, updated_at: null, name, title, required, settings, dataset_id: null };
}

function field(name: string, title: string): unknown {
  return property(name, title, { type: 'text', use_markdown: false }, true);
}

function question(name: string, title: string, settings: Record<string, unknown>, required = false): unknown {
  return { ...(property(name, title, settings, required) as object), description: null };
}

function labels(values: readonly string[]): Record<string, unknown> {
  return {
    options: values.map((value) => ({ value, text: value, description: null })),
    visible_options: values.length < FEWEST_VISIBLE ? null : values.length,
  };
}

function term(name: string, title: string): unknown {
  const settings = { type: 'terms', visible_for_annotators: true, values: null };
  return { ...(property(name, title, settings, false) as object), type: 'terms', visible_for_annotators: true };
}

/** Labels of a list's candidates: a dataset's labels are the same for all records, so they are numbers of the list. */
function candidateLabels(most: number): readonly string[] {
  return Array.from({ length: Math.max(most, FEWEST_LABELS) }, (_, i) => String(i + 1));
}

/**
 * The settings of the dataset, what `rg.Settings.from_json` reads; `most` is the longest list's length.
 * https://docs.argilla.io/latest/reference/argilla/settings/settings/
 */
export function argillaSettings(most: number): unknown {
  const { accepted, written, comment, flagged } = ARGILLA_QUESTIONS;
  const numbers = { type: 'multi_label_selection', ...labels(candidateLabels(most)), options_order: 'natural' };
  const text = { type: 'text', use_markdown: false };
  return {
    guidelines: `RPL: ${QUESTIONS.RPL}\n\nADD: ${QUESTIONS.ADD}`,
    questions: [
      question(accepted, 'Numbers of the candidates that fit', numbers),
      question(written, 'Names of your own, one per line (RPL)', text),
      question(comment, 'Comment', text),
      question(flagged, 'For a reviewer?', { type: 'label_selection', ...labels(['no', 'yes']) }, true),
    ],
    fields: [
      field('column', 'Column'),
      field('table', 'Table'),
      field('candidates', 'Candidates'),
      field('rows', 'Rows'),
      field('questions', 'Questions'),
    ],
    vectors: [],
    metadata: [term('kind', 'Kind'), term('db_id', 'Database')],
    allow_extra_metadata: true,
    distribution: { strategy: 'overlap', min_submitted: 1 },
  };
}

/** Returns the file that `rg.Dataset.from_disk` reads next to settings and records. */
export function argillaDataset(name: string): unknown {
  return { name, status: 'draft', guidelines: null, allow_extra_metadata: true };
}

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
