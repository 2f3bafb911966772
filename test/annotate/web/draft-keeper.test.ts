import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer, StoredAnswer } from '../../../src/annotate/annotation.js';
import type { Me } from '../../../src/annotate/api-shapes.js';
import { EMPTY_ANSWER } from '../../../src/annotate/web/answer-edits.js';
import {
  type CurrentOutcome,
  DraftKeeper,
  type DraftPort,
  type SaveOutcome,
} from '../../../src/annotate/web/draft-keeper.js';
import { ownerOf } from '../../../src/annotate/web/owner-of.js';
import { MemoryStore } from './memory-store.js';

/** `lost`: the save is made, its confirmation does not arrive; `away`: nothing arrives. */
type Fault = 'lost' | 'away' | 'refused';

/** A server of answers with revisions, as the project keeps them; faults come in the given order, then none. */
class FakeServer implements DraftPort {
  readonly answers = new Map<string, StoredAnswer>();
  readonly saves: string[] = [];
  faults: Fault[] = [];
  inFlight = 0;
  mostInFlight = 0;

  /** As another tab saves. */
  put(key: string, answer: Answer): StoredAnswer {
    const revision = (this.answers.get(key)?.revision ?? 0) + 1;
    const stored = { ...answer, itemId: key, annotator: 'Ada', revision, savedAt: '2026-11-21T12:00:00.000Z' };
    this.answers.set(key, stored);
    return stored;
  }

  async current(key: string): Promise<CurrentOutcome> {
    await this.#travel();
    if (this.#fault() !== undefined) return { kind: 'away' };
    return { kind: 'held', stored: this.answers.get(key) ?? null };
  }

  async save(key: string, answer: Answer, baseRevision: number): Promise<SaveOutcome> {
    await this.#travel();
    const fault = this.#fault();
    if (fault === 'away') return { kind: 'away' };
    if (fault === 'refused') return { kind: 'refused', message: 'the comment is too long' };
    this.saves.push(`${key} ${answer.comment}`);
    const current = this.answers.get(key);
    if ((current?.revision ?? 0) !== baseRevision) return { kind: 'conflict', stored: current! };
    const stored = this.put(key, answer);
    return fault === 'lost' ? { kind: 'away' } : { kind: 'saved', stored };
  }

  #fault(): Fault | undefined {
    return this.faults.shift();
  }

  async #travel(): Promise<void> {
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.inFlight--;
  }
}

const said = (comment: string): Answer => ({ ...EMPTY_ANSWER, comment });
const KEY = 'items/a';
const LONG_MS = 60_000;

