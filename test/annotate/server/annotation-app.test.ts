import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChunkProgress, StoredAnswer } from '../../../src/annotate/annotation.js';
import type { ListedItem } from '../../../src/annotate/api-shapes.js';
import { QUALIFICATION_ITEMS } from '../../../src/annotate/project/qualification-items.js';
import { goesWithOf } from '../../../src/annotate/server/annotator-routes.js';
import { sampleItems } from '../sample-project.js';
import { answerOf, itemPath, openApp, type TestedApp } from './app-fixture.js';

const ITEM = sampleItems().find(({ item }) => item.column === 'height' && item.kind === 'RPL')!.item;
const ADD_ITEM = sampleItems().find(({ item }) => item.column === 'height' && item.kind === 'ADD')!.item;
const PUT = { method: 'PUT' };

let app: TestedApp;
beforeEach(() => {
  app = openApp();
});
afterEach(() => app.close());

async function get<T>(path: string, as: string): Promise<T> {
  const { status, body } = await app.json(path, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as T;
}

function save(as: string, id: string, accepted: readonly string[], baseRevision = 0): ReturnType<TestedApp['json']> {
  return app.json(itemPath(id, '/answer'), { ...PUT, as, body: { answer: answerOf(accepted), baseRevision } });
}

describe('what an annotator is told', () => {
  it('names the person, the project and how far they are', async () => {
    expect(await get('/api/me', 'Ada')).toEqual({
      person: { name: 'Ada', role: 'annotator', qualification: null },
      project: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        name: 'Lighthouse museum',
        kindCounts: { RPL: 5, ADD: 5 },
        minAdd: 3,
        maxAdd: 5,
        qualification: { required: false, passMark: 0.75 },
      },
      progress: { done: 0, total: 10, perHour: null },
    });
    await save('Ada', ITEM.id, ['tower height']);
    expect(await get('/api/me', 'Ada')).toMatchObject({ progress: { done: 1, total: 10 } });
    expect(await get('/api/me', 'Ben')).toMatchObject({ progress: { done: 0 } });
  });

  it('leads through each chunk from item to item', async () => {
    const chunks = await get<ChunkProgress[]>('/api/chunks', 'Ada');
    expect(chunks.reduce((sum, { items }) => sum + items, 0)).toBe(10);
    for (const { chunk, items } of chunks) {
      const rows = await get<ListedItem[]>(`/api/chunks/${chunk}/items`, 'Ada');
      expect(rows).toHaveLength(items);
      for (const [i, { id }] of rows.entries())
        expect(await get(itemPath(id), 'Ada')).toMatchObject({
          item: { id },
          answer: null,
          conflicts: [],
          position: { index: i, of: items, next: rows[i + 1]?.id ?? null, previous: rows[i - 1]?.id ?? null },
        });
    }
  });

  it('keeps scores out of the item, and gives them when asked', async () => {
    const { item } = await get<{ item: unknown }>(itemPath(ITEM.id), 'Ada');
    expect(JSON.stringify(item)).not.toMatch(/similarity|e1|entailment/);
    const scores = await get<{ name: string }[]>(itemPath(ITEM.id, '/scores'), 'Ada');
    expect(scores.map(({ name }) => name)).toEqual(ITEM.candidates.map(({ name }) => name));
  });

  it('sends the guidelines', async () => {
    expect(await get('/api/guidelines', 'Ada')).toEqual({ html: '<h2>Guidelines</h2>' });
  });
});

