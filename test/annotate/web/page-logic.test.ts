import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AnnotationItem,
  type Answer,
  type ChunkProgress,
  type NameCheck,
  sameAnswer,
  type StoredAnswer,
} from '../../../src/annotate/annotation.js';
import {
  countInWords,
  EMPTY_ANSWER,
  toggleName,
  withNames,
  writeName,
} from '../../../src/annotate/web/answer-edits.js';
import { ApiClient } from '../../../src/annotate/web/api-client.js';
import { checkUntilJudged } from '../../../src/annotate/web/check-until-judged.js';
import { type SaveState, watchReturn } from '../../../src/annotate/web/draft-keeper.js';
import { identifierWords, originInWords } from '../../../src/annotate/web/words.js';
import { EditJournal } from '../../../src/annotate/web/edit-journal.js';
import { DEFAULT_KEYMAP, keyName, loadKeymap, remapped, saveKeymap } from '../../../src/annotate/web/keymap.js';
import { chunkAfter } from '../../../src/annotate/web/open-chunks.js';
import { hrefOf, type Route, routeOf } from '../../../src/annotate/web/route.js';
import { unionOf, voteTableOf } from '../../../src/annotate/web/vote-table.js';
import { tableRows } from '../../docs/markdown-pages.js';
import { sampleItems } from '../sample-project.js';
import { MemoryStore } from './memory-store.js';

const item: AnnotationItem = sampleItems()[0]!.item;
const LISTED = item.candidates.map(({ name }) => name);

describe('where a name comes from', () => {
  const from = (source: string, table: string, title: string, column = 'remarks'): string =>
    originInWords({ name: 'remarks', source, origin: { table, title, column } });

  it('is told in words of tables, also of lists of the project’s own', () => {
    expect(from('retrieval', 'w17', 'Lights of the coast', 'notes')).toBe(
      'table “Lights of the coast”, column “notes”',
    );
    expect(from('retrieval', 'w17', '')).toBe('table “w17”');
    expect(from('attributes', 'attributes/plot', 'plot')).toBe('usual in tables like “plot”');
    expect(from('attributes', 'attributes/*', '*')).toBe('usual in any table');
    expect(from('retrieval', 'attributes/*', '*')).toBe('usual in any table');
    expect(originInWords({ name: 'remarks', source: 'dictionary', origin: null })).toBe('dictionary');
  });
});

describe('edits of an answer', () => {
  it('take names in the order of the list and give them back', () => {
    const both = toggleName(toggleName(EMPTY_ANSWER, item, LISTED[3]!), item, LISTED[1]!);
    expect(both.accepted).toEqual([LISTED[1], LISTED[3]]);
    expect(toggleName(both, item, LISTED[3]!).accepted).toEqual([LISTED[1]]);
  });

  it('make a handed-in answer a draft again', () => {
    expect(toggleName({ ...EMPTY_ANSWER, state: 'done' }, item, LISTED[0]!).state).toBe('draft');
  });

  it.each([
    ['  own   name ', 'written', [], ['own name']],
    [LISTED[2]!.toUpperCase(), 'listed', [LISTED[2]], []],
    ['   ', 'empty', [], []],
  ])('write %j as %s', (text, outcome, accepted, written) => {
    const made = writeName(EMPTY_ANSWER, item, text);
    expect([made.outcome, made.answer.accepted, made.answer.written]).toEqual([outcome, accepted, written]);
  });

  it('write no name twice', () => {
    const { answer } = writeName(EMPTY_ANSWER, item, 'own name');
    expect(writeName(answer, item, 'Own Name')).toEqual({ answer, outcome: 'there-already' });
  });

  it('tell listed names from others', () => {
    const { accepted, written } = withNames(EMPTY_ANSWER, item, ['another', LISTED[4]!, LISTED[0]!]);
    expect([accepted, written]).toEqual([[LISTED[0], LISTED[4]], ['another']]);
  });

  it('see every difference between answers', () => {
    const changed: readonly Answer[] = [
      { ...EMPTY_ANSWER, state: 'done' },
      { ...EMPTY_ANSWER, accepted: ['a'] },
      { ...EMPTY_ANSWER, written: ['a'] },
      { ...EMPTY_ANSWER, comment: 'a' },
      { ...EMPTY_ANSWER, flagged: true },
    ];
    expect(changed.map((answer) => sameAnswer(answer, EMPTY_ANSWER))).toEqual(changed.map(() => false));
    expect(sameAnswer({ ...EMPTY_ANSWER }, EMPTY_ANSWER)).toBe(true);
  });

  it.each([
    ['RPL', 0, false],
    ['RPL', 1, true],
    ['ADD', 2, false],
    ['ADD', 3, true],
    ['ADD', 5, true],
    ['ADD', 6, false],
  ] as const)('say whether %s of %i names is what is asked for', (kind, count, fits) => {
    const answer = { ...EMPTY_ANSWER, accepted: LISTED.slice(0, count) };
    expect(countInWords(answer, kind, { minAdd: 3, maxAdd: 5 }).fits).toBe(fits);
  });
});