describe('DraftKeeper', () => {
  let server: FakeServer;
  let store: MemoryStore;
  const open = (): DraftKeeper => new DraftKeeper(server, store, 'project.Ada');
  const pass = (ms = LONG_MS): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    vi.useFakeTimers();
    server = new FakeServer();
    store = new MemoryStore();
  });
  afterEach(() => vi.useRealTimers());

  it('keeps a change at once, sends it after a rest, and says saved once it is confirmed', async () => {
    const keeper = open();
    expect(keeper.open(KEY, null)).toEqual(EMPTY_ANSWER);
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'untouched' });
    keeper.change(KEY, said('one'), '#/here');
    expect([store.length, server.saves]).toEqual([1, []]);
    await pass(301);
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'saving' });
    await pass(5);
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
    expect([store.length, server.saves, keeper.unsaved()]).toEqual([0, ['items/a one'], []]);
  });

  it('sends what was typed meanwhile on top of its own save', async () => {
    const keeper = open();
    keeper.change(KEY, said('one'), '');
    await pass(302);
    keeper.change(KEY, said('two'), '');
    keeper.change('items/b', said('other'), '');
    await pass();
    expect(server.saves).toEqual(['items/a one', 'items/a two', 'items/b other']);
    expect(server.answers.get(KEY)).toMatchObject({ comment: 'two', revision: 2 });
    expect(server.mostInFlight).toBe(1);
  });

  it('tries again while the server is away', async () => {
    const keeper = open();
    server.faults = ['away', 'away', 'away'];
    keeper.change(KEY, said('one'), '#/here');
    await pass(400);
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'away' });
    expect(keeper.unsaved()).toEqual([{ key: KEY, place: '#/here', state: { kind: 'away' } }]);
    await pass();
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
    expect(server.saves).toEqual(['items/a one']);
  });

  it('does not save twice what was saved by a server killed before it said so', async () => {
    const keeper = open();
    server.faults = ['lost'];
    keeper.change(KEY, said('one'), '');
    await pass();
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
    expect(server.saves).toEqual(['items/a one']);
  });

  it('goes on in a new page with what the closed one had not saved', async () => {
    server.faults = ['lost'];
    const closed = open();
    closed.change(KEY, said('one'), '#/here');
    await pass(306);
    server.faults = Array.from({ length: 1000 }, () => 'away' as const);
    closed.change(KEY, said('two'), '#/here');
    const keeper = open();
    expect(keeper.open(KEY, server.answers.get(KEY)!).comment).toBe('two');
    server.faults = [];
    await pass();
    expect(server.answers.get(KEY)).toMatchObject({ comment: 'two', revision: 2 });
    expect(store.length).toBe(0);
  });

  it('leaves the drafts of others alone', async () => {
    new DraftKeeper(server, store, 'project.Ben').change(KEY, said('of Ben'), '');
    const keeper = open();
    expect(keeper.open(KEY, null)).toEqual(EMPTY_ANSWER);
    expect(keeper.unsaved()).toEqual([]);
  });

  describe('where the answer was saved elsewhere meanwhile', () => {
    async function clash(): Promise<DraftKeeper> {
      const keeper = open();
      keeper.open(KEY, server.put(KEY, said('first')));
      server.put(KEY, said('theirs'));
      keeper.change(KEY, said('mine'), '');
      await pass();
      return keeper;
    }

    it('shows both versions and overwrites nothing', async () => {
      const keeper = await clash();
      const current = server.answers.get(KEY)!;
      expect(keeper.stateOf(KEY)).toEqual({ kind: 'conflict', mine: said('mine'), current });
      expect(current.comment).toBe('theirs');
      expect(store.length).toBe(1);
    });

    it('saves mine where that is chosen', async () => {
      const keeper = await clash();
      expect(keeper.resolve(KEY, 'mine')).toEqual(said('mine'));
      await pass();
      expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
      expect(server.answers.get(KEY)).toMatchObject({ comment: 'mine', revision: 3 });
    });

    it('takes theirs where that is chosen', async () => {
      const keeper = await clash();
      expect(keeper.resolve(KEY, 'theirs')).toEqual(said('theirs'));
      expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
      keeper.change(KEY, said('more'), '');
      await pass();
      expect(server.answers.get(KEY)).toMatchObject({ comment: 'more', revision: 3 });
    });

    it('keeps the conflict for a page opened again', async () => {
      await clash();
      const keeper = open();
      await pass();
      expect(keeper.stateOf(KEY)).toMatchObject({ kind: 'conflict', mine: said('mine') });
    });

    it('is content where both say the same', async () => {
      const keeper = open();
      keeper.open(KEY, null);
      server.put(KEY, said('same'));
      keeper.change(KEY, said('same'), '');
      await pass();
      expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
      expect(server.answers.get(KEY)!.revision).toBe(1);
    });
  });

  it('tells why the server refuses, and tries again only when something is changed', async () => {
    const keeper = open();
    server.faults = ['refused'];
    keeper.change(KEY, said('too long'), '');
    await pass();
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'refused', message: 'the comment is too long' });
    expect([server.saves, store.length]).toEqual([[], 1]);
    keeper.change(KEY, said('short'), '');
    await pass();
    expect(keeper.stateOf(KEY)).toEqual({ kind: 'saved' });
  });

  it('does not take a slow load for news', async () => {
    const keeper = open();
    const loaded = server.put(KEY, said('old'));
    keeper.open(KEY, loaded);
    keeper.change(KEY, said('new'), '');
    await pass();
    expect(keeper.open(KEY, loaded).comment).toBe('new');
  });

  it('ends with what was written last, whatever faults come between', async () => {
    const step = fc.record({
      key: fc.constantFrom('items/a', 'items/b', 'review/a'),
      wait: fc.constantFrom(0, 4, 100, 303, 900),
      fault: fc.constantFrom<Fault | null>(null, 'lost', 'away'),
      reopened: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        [server, store] = [new FakeServer(), new MemoryStore()];
        const last = new Map<string, Answer>();
        let keeper = open();
        for (const [i, { key, wait, fault, reopened }] of steps.entries()) {
          if (fault !== null) server.faults.push(fault);
          last.set(key, said(String(i)));
          keeper.open(key, server.answers.get(key) ?? null);
          keeper.change(key, last.get(key)!, '');
          await pass(wait);
          // A page that is closed stops in mid-request.
          if (reopened) {
            vi.clearAllTimers();
            keeper = open();
          }
        }
        await pass();
        for (const [key, answer] of last) expect(server.answers.get(key)).toMatchObject(answer);
        expect([keeper.unsaved(), store.length]).toEqual([[], 0]);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves alone what waits of someone else whose name begins alike', async () => {
    const named = (name: string): string => ownerOf({ project: { id: 'p' }, person: { name } } as Me);
    server.faults = ['away', 'away'];
    new DraftKeeper(server, store, named('J. Smith')).change(KEY, said('mine'), '#/');
    expect(new DraftKeeper(server, store, named('J')).unsaved()).toEqual([]);
    expect(new DraftKeeper(server, store, named('J. Smith')).unsaved()).toMatchObject([{ key: KEY }]);
  });
});