describe('a save', () => {
  it('is stored before it is answered, in the form that stands', async () => {
    const names = ['tallness', 'tower height'];
    const { status, body } = await save('Ada', ITEM.id, names);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      itemId: ITEM.id,
      annotator: 'Ada',
      revision: 1,
      accepted: ['tower height', 'tallness'],
    });
    expect(app.project.answer(ITEM.id, 'Ada')).toEqual(body);
    expect(await get(itemPath(ITEM.id), 'Ada')).toMatchObject({ answer: body });
  });

  it('that is stale gets 409 with what stands, and is kept', async () => {
    const { body: first } = await save('Ada', ITEM.id, ['tower height']);
    const { status, body } = await save('Ada', ITEM.id, ['elevation']);
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: 'stale' }, current: first, kept: true });
    const opened = await get<{ conflicts: StoredAnswer[]; answer: StoredAnswer }>(itemPath(ITEM.id), 'Ada');
    expect(opened.answer).toEqual(first);
    expect(opened.conflicts.map(({ accepted }) => accepted)).toEqual([['elevation']]);
  });

  it.each([
    ['no JSON', '{', 'the body is no JSON'],
    ['no object', '[]', 'the body is wrong: an object is expected, not a list'],
    [
      'a state that there is not',
      { answer: { ...answerOf([]), state: 'finished' }, baseRevision: 0 },
      'field "answer.state" is wrong: ',
    ],
    [
      'a name that is none',
      { answer: { ...answerOf([]), accepted: ['x', 7] }, baseRevision: 0 },
      'field "answer.accepted.1" is wrong: text is expected',
    ],
    ['a missing revision', { answer: answerOf([]) }, 'field "baseRevision" is missing'],
    ['a negative revision', { answer: answerOf([]), baseRevision: -1 }, 'field "baseRevision" is wrong: '],
    [
      'an unknown field',
      { answer: { ...answerOf([]), score: 1 }, baseRevision: 0 },
      'field "answer" is wrong: there is no field "score"',
    ],
    [
      'an overlong comment',
      { answer: answerOf([], { comment: 'x'.repeat(6000) }), baseRevision: 0 },
      'field "answer.comment" is wrong: text of at most ',
    ],
    ['a name that is not listed', { answer: answerOf(['lighthouse']), baseRevision: 0 }, '"lighthouse" is not in'],
  ])('with %s is refused and names the field', async (_, body, message) => {
    const refused = await app.json(itemPath(ITEM.id, '/answer'), { ...PUT, as: 'Ada', body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: { code: 'bad-request' } });
    expect((refused.body as { error: { message: string } }).error.message).toContain(message);
    expect(app.project.answer(ITEM.id, 'Ada')).toBeNull();
  });

  it('of own names for ADD is refused', async () => {
    const body = { answer: answerOf([], { written: ['depth'] }), baseRevision: 0 };
    const { status } = await app.json(itemPath(ADD_ITEM.id, '/answer'), { ...PUT, as: 'Ada', body });
    expect(status).toBe(400);
  });

  it('of the greatest length is taken', async () => {
    const written = Array.from({ length: 100 }, (_, i) => String(i).padEnd(200, '語'));
    const body = { answer: answerOf([], { written, comment: '語'.repeat(5000) }), baseRevision: 0 };
    const { status } = await app.json(itemPath(ITEM.id, '/answer'), { ...PUT, as: 'Ada', body });
    expect(status).toBe(200);
  });

  it('beyond the size cap is refused, with and without a stated length', async () => {
    const comment = 'x'.repeat(300_000);
    const body = JSON.stringify({ answer: answerOf([], { comment }), baseRevision: 0 });
    const stated = { 'content-length': String(body.length) };
    for (const headers of [{}, stated]) {
      const { status, body: refusal } = await app.json(itemPath(ITEM.id, '/answer'), {
        ...PUT,
        as: 'Ada',
        body,
        headers,
      });
      expect(status).toBe(413);
      expect(refusal).toMatchObject({ error: { code: 'too-large' } });
    }
  });
});

describe('an item', () => {
  it('that there is not gets 404', async () => {
    for (const id of ['nothing', 'a/b/c/RPL', '../../etc/passwd', '%2e%2e', "x' OR 1=1 --"]) {
      expect((await app.json(itemPath(id), { as: 'Ada' })).status, id).toBe(404);
      expect((await save('Ada', id, [])).status, id).toBe(404);
    }
  });

  it('of a chunk of somebody else gets 403', async () => {
    const alone = openApp({ settings: { overlap: 1 } });
    const hers = new Set(
      alone.project.chunksOf('Ada').flatMap(({ chunk }) => alone.project.itemsOf('Ada', chunk).map(({ id }) => id)),
    );
    const foreign = sampleItems().find(({ item }) => !hers.has(item.id))!.item.id;
    for (const [call, options] of [
      ['', {}],
      ['/scores', {}],
      ['/check', { method: 'POST', body: { name: 'x' } }],
      ['/answer', { ...PUT, body: { answer: answerOf([]), baseRevision: 0 } }],
    ] as const) {
      const { status, body } = await alone.json(itemPath(foreign, call), { as: 'Ada', ...options });
      expect({ call, status, body }).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    }
    const { chunk } = alone.project.chunksOf('Ben')[0]!;
    expect((await alone.ask(`/api/chunks/${chunk}/items`, { as: 'Ada' })).status).toBe(403);
    alone.close();
  });
});