describe('EditJournal', () => {
  const said = (comment: string): Answer => ({ ...EMPTY_ANSWER, comment });
  const edit = (key: string, from: string, to: string, sort: 'names' | 'comment' = 'names') =>
    ({ key, place: `#/${key}`, before: said(from), after: said(to), sort }) as const;

  it('goes back and forth, over items', () => {
    const journal = new EditJournal(new MemoryStore(), 'Ada');
    journal.record(edit('a', '', '1'));
    journal.record(edit('b', '', '2'));
    expect(journal.toUndo?.key).toBe('b');
    journal.undone();
    expect([journal.toUndo?.key, journal.toRedo?.key]).toEqual(['a', 'b']);
    journal.redone();
    expect([journal.toUndo?.key, journal.toRedo]).toEqual(['b', null]);
  });

  it('forgets what was undone when something else is done', () => {
    const journal = new EditJournal(new MemoryStore(), 'Ada');
    journal.record(edit('a', '', '1'));
    journal.undone();
    journal.record(edit('a', '', '2'));
    expect([journal.toUndo?.after.comment, journal.toRedo]).toEqual(['2', null]);
  });

  it('takes typing for one change', () => {
    const journal = new EditJournal(new MemoryStore(), 'Ada');
    journal.record(edit('a', '', 'n', 'comment'));
    journal.record(edit('a', 'n', 'no', 'comment'));
    expect(journal.toUndo).toEqual(edit('a', '', 'no', 'comment'));
    journal.undone();
    expect(journal.toUndo).toBeNull();
  });

  it('outlives a reload', () => {
    const store = new MemoryStore();
    new EditJournal(store, 'Ada').record(edit('a', '', '1'));
    expect(new EditJournal(store, 'Ada').toUndo).toEqual(edit('a', '', '1'));
    expect(new EditJournal(store, 'Ben').toUndo).toBeNull();
  });
});

describe('keys', () => {
  it.each([
    [{ key: 'j', shiftKey: false }, 'J'],
    [{ key: 'J', shiftKey: false }, 'J'],
    [{ key: 'U', shiftKey: true }, 'Shift+U'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: ' ', shiftKey: false }, 'Space'],
    [{ key: 'Shift', shiftKey: true }, null],
  ])('%j is %s', (press, name) => {
    expect(keyName(press)).toBe(name);
  });

  it('have one action each by default', () => {
    const keys = Object.values(DEFAULT_KEYMAP);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are kept where they differ from the default', () => {
    const store = new MemoryStore();
    const changed = remapped(DEFAULT_KEYMAP, 'next', 'Z');
    expect(changed).toEqual({ ...DEFAULT_KEYMAP, next: 'Z' });
    saveKeymap(store, changed as typeof DEFAULT_KEYMAP);
    expect(loadKeymap(store)).toEqual(changed);
    saveKeymap(store, DEFAULT_KEYMAP);
    expect(store.length).toBe(0);
  });

  it.each(['J', '1', 'Space', 'ArrowDown', 'Escape', 'Tab'])('are not given away: %s', (key) => {
    expect(remapped(DEFAULT_KEYMAP, 'next', key)).toMatch(/Take another key/);
  });
});

describe('routes', () => {
  const id = fc.string({ minLength: 1, unit: 'grapheme' });
  const route: fc.Arbitrary<Route> = fc.oneof(
    fc.constantFrom('home', 'guidelines', 'qualification', 'review', 'agreement').map((screen) => ({ screen })),
    fc.record({ screen: fc.constant('chunk'), chunk: fc.nat() }),
    fc.record({ screen: fc.constant('work'), chunk: fc.nat(), id }),
    fc.record({ screen: fc.constant('adjudicate'), id }),
  );

  it('are read as they were written', () => {
    fc.assert(
      fc.property(route, (one) => {
        expect(routeOf(hrefOf(one))).toEqual(one);
      }),
    );
  });

  it.each(['', '#', '#/nowhere', '#/chunk/x', '#/%E0%A4%A'])('lead home from %j', (hash) => {
    expect(routeOf(hash)).toEqual({ screen: 'home' });
  });
});

