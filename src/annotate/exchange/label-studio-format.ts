import { fileWithin } from '../../regular-file.js';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadText, parseJson, type RecordPlace, renderJsonArray } from '../../formats/json-file.js';
import { writeDurably } from '../../run/durable-file.js';
import type { AnnotationItem, Role, StoredAnswer } from '../annotation.js';
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
import { CONTROLS, FLAG, QUESTIONS, renderLabelStudioConfig } from './label-studio-config.js';

const TASKS = 'tasks.json';
const CONFIG = 'config.xml';
const FIX = 'Name the folder that perturbql wrote, or what Label Studio exports as JSON (not JSON-MIN).';

/** The origin that an exported answer keeps inside its results: Label Studio knows other people and other times. */
const originSchema = z.strictObject({
  annotator: z.string().min(1),
  revision: revisionSchema,
  adjudication: z.boolean(),
});
type Origin = z.infer<typeof originSchema>;

const resultSchema = z.looseObject({
  from_name: z.string(),
  value: z.looseObject({ choices: z.array(z.string()).optional(), text: z.array(z.string()).optional() }),
});
type Result = z.infer<typeof resultSchema>;

/** Whoever completed an annotation: an id, an account with its address, or nobody. */
const accountSchema = z.union([z.string(), z.int(), z.looseObject({ email: z.string() })]).nullish();

const annotationSchema = z.looseObject({
  result: z.array(resultSchema),
  completed_by: accountSchema,
  user: accountSchema,
  was_cancelled: z.boolean().optional(),
  ground_truth: z.boolean().optional(),
  updated_at: timeSchema.optional(),
});
type LabelStudioAnnotation = z.infer<typeof annotationSchema>;

const taskSchema = z.looseObject({
  meta: z.looseObject({ perturbql: carriedSchema }),
  annotations: z.array(annotationSchema).default([]),
  drafts: z.array(annotationSchema).default([]),
});

function resultsOf(answer: StoredAnswer, adjudication: boolean): unknown[] {
  const { annotator, revision, accepted, written, comment, flagged } = answer;
  const result = (from: string, type: 'choices' | 'textarea', values: readonly string[]): unknown[] => {
    const value = type === 'choices' ? { choices: values } : { text: values };
    return values.length === 0 ? [] : [{ id: from, from_name: from, to_name: CONTROLS.target, type, value }];
  };
  const origin: Origin = { annotator, revision, adjudication };
  return [
    ...result(CONTROLS.accepted, 'choices', accepted),
    ...result(CONTROLS.written, 'textarea', written),
    ...result(CONTROLS.comment, 'textarea', comment === '' ? [] : [comment]),
    ...result(CONTROLS.flagged, 'choices', flagged ? [FLAG] : []),
    ...result(CONTROLS.origin, 'textarea', [JSON.stringify(origin)]),
  ];
}

function annotationOf(answer: StoredAnswer, adjudication: boolean): unknown {
  const { savedAt, state } = answer;
  const result = resultsOf(answer, adjudication);
  const times = { created_at: savedAt, updated_at: savedAt };
  if (state === 'draft') return { result, ...times };
  return { result, was_cancelled: state === 'skipped', ground_truth: adjudication, ...times };
}

function taskOf(record: ItemRecord, roles: ReadonlyMap<string, Role>): unknown {
  const { item } = record;
  const { standing, adjudication, carried } = carryRecord(record, roles);
  const all = [
    ...standing.map((answer) => ({ answer, isDecision: false })),
    ...(adjudication === null ? [] : [{ answer: adjudication, isDecision: true }]),
  ];
  const made = (drafts: boolean): unknown[] =>
    all
      .filter(({ answer: { state } }) => (state === 'draft') === drafts)
      .map(({ answer, isDecision }) => annotationOf(answer, isDecision));
  return {
    data: {
      ...describeItem(record),
      item: item.id,
      kind: item.kind,
      instruction: QUESTIONS[item.kind === 'ADD' ? 'ADD' : 'RPL'],
      candidates: item.candidates.map(({ name }) => ({ value: name })),
    },
    meta: { perturbql: carried },
    annotations: made(false),
    drafts: made(true),
  };
}