describe('other people’s answers', () => {
  it('are in nothing that an annotator is sent', async () => {
    await app.json(itemPath(ITEM.id, '/answer'), {
      ...PUT,
      as: 'Ben',
      body: {
        answer: answerOf(['elevation'], { written: ['Bens own name'], comment: 'Ben says', flagged: true }),
        baseRevision: 0,
      },
    });
    await save('Ben', ITEM.id, ['tallness']);
    await app.json(`/api/review/${encodeURIComponent(ITEM.id)}`, {
      ...PUT,
      as: 'Rita',
      body: { answer: answerOf([], { comment: 'Rita says' }), baseRevision: 0 },
    });
    const chunks = await get<ChunkProgress[]>('/api/chunks', 'Ada');
    const paths = [
      '/api/me',
      '/api/chunks',
      ...chunks.map(({ chunk }) => `/api/chunks/${chunk}/items`),
      itemPath(ITEM.id),
      itemPath(ITEM.id, '/scores'),
      '/api/qualification',
    ];
    for (const path of paths) {
      const text = JSON.stringify(await get(path, 'Ada'));
      expect(text, path).not.toMatch(/Ben|Rita/);
    }
    const rows = await Promise.all(chunks.map(({ chunk }) => get<ListedItem[]>(`/api/chunks/${chunk}/items`, 'Ada')));
    expect(rows.flat().every(({ state, flagged }) => state === null && !flagged)).toBe(true);
    // A save of hers from the revision that he has reached is none of his business either.
    expect((await save('Ada', ITEM.id, ['how high'])).body).toMatchObject({ revision: 1, annotator: 'Ada' });
  });

  it('and the reviewers’ calls are closed to annotators', async () => {
    const path = `/api/review/${encodeURIComponent(ITEM.id)}`;
    for (const [asked, options] of [
      ['/api/review', {}],
      [path, {}],
      [path, { ...PUT, body: { answer: answerOf([]), baseRevision: 0 } }],
      ['/api/agreement', {}],
    ] as const) {
      const { status, body } = await app.json(asked, { as: 'Ada', ...options });
      expect({ asked, status, body }).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    }
    expect(app.project.adjudication(ITEM.id)).toBeNull();
  });
});

describe('a reviewer', () => {
  const path = `/api/review/${encodeURIComponent(ITEM.id)}`;
  beforeEach(async () => {
    await save('Ada', ITEM.id, ['tower height', 'tallness']);
    await save('Ben', ITEM.id, ['elevation']);
  });

  it('sees disagreements with everyone’s answers', async () => {
    expect(await get('/api/review', 'Rita')).toEqual([
      expect.objectContaining({ itemId: ITEM.id, annotators: 2, disagreement: 1, adjudicated: false, flagged: false }),
    ]);
    const { answers, adjudication } = await get<{ answers: StoredAnswer[]; adjudication: null }>(path, 'Rita');
    expect(answers.map(({ annotator, accepted }) => [annotator, accepted])).toEqual([
      ['Ada', ['tower height', 'tallness']],
      ['Ben', ['elevation']],
    ]);
    expect(adjudication).toBeNull();
  });

  it('is given the majority that the item comes to, whose spellings make no difference', async () => {
    const written = async (as: string, name: string) => {
      const body = { answer: answerOf(['tallness'], { written: [name] }), baseRevision: 1 };
      expect((await app.json(itemPath(ITEM.id, '/answer'), { ...PUT, as, body })).status).toBe(200);
    };
    expect(await get(path, 'Rita')).toMatchObject({ majority: [] });
    await written('Ada', 'Height above ground');
    await written('Ben', 'height_above ground');
    const { majority } = await get<{ majority: string[] }>(path, 'Rita');
    expect(majority).toEqual(['tallness', 'Height above ground']);
    const [final] = app.project.finalAnswers();
    expect(majority).toEqual([...final!.accepted, ...final!.written]);
  });

  it('sees what each addition goes with, as annotators do', async () => {
    const [reviewed, annotated] = await Promise.all([
      get<{ goesWith: Record<string, string> }>(`/api/review/${encodeURIComponent(ADD_ITEM.id)}`, 'Rita'),
      get<{ goesWith: Record<string, string> }>(itemPath(ADD_ITEM.id), 'Ada'),
    ]);
    expect(Object.values(reviewed.goesWith)).toEqual(['column', 'column', 'row']);
    expect(reviewed.goesWith).toEqual(annotated.goesWith);
  });

  it('is told so of additions alone, though the names of a list to replace a column are additions elsewhere', () => {
    const scores = { bucket: 'ADD', reason: 'no-equivalence', similarity: 0.5, association: 2, e1: null, e2: null };
    const farm = [{ ...scores, name: 'farm name', goesWith: 'row' as const }];
    expect(goesWithOf('ADD', farm)).toEqual({ 'farm name': 'row' });
    expect(goesWithOf('RPL', farm)).toEqual({});
  });

  it('decides, and is told of a decision that came in between', async () => {
    const decide = (accepted: readonly string[]): ReturnType<TestedApp['json']> =>
      app.json(path, { ...PUT, as: 'Rita', body: { answer: answerOf(accepted), baseRevision: 0 } });
    expect(await decide(['tower height'])).toMatchObject({ status: 200, body: { annotator: 'Rita', revision: 1 } });
    expect(await decide(['elevation'])).toMatchObject({ status: 409, body: { kept: true, current: { revision: 1 } } });
    expect(await get(path, 'Rita')).toMatchObject({ adjudication: { accepted: ['tower height'] } });
  });

  it('is told how far people agree', async () => {
    expect(await get('/api/agreement', 'Rita')).toMatchObject({
      overall: { items: 1, candidates: 6, krippendorff: expect.any(Object) as object },
      pairs: [{ annotators: ['Ada', 'Ben'], items: 1 }],
    });
  });

  it('may check names and see scores of any item, and has no chunks', async () => {
    expect(
      await app.json(itemPath(ITEM.id, '/check'), { as: 'Rita', method: 'POST', body: { name: 'Lamp types' } }),
    ).toMatchObject({
      status: 200,
      body: { problems: [{ kind: 'existing-column', column: 'lamp type' }] },
    });
    expect((await app.ask(itemPath(ITEM.id, '/scores'), { as: 'Rita' })).status).toBe(200);
    expect((await app.ask(itemPath(ITEM.id), { as: 'Rita' })).status).toBe(403);
    expect(await get('/api/chunks', 'Rita')).toEqual([]);
  });
});