describe('voteTableOf', () => {
  const answerOf = (annotator: string, answer: Partial<Answer>): StoredAnswer => ({
    ...EMPTY_ANSWER,
    state: 'done',
    itemId: item.id,
    annotator,
    revision: 1,
    savedAt: '2026-11-21T12:00:00.000Z',
    ...answer,
  });
  const answers = [
    answerOf('Ada', { accepted: [LISTED[0]!, LISTED[1]!], written: ['own'] }),
    answerOf('Ben', { accepted: [LISTED[1]!], written: ['own'] }),
    answerOf('Cleo', { accepted: [LISTED[2]!] }),
    answerOf('Dora', { state: 'draft', accepted: [LISTED[3]!] }),
  ];
  const table = voteTableOf(item, answers);

  it('lays names side by side, most votes first', () => {
    expect(table.taken.map(({ name, votes }) => [name, votes])).toEqual([
      [LISTED[1], 2],
      ['own', 2],
      [LISTED[0], 1],
      [LISTED[2], 1],
      [LISTED[3], 0],
    ]);
    expect(table.taken[0]!.takers).toEqual([true, true, false, false]);
    expect(table.rest.map(({ name }) => name)).toEqual(LISTED.slice(4));
  });

  it('merges what anyone who handed in took', () => {
    expect(unionOf(table)).toEqual([LISTED[1], 'own', LISTED[0], LISTED[2]]);
  });
});

describe('the keys in docs/annotate.md', () => {
  const rows = tableRows('docs/annotate.md').map(([keys]) => keys!.split(/,? /));
  const listed = new Set(rows.flat().map((key) => key.replace('⇧', 'Shift+')));

  it.each(Object.entries(DEFAULT_KEYMAP))('%s: %s', (_, key) => {
    expect(listed).toContain(key);
  });
});

describe('the check of a written name', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A server whose judge needs some questions until it answers, and what the page is told. */
  function checked(late: number): { readonly told: string[]; readonly end: () => void } {
    const told: string[] = [];
    let asked = 0;
    const ask = (): Promise<NameCheck> => {
      const judged = asked++ < late ? 'later' : 'yes';
      return Promise.resolve({ name: 'homeland', problems: [], suggestions: [], judged });
    };
    return { told, end: checkUntilJudged(ask, ({ judged }) => told.push(judged), 250) };
  }

  it('is made when typing rests, and again until the judge has spoken', async () => {
    const { told } = checked(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual(['later', 'later', 'yes']);
  });

  it('ends when the name is another', async () => {
    const { told, end } = checked(9);
    await vi.advanceTimersByTimeAsync(1000);
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual(['later']);
  });
});

describe('the calls of the server', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('wait longer for agreement, which is measured, than for what is read', async () => {
    const patience: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      patience.push(ms);
      return new AbortController().signal;
    });
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({})));
    const api = new ApiClient('token');
    await api.me();
    await api.agreement();
    expect(patience).toEqual([20_000, 180_000]);
  });
});

describe('the chunk after a finished one', () => {
  const chunks = [0, 2, 2, 1].map((done, i): ChunkProgress => ({
    chunk: i + 1,
    kind: 'RPL',
    items: 2,
    done,
    skipped: 0,
    drafts: 0,
  }));

  it.each([
    [1, 4],
    [2, 4],
    [4, 1],
  ])('%i is %i', (finished, next) => {
    expect(chunkAfter(chunks, finished)).toBe(next);
  });

  it('is none where no other has work', () => {
    expect(chunkAfter(chunks.slice(1, 3), 2)).toBeUndefined();
    expect(chunkAfter(chunks.slice(0, 1), 1)).toBeUndefined();
  });
});

describe('the return of the server', () => {
  it('is told once all that waited is saved', () => {
    let kinds: readonly SaveState['kind'][] = [];
    let tell = (): void => undefined;
    let told = 0;
    watchReturn(
      {
        watch(listener) {
          tell = () => listener(null);
          return () => undefined;
        },
        unsaved: () => kinds.map((kind) => ({ key: 'k', place: '', state: { kind } as SaveState })),
      },
      () => told++,
    );
    const after = (...next: readonly SaveState['kind'][]): number => {
      kinds = next;
      tell();
      return told;
    };
    expect([after('saving'), after(), after('away', 'away'), after('saving'), after(), after()]).toEqual([
      0, 0, 0, 0, 1, 1,
    ]);
  });
});

describe('a column’s identifier', () => {
  it.each([
    [{ name: 'age', originalName: 'age' }, ''],
    [{ name: 'home town', originalName: 'Home_Town' }, 'Home_Town'],
    [{ name: 'patient name', originalName: 'pat_nm', readingConfidence: 0.863 }, 'pat_nm · read, 86% sure'],
    [{ name: 'dob', originalName: 'dob', readingConfidence: 0.49 }, 'read, 49% sure'],
  ])('is said with what was read in it: %o', (column, expected) => {
    expect(identifierWords({ ...column, type: 'text' }).join(' · ')).toBe(expected);
  });
});
