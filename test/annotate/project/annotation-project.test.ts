import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/annotate/annotation.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { AnnotationRefusal } from '../../../src/annotate/project/annotation-refusal.js';
import { createSampleProject, sampleItems, type SampleOptions } from '../sample-project.js';

const NAME = 'lighthouse_museum/Keeper/Name/RPL';
const COUNTRY = 'lighthouse_museum/Keeper/Home_Country/ADD';

let folder: string;
let file: string;
let tokens: ReadonlyMap<string, string>;
let project: AnnotationProject;
let opened: AnnotationProject | undefined;
let time: number;

/** A new project in place of the last. */
function start(options: SampleOptions = {}): void {
  opened?.close();
  ({ file, tokens } = createSampleProject(mkdtempSync(join(folder, 'p-')), options));
  time = Date.parse('2026-03-02T10:00:00Z');
  opened = project = AnnotationProject.open(file, { now: () => new Date((time += 1000)) });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-project-'));
  start();
});

afterEach(() => {
  project.close();
  rmSync(folder, { recursive: true, force: true });
});

function answer(given: Partial<Answer> = {}): Answer {
  return { state: 'done', accepted: [], written: [], comment: '', flagged: false, ...given };
}

/** The reason that a call is refused for. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof AnnotationRefusal) return error.reason;
    throw error;
  }
  return 'not refused';
}

describe('people', () => {
  it('are known by their tokens, of which the file holds hashes alone', () => {
    expect(project.people().map(({ name, role }) => `${name} ${role}`)).toEqual([
      'Ada annotator',
      'Ben annotator',
      'Rita reviewer',
    ]);
    const token = tokens.get('Ben')!;
    expect(project.personByToken(token)).toEqual({ name: 'Ben', role: 'annotator', qualification: null });
    expect(project.personByToken(`${token}x`)).toBeNull();
    expect(project.personByToken('')).toBeNull();
    project.close();
    expect(readFileSync(file).includes(token)).toBe(false);
    project = AnnotationProject.open(file);
  });

  it('get a new token in place of the old one', () => {
    const token = project.renewToken('ben');
    expect(project.personByToken(tokens.get('Ben')!)).toBeNull();
    expect(project.personByToken(token)?.name).toBe('Ben');
    expect(refusal(() => project.renewToken('Nobody'))).toBe('unknown-person');
  });

  it('who join get a share of what nobody has begun', () => {
    start({ settings: { name: 'second' } });
    const before = project.chunksOf('Ada').map(({ chunk }) => chunk);
    const [begun] = before;
    project.save(project.itemsOf('Ada', begun!)[0]!.id, 'Ada', answer({ state: 'draft' }), 0);
    const token = project.addPerson(' Cleo ', 'annotator');
    expect(project.personByToken(token)?.name).toBe('Cleo');
    expect(project.chunksOf('Ada').map(({ chunk }) => chunk)).toContain(begun);
    const places = ['Ada', 'Ben', 'Cleo'].flatMap((name) => project.chunksOf(name));
    expect(places).toHaveLength(2 * project.summary().chunks);
    expect(project.chunksOf('Cleo').length).toBeGreaterThan(0);
  });

  it.each(['', '  ', 'Ada', 'ADA', 'a\nb', 'x'.repeat(61)])('are not called %j', (name) => {
    expect(refusal(() => project.addPerson(name, 'reviewer'))).toBe('bad-person');
    expect(project.people()).toHaveLength(3);
  });
});

describe('chunks', () => {
  it('hold one kind, keep a table together, and count answers', () => {
    const chunks = project.chunksOf('Ada');
    expect(chunks.map(({ kind, items }) => `${kind} ${items}`)).toEqual(['RPL 3', 'RPL 2', 'ADD 3', 'ADD 2']);
    for (const { chunk, kind, items } of chunks) {
      const listed = project.itemsOf('Ada', chunk);
      expect(listed).toHaveLength(items);
      expect(new Set(listed.map((item) => `${item.kind} ${item.table}`)).size).toBe(1);
      expect(listed.every((item) => item.kind === kind && item.state === null && !item.flagged)).toBe(true);
    }
    const [first] = project.itemsOf('Ada', 1);
    project.save(first!.id, 'Ada', answer({ state: 'skipped', flagged: true }), 0);
    expect(project.chunksOf('Ada')[0]).toEqual({ chunk: 1, kind: 'RPL', items: 3, done: 0, skipped: 1, drafts: 0 });
    expect(project.itemsOf('Ada', 1)[0]).toMatchObject({ id: first!.id, state: 'skipped', flagged: true });
    expect(project.chunksOf('Ben')[0]).toMatchObject({ skipped: 0 });
  });

  it('come to each person in an order of their own, the same at every look', () => {
    const items = Array.from({ length: 12 }, (_, i) => {
      const sample = sampleItems()[0]!;
      return { ...sample, item: { ...sample.item, id: `item ${i}` } };
    });
    start({ items, settings: { chunkSize: 12 } });
    const orderOf = (name: string): readonly string[] => project.itemsOf(name, 1).map(({ id }) => id);
    const [ada, ben] = [orderOf('Ada'), orderOf('Ben')];
    expect(orderOf('ada')).toEqual(ada);
    expect([...ada].sort()).toEqual([...ben].sort());
    expect(ada).not.toEqual(ben);
    start({ items, settings: { chunkSize: 12 } });
    expect(orderOf('Ada')).toEqual(ada);
    start({ items, settings: { chunkSize: 12, seed: 1 } });
    expect(orderOf('Ada')).not.toEqual(ada);
  });

  it('are closed to others', () => {
    start({ settings: { overlap: 1 } });
    const [chunk] = project.chunksOf('Ada').map((each) => each.chunk);
    const { id } = project.itemsOf('Ada', chunk!)[0]!;
    expect(refusal(() => project.itemsOf('Ben', chunk!))).toBe('not-assigned');
    expect(refusal(() => project.save(id, 'Ben', answer(), 0))).toBe('not-assigned');
    expect([project.chunkOf(id, 'Ada'), project.chunkOf(id, 'Ben')]).toEqual([chunk, null]);
    expect(refusal(() => project.save(id, 'Rita', answer(), 0))).toBe('not-assigned');
  });
});

describe('items', () => {
  it('come back as they were given', () => {
    const given = sampleItems();
    for (const { item, context, scores } of given) {
      expect(project.item(item.id)).toEqual({ item, context });
      expect(project.scores(item.id)).toEqual(scores);
    }
    expect([...project.items()]).toEqual(given);
    expect(refusal(() => project.item('no/such/item'))).toBe('unknown-item');
  });
});

describe('save', () => {
  it('keeps every revision', () => {
    const first = project.save(NAME, 'Ada', answer({ state: 'draft', accepted: ['full name'] }), 0);
    expect(first).toMatchObject({ saved: true, answer: { revision: 1, itemId: NAME, annotator: 'Ada' } });
    const second = project.save(NAME, 'Ada', answer({ accepted: ['full name'], written: ['known as'] }), 1);
    expect(second).toMatchObject({ saved: true, answer: { revision: 2, savedAt: '2026-03-02T10:00:02.000Z' } });
    expect(project.answer(NAME, 'Ada')).toEqual(second.saved ? second.answer : null);
    expect(project.history(NAME, 'Ada').map(({ revision, state }) => [revision, state])).toEqual([
      [1, 'draft'],
      [2, 'done'],
    ]);
    expect(project.answer(NAME, 'Ben')).toBeNull();
  });

  it('keeps both where it is stale', () => {
    project.save(NAME, 'Ada', answer({ comment: 'first' }), 0);
    project.save(NAME, 'Ada', answer({ comment: 'second' }), 1);
    const stale = project.save(NAME, 'Ada', answer({ comment: 'from another window' }), 1);
    expect(stale).toMatchObject({ saved: false, current: { revision: 2, comment: 'second' } });
    expect(project.answer(NAME, 'Ada')).toMatchObject({ revision: 2, comment: 'second' });
    expect(project.conflicts(NAME, 'Ada')).toMatchObject([{ revision: 1, comment: 'from another window' }]);
    expect(project.conflicts(NAME, 'Ben')).toEqual([]);
    // Tried again, it is no further version.
    project.save(NAME, 'Ada', answer({ comment: 'from another window' }), 1);
    expect(project.conflicts(NAME, 'Ada')).toHaveLength(1);
  });

  it('takes a repeated save for the one that it repeats', () => {
    const once = project.save(NAME, 'Ada', answer({ comment: 'sent twice' }), 0);
    expect(project.save(NAME, 'Ada', answer({ comment: 'sent twice' }), 0)).toEqual(once);
    expect(project.history(NAME, 'Ada')).toHaveLength(1);
    expect(project.conflicts(NAME, 'Ada')).toEqual([]);
  });

  it('puts names into the list’s order, each once, and trims written ones', () => {
    const given = answer({ accepted: ['called', 'full name', 'called'], written: [' known as ', '', 'known as'] });
    expect(project.save(NAME, 'Ada', given, 0)).toMatchObject({
      answer: { accepted: ['full name', 'called'], written: ['known as'] },
    });
  });

  it.each([
    ['a name that the list lacks', NAME, { accepted: ['no such name'] }],
    ['a written name for ADD', COUNTRY, { written: ['own idea'] }],
    ['a comment too long', NAME, { comment: 'x'.repeat(5001) }],
    ['an unknown state', NAME, { state: 'finished' as 'done' }],
  ])('refuses %s and changes nothing', (_, id, given) => {
    expect(refusal(() => project.save(id, 'Ada', answer(given), 0))).toBe('bad-answer');
    expect(project.answer(id, 'Ada')).toBeNull();
  });

  it('is seen by another process at once', () => {
    project.save(NAME, 'Ada', answer({ comment: 'shared' }), 0);
    const reader = AnnotationProject.open(file, { readonly: true });
    expect(reader.answer(NAME, 'Ada')).toMatchObject({ comment: 'shared' });
    expect(() => reader.save(NAME, 'Ada', answer(), 1)).toThrow(/readonly/);
    reader.close();
  });
});

describe('progress', () => {
  it('counts what is handed in, and the pace of work', () => {
    const items = project.chunksOf('Ada').flatMap(({ chunk }) => project.itemsOf('Ada', chunk));
    expect(project.progress('Ada')).toEqual({ done: 0, total: 10, perHour: null });
    const handIn = (id: string, state: 'done' | 'draft', revision: number): void => {
      time += 59_000;
      project.save(id, 'Ada', answer({ state }), revision);
    };
    handIn(items[0]!.id, 'draft', 0);
    for (const { id } of items.slice(1)) handIn(id, 'done', 0);
    expect(project.progress('Ada')).toEqual({ done: 9, total: 10, perHour: null });
    handIn(items[0]!.id, 'done', 1);
    expect(project.progress('Ada')).toEqual({ done: 10, total: 10, perHour: 60 });
  });
});

describe('review', () => {
  const taken = (...accepted: string[]): Answer => answer({ accepted });

  it('lists what was handed in, what annotators disagree on first', () => {
    project.save(NAME, 'Ada', taken('full name'), 0);
    project.save(NAME, 'Ben', taken('full name'), 0);
    project.save(COUNTRY, 'Ada', taken('home town', 'continent'), 0);
    project.save(COUNTRY, 'Ben', taken('continent', 'language'), 0);
    project.save('lighthouse_museum/Tower/Height/RPL', 'Ada', answer({ state: 'draft' }), 0);
    const rows = project
      .disagreements()
      .map(({ itemId, annotators, disagreement }) => [itemId, annotators, disagreement]);
    expect(rows).toEqual([
      [COUNTRY, 2, 1 - 1 / 3],
      [NAME, 2, 0],
    ]);
    expect(project.disagreements(1)).toHaveLength(1);
    expect(project.summary()).toMatchObject({ answered: 2, adjudicated: 0, toReview: 1 });
    project.save(NAME, 'Ben', answer({ accepted: ['full name'], flagged: true }), 1);
    expect(project.disagreements()[0]).toMatchObject({ itemId: NAME, flagged: true });
    expect(project.summary().toReview).toBe(2);
  });

  it('shows all answers, and keeps the decision apart from them', () => {
    project.save(COUNTRY, 'Ben', taken('continent'), 0);
    project.save(COUNTRY, 'Ada', taken('home town'), 0);
    expect(project.answersTo(COUNTRY).map(({ annotator }) => annotator)).toEqual(['Ada', 'Ben']);
    expect(project.adjudicate(COUNTRY, 'Rita', taken('language'), 0)).toMatchObject({ saved: true });
    expect(project.adjudicate(COUNTRY, 'Rita', taken('climate'), 0)).toMatchObject({ saved: false });
    expect(project.adjudication(COUNTRY)).toMatchObject({ annotator: 'Rita', accepted: ['language'] });
    expect(project.answersTo(COUNTRY)).toHaveLength(2);
    expect([...project.allAnswers()].map(({ annotator }) => annotator)).toEqual(['Ada', 'Ben']);
    expect(project.adjudication(COUNTRY)?.annotator).toBe('Rita');
    expect(project.disagreements()[0]).toMatchObject({ itemId: COUNTRY, adjudicated: true });
    expect(refusal(() => project.adjudicate(COUNTRY, 'Ada', taken(), 1))).toBe('not-a-reviewer');
  });

  it('says what each item comes to', () => {
    project.save(NAME, 'Ada', answer({ accepted: ['full name'], written: ['Known As'] }), 0);
    project.save(NAME, 'Ben', answer({ accepted: ['called'], written: ['known as'] }), 0);
    project.save(COUNTRY, 'Ada', taken('home town'), 0);
    const draft = answer({ state: 'draft' });
    project.save('lighthouse_museum/Tower/Height/ADD', 'Ada', draft, 0);
    const finals = [...project.finalAnswers()].map(({ item, accepted, written, basis }) => [
      item.id,
      accepted,
      written,
      basis,
    ]);
    expect(finals).toEqual([
      [NAME, [], ['Known As'], 'majority'],
      [COUNTRY, ['home town'], [], 'single'],
    ]);
    project.adjudicate(NAME, 'Rita', answer({ accepted: ['called'] }), 0);
    expect([...project.finalAnswers()][0]).toMatchObject({ accepted: ['called'], written: [], basis: 'adjudicated' });
  });
});

describe('qualification', () => {
  const known = (): Record<string, readonly string[]> =>
    Object.fromEntries(project.qualificationItems().map(({ item, known }) => [item.id, known]));

  it('is passed by known answers, and remembers the best round', () => {
    expect(project.qualify('Ada', known())).toMatchObject({ score: 1, passed: true });
    const nothing = Object.fromEntries(Object.keys(known()).map((id) => [id, []]));
    const failed = project.qualify('Ada', nothing);
    expect(failed).toMatchObject({ score: 0, passed: false });
    expect(failed.feedback.every(({ missed, why }) => missed.length > 0 && why !== '')).toBe(true);
    expect(project.people()[0]).toEqual({ name: 'Ada', role: 'annotator', qualification: 1 });
  });

  it('says what was missed and what was wrong', () => {
    const { item, known: names } = project.qualificationItems()[0]!;
    const result = project.qualify('Ada', { ...known(), [item.id]: [names[0]!, 'lender'] });
    expect(result.feedback[0]).toMatchObject({ missed: names.slice(1), wrong: ['lender'] });
    expect(result.score).toBeCloseTo(1 - 1 / project.qualificationItems().length, 10);
  });

  it('wants an answer to every item', () => {
    expect(refusal(() => project.qualify('Ada', {}))).toBe('bad-answer');
    expect(project.people()[0]!.qualification).toBeNull();
  });
});