describe('a required qualification', () => {
  const known = Object.fromEntries(QUALIFICATION_ITEMS.map(({ item, known: names }) => [item.id, [...names]]));
  const wrong = Object.fromEntries(QUALIFICATION_ITEMS.map(({ item }) => [item.id, []]));
  let strict: TestedApp;
  beforeAll(() => {
    strict = openApp({ settings: { qualification: { required: true, passMark: 0.75 } } });
  });
  afterAll(() => strict.close());
  const qualify = (answers: unknown): ReturnType<TestedApp['json']> =>
    strict.json('/api/qualification', { as: 'Ada', method: 'POST', body: { answers } });

  it('comes before any item, and keeps its solutions to itself', async () => {
    const { chunk } = strict.project.chunksOf('Ada')[0]!;
    for (const [path, options] of [
      [`/api/chunks/${chunk}/items`, {}],
      [itemPath(ITEM.id), {}],
      [itemPath(ITEM.id, '/answer'), { ...PUT, body: { answer: answerOf([]), baseRevision: 0 } }],
    ] as const)
      expect(await strict.json(path, { as: 'Ada', ...options })).toMatchObject({
        status: 403,
        body: { error: { code: 'not-qualified' } },
      });
    const { body } = await strict.json('/api/qualification', { as: 'Ada' });
    const { items, ...round } = body as { items: object[] };
    expect(items.map((item) => Object.keys(item))).toEqual(items.map(() => ['item', 'context']));
    expect(round).toEqual({ passMark: 0.75, lastScore: null });
  });

  it('says what was wrong and why, and opens the items once it is passed', async () => {
    expect(await qualify({})).toMatchObject({ status: 400 });
    expect(await qualify({ x: 'name' })).toMatchObject({ status: 400, body: { error: { message: /^answers\.x: / } } });
    expect(await qualify(wrong)).toMatchObject({ status: 200, body: { passed: false } });
    expect((await strict.ask(itemPath(ITEM.id), { as: 'Ada' })).status).toBe(403);
    expect(await qualify(known)).toMatchObject({ status: 200, body: { passed: true, score: 1 } });
    expect((await strict.ask(itemPath(ITEM.id), { as: 'Ada' })).status).toBe(200);
    expect((await strict.ask(itemPath(ITEM.id), { as: 'Ben' })).status).toBe(403);
  });
});

describe('faults', () => {
  it('are told to the server’s terminal, and to nobody else', async () => {
    app.project.close();
    const { status, body } = await app.json('/api/health');
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } });
    const failed = await app.json('/api/me', { as: 'Ada' });
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({
      error: { code: 'internal', message: expect.any(String) as string, fix: expect.any(String) as string },
    });
    expect(JSON.stringify(failed.body)).not.toMatch(/database|sqlite|\.[tj]s/i);
    expect(app.faults).toHaveLength(1);
  });
});
