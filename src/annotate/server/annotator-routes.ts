import type { Context, Hono, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import {
  type AnnotationItem,
  type AnnotationKind,
  type CandidateScores,
  isLocked,
  type ItemContext,
  type NameCheck,
  type Person,
} from '../annotation.js';
import type { ItemPosition, Me, OpenedItem, QualificationRound } from '../api-shapes.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { MAX_ADD, MIN_ADD } from '../project/project-content.js';
import { ApiError, sendError } from '../../http/api-error.js';
import { type NameAids, type NameQuestion, spellingHint } from './name-aids.js';
import { readBody } from '../../http/request-checks.js';
import type { SignedIn } from './sign-in.js';
import { columnNameKey, spacedName } from '../../schema/name-identity.js';
import { answerSchema } from '../project/answer-schema.js';
import type { SaveOutcome } from '../project/answer-store.js';

/** The answer as stored; 409 with the current one where the save was stale: what it held is kept next to it. */
export function sendSaved(c: Context, outcome: SaveOutcome): Response {
  if (outcome.saved) return c.json(outcome.answer);
  const stale = new ApiError('stale', 'this answer was changed elsewhere in the meantime', {
    fix: 'Look at what is saved now, and save again what should.',
  });
  return sendError(c, stale, { current: outcome.current, kept: true });
}

/** More bytes than the longest answer takes: 200 names of 200 characters and a comment of 5,000, three bytes each. */
export const LARGEST_ANSWER = 256 * 1024;

const name = z.string().max(200);

/** Body of a save: an answer, and the revision that it was made from (0: none). */
export const savedAnswerBody = z.strictObject({ answer: answerSchema, baseRevision: z.int().nonnegative() });

/** Body of a name check. */
const checkedNameBody = z.strictObject({ name });

/** Body of a qualification round: names taken, by item. */
const qualificationBody = z.strictObject({ answers: z.record(z.string(), z.array(name)) });

function positionOf(project: AnnotationProject, id: string, person: string, chunk: number): ItemPosition {
  const ids = project.itemsOf(person, chunk).map((row) => row.id);
  const index = ids.indexOf(id);
  return { index, of: ids.length, next: ids[index + 1] ?? null, previous: ids[index - 1] ?? null };
}

/** Annotators only see items once they have passed a qualification round that the project requires. */
function requireQualified(project: AnnotationProject): MiddlewareHandler<SignedIn> {
  return async (c, next) => {
    if (isLocked(c.get('person'), project.settings.qualification))
      throw new ApiError('not-qualified', 'the qualification round comes first', {
        fix: 'Answer its items; you can take it again.',
      });
    await next();
  };
}

/** The chunk of an item. @throws ApiError where it is in none of the person's */
function requireChunk(project: AnnotationProject, id: string, person: Person): number {
  const chunk = project.chunkOf(id, person.name);
  if (chunk !== null) return chunk;
  throw new ApiError('forbidden', 'this column is in none of your chunks', { fix: 'Work on your own chunks.' });
}

/** Reviewers look at every item, annotators at theirs. */
function requireVisible(project: AnnotationProject, id: string, person: Person): void {
  if (person.role !== 'reviewer') requireChunk(project, id, person);
}

function addPersonRoutes(api: Hono<SignedIn>, project: AnnotationProject, guidelines: string): void {
  const { name, qualification } = project.settings;
  const { kindCounts } = project.summary();
  api.get('/me', (c) => {
    const person = c.get('person');
    const about = { id: project.id, name, kindCounts, minAdd: MIN_ADD, maxAdd: MAX_ADD, qualification };
    return c.json({ person, project: about, progress: project.progress(person.name) } satisfies Me);
  });
  api.get('/guidelines', (c) => c.json({ html: guidelines }));
  api.get('/qualification', (c) => {
    const items = project.qualificationItems().map(({ item, context }) => ({ item, context }));
    const { passMark } = qualification;
    return c.json({ items, passMark, lastScore: c.get('person').qualification } satisfies QualificationRound);
  });
  api.post('/qualification', async (c) => {
    const { answers } = await readBody(c, qualificationBody, LARGEST_ANSWER);
    return c.json(project.qualify(c.get('person').name, answers));
  });
}

function addChunkRoutes(api: Hono<SignedIn>, project: AnnotationProject): void {
  api.get('/chunks', (c) => c.json(project.chunksOf(c.get('person').name)));
  api.get('/chunks/:chunk{\\d{1,9}}/items', requireQualified(project), (c) =>
    c.json(project.itemsOf(c.get('person').name, Number(c.req.param('chunk')))),
  );
}

/**
 * The part of the scores that comes with the item itself, since it says what a name is and not how good it is. It is
 * about additions: where a column is to be replaced it says nothing.
 */
export function goesWithOf(kind: AnnotationKind, scores: readonly CandidateScores[]): OpenedItem['goesWith'] {
  if (kind !== 'ADD') return {};
  return Object.fromEntries(scores.flatMap(({ name, goesWith }) => (goesWith === undefined ? [] : [[name, goesWith]])));
}

function addItemRoutes(api: Hono<SignedIn>, project: AnnotationProject, aids: NameAids): void {
  api.use('/items/*', requireQualified(project));
  api.get('/items/:id', (c) => {
    const [id, person] = [c.req.param('id'), c.get('person')];
    const position = positionOf(project, id, person.name, requireChunk(project, id, person));
    const [answer, conflicts] = [project.answer(id, person.name), project.conflicts(id, person.name)];
    const opened = project.item(id);
    const goesWith = goesWithOf(opened.item.kind, project.scores(id));
    return c.json({ ...opened, answer, conflicts, position, goesWith } satisfies OpenedItem);
  });
  api.get('/items/:id/scores', (c) => {
    const id = c.req.param('id');
    requireVisible(project, id, c.get('person'));
    return c.json(project.scores(id));
  });
  api.put('/items/:id/answer', async (c) => {
    const { answer, baseRevision } = await readBody(c, savedAnswerBody, LARGEST_ANSWER);
    return sendSaved(c, project.save(c.req.param('id'), c.get('person').name, answer, baseRevision));
  });
  api.post('/items/:id/check', async (c) => {
    const id = c.req.param('id');
    requireVisible(project, id, c.get('person'));
    const { name } = await readBody(c, checkedNameBody, LARGEST_ANSWER);
    const { item, context } = project.item(id);
    return c.json(await checkName(name, item, context, aids));
  });
}

/** Adds the routes open to everyone who is signed in: their own chunks and answers, and nothing of anyone else's. */
export function addAnnotatorRoutes(
  api: Hono<SignedIn>,
  project: AnnotationProject,
  aids: NameAids,
  guidelines: string,
): void {
  addPersonRoutes(api, project, guidelines);
  addChunkRoutes(api, project);
  addItemRoutes(api, project, aids);
}

type Problem = NameCheck['problems'][number];
type NamedColumn = Pick<ItemContext['columns'][number], 'name' | 'originalName'>;

function isNamed({ name, originalName }: NamedColumn, key: string): boolean {
  return columnNameKey(name) === key || columnNameKey(originalName) === key;
}

/** Other columns of the item's table. */
function otherColumns(item: AnnotationItem, context: ItemContext): ItemContext['columns'] {
  return context.columns.filter(({ originalName }) => originalName !== item.columnOriginal);
}

/** Clashes that comparing names finds: names that differ by case, punctuation or number are one. */
function findClash(name: string, item: AnnotationItem, context: ItemContext): Problem | null {
  const key = columnNameKey(name);
  if (key === '') return { kind: 'empty', column: null };
  if (isNamed({ name: item.column, originalName: item.columnOriginal }, key))
    return { kind: 'same-as-target', column: item.column };
  const existing = otherColumns(item, context).find((column) => isNamed(column, key));
  if (existing !== undefined) return { kind: 'existing-column', column: existing.name };
  const isListed = item.candidates.some((candidate) => columnNameKey(candidate.name) === key);
  return isListed ? { kind: 'listed', column: null } : null;
}

function questionOf(name: string, item: AnnotationItem, context: ItemContext): NameQuestion {
  const target = { name: item.column, type: item.type };
  return { name: spacedName(name), target, others: otherColumns(item, context), entity: context.entity ?? '' };
}

/** Looks at a name that an annotator wrote for a column; the judge is only asked about names that don't clash already. */
export async function checkName(
  name: string,
  item: AnnotationItem,
  context: ItemContext,
  aids: NameAids,
): Promise<NameCheck> {
  const clash = findClash(name, item, context);
  const spelling = aids.words === null ? null : spellingHint(name.trim(), aids.words);
  const verdict = clash === null ? await aids.judge(questionOf(name, item, context)) : null;
  const takenFor = verdict === null || verdict === 'later' ? null : verdict.takenFor;
  const problems: readonly (Problem | null)[] = [
    clash,
    takenFor === null ? null : { kind: 'equivalent-to-other', column: takenFor },
    spelling?.hasUnknownWord === true ? { kind: 'spelling', column: null } : null,
  ];
  return {
    name,
    problems: problems.filter((problem) => problem !== null),
    suggestions: spelling?.suggestions ?? [],
    judged: verdict === null ? 'no' : verdict === 'later' ? 'later' : 'yes',
  };
}