function writeSet({ name, people, records }: ExchangeSet, folder: string): void {
  const roles = rolesOf(people);
  const tasks = function* (): Generator<unknown> {
    for (const record of records) yield taskOf(record, roles);
  };
  writeDurably(join(folder, TASKS), renderJsonArray(tasks()));
  writeDurably(join(folder, CONFIG), renderLabelStudioConfig(name));
}

function valuesOf(results: readonly Result[], control: string): readonly string[] {
  return results
    .filter(({ from_name }) => from_name === control)
    .flatMap(({ value: { choices, text } }) => [...(choices ?? []), ...(text ?? [])]);
}

/** Who an annotation made in Label Studio is by. */
function accountName({ completed_by, user }: LabelStudioAnnotation): string {
  const account = completed_by ?? user;
  if (account === null || account === undefined) return 'label-studio';
  return typeof account === 'object' ? account.email : String(account);
}

/** Whose answer it is: of an exported one as it says itself, else of the account that made it. */
function originOf(annotation: LabelStudioAnnotation, place: RecordPlace): Origin {
  const [carried] = valuesOf(annotation.result, CONTROLS.origin);
  if (carried !== undefined) return checkRecord(originSchema, parseCarried(carried, place), place, FIX);
  return { annotator: accountName(annotation), revision: 1, adjudication: annotation.ground_truth === true };
}

/** An answer as Label Studio has it, and whether it is a reviewer's decision. */
function answerOf(annotation: LabelStudioAnnotation, item: AnnotationItem, isDraft: boolean, place: RecordPlace) {
  const { result, was_cancelled, updated_at } = annotation;
  const { annotator, revision, adjudication } = originOf(annotation, place);
  const answer: StoredAnswer = {
    itemId: item.id,
    annotator,
    revision,
    savedAt: updated_at ?? UNDATED,
    state: isDraft ? 'draft' : was_cancelled === true ? 'skipped' : 'done',
    accepted: inListOrder(valuesOf(result, CONTROLS.accepted), item),
    written: valuesOf(result, CONTROLS.written),
    comment: valuesOf(result, CONTROLS.comment).join('\n'),
    flagged: valuesOf(result, CONTROLS.flagged).length > 0,
  };
  return { answer, isDecision: adjudication };
}

function recordOf(json: unknown, place: RecordPlace, roles: Map<string, Role>): ItemRecord {
  const task = checkRecord(taskSchema, json, place, FIX);
  const carried = task.meta.perturbql;
  const at = { file: place.file, id: carried.item.id };
  const read = [
    ...task.annotations.map((annotation) => answerOf(annotation, carried.item, false, at)),
    ...task.drafts.map((draft) => answerOf(draft, carried.item, true, at)),
  ];
  for (const { name, role } of carried.people) roles.set(name, role);
  for (const { answer, isDecision } of read) {
    if (!roles.has(answer.annotator)) roles.set(answer.annotator, isDecision ? 'reviewer' : 'annotator');
  }
  const made = (decisions: boolean): readonly StoredAnswer[] =>
    read.filter(({ isDecision }) => isDecision === decisions).map(({ answer }) => answer);
  return joinRecord(carried, made(false), made(true));
}

function readSet(path: string): ExchangeSet {
  const file = fileWithin(path, TASKS);
  const json = parseJson(loadText(file), file);
  if (!Array.isArray(json))
    throw new InputFormatError('a JSON array of tasks is expected', { where: { file }, fix: FIX });
  const roles = new Map<string, Role>();
  const records = json.map((task, i) => recordOf(task, { file, id: `task ${i + 1}` }, roles));
  return { name: 'annotation', people: peopleOf(roles), notes: {}, records };
}

/**
 * Label Studio: tasks with their annotations, and the labelling configuration for them. Answers are annotations, drafts
 * are drafts, skipped ones are cancelled, a reviewer's is the ground truth.
 * https://labelstud.io/guide/task_format
 */
export const LABEL_STUDIO_FORMAT: ExchangeFormat = {
  out: 'folder',
  oneKind: false,
  holdsSplits: false,
  write: writeSet,
  read: (path) => readSet(path),
};
