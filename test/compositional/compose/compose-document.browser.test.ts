import { describe, expect, it } from 'vitest';
import { renderComposed } from '../../../src/cli/compose-lines.js';
import { composeCases, composeDocument } from '../../../src/compositional/compose/report/compose-document.js';
import type { ComposeReport } from '../../../src/compositional/compose/report/compose-report.js';
import { plainText } from '../../../src/report/document/document.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { ChromiumPage } from '../../report/chromium.js';
import { APPENDED, composedReport, REPLACED } from './composed-report.js';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const pageOf = (changes: Partial<ComposeReport> = {}): string =>
  renderDocument(composeDocument(composedReport(changes)));
const headlineOf = (changes: Partial<ComposeReport> = {}): string =>
  plain(composeDocument(composedReport(changes)).headline);
const NONE = { total: 0, or: 0, deep: 0, hardness: { easy: 0, medium: 0, hard: 0, extra: 0 } };
const chapterOf = (id: string, changes: Partial<ComposeReport> = {}) =>
  composeDocument(composedReport(changes)).chapters.find((chapter) => chapter.id === id);

describe('the headline', () => {
  it('says how many new questions there are of how many, and that their results were checked', () => {
    expect(headlineOf()).toBe('2 new questions from 2; the results of all 2 were checked');
    const { written } = composedReport();
    expect(headlineOf({ written: { ...written, APP: NONE } })).toBe('1 new question from 2; its result was checked');
  });

  it('claims nothing of results where nothing was executed', () => {
    expect(headlineOf({ executed: false })).toBe('2 new questions from 2; no gold query was executed');
    expect(plainText(composeDocument(composedReport({ executed: false })).lede)).not.toContain('was executed');
  });

  it('says so where nothing could be composed', () => {
    const nothing = { written: { SUB: NONE, APP: NONE }, made: 0, samples: [] };
    expect(headlineOf(nothing)).toBe('No new question could be composed from 2');
    const document = composeDocument(composedReport(nothing));
    expect(document.plot).toBeNull();
    expect(document.chapters.map(({ id }) => id)).not.toContain('questions');
    expect(renderDocument(document)).toContain('</html>');
  });

  it('says what a budget kept', () => {
    const lede = plainText(composeDocument(composedReport({ made: 9 })).lede);
    expect(plain(lede)).toContain('Of 9 that could be made these are kept.');
  });
});

describe('the plot', () => {
  it('has a bar for each kind and hardness that there is', () => {
    const lanes = composeDocument(composedReport()).plot?.groups.flatMap((group) => group.lanes) ?? [];
    expect(lanes.map(({ label, figure }) => `${label}: ${figure}`)).toEqual([
      'Part replaced, easy: 1',
      'Part appended, medium: 1',
    ]);
  });
});

describe('a composed question', () => {
  const [replaced, appended] = composeCases(composedReport()).cases;
  const textsOf = (parts: NonNullable<typeof replaced>['parts'], of: string | null) =>
    (parts ?? []).filter((part) => part.of === of).map(({ text }) => text);

  it('is marked by the parents that its parts come from, without the spaces between', () => {
    expect(replaced?.parts?.map(({ text }) => text).join('')).toBe(REPLACED.question);
    expect(textsOf(replaced?.parts, 'first')).toEqual(['Show the names of all gardeners']);
    expect(textsOf(replaced?.parts, 'second')).toEqual(['who were born before 1980']);
    expect(textsOf(appended?.parts, null)).toEqual([' and ', '.']);
  });

  it('is shown with its gold query and both parents, their parts marked', () => {
    const [gold, first, second] = replaced?.sides[0].queries ?? [];
    expect([gold?.sql, gold?.against]).toEqual([REPLACED.query, REPLACED.asked[0].query]);
    expect([first?.label, second?.label]).toEqual(['First parent, dev:0', 'Second parent, dev:1']);
    expect(textsOf(first?.asked, 'first')).toEqual(['Show the names of all gardeners']);
    expect(textsOf(second?.asked, 'second')).toEqual(['who were born before 1980']);
    const [, whole] = appended?.sides[0].queries ?? [];
    expect(textsOf(whole?.asked, 'first').join(' ')).toBe('Show the names of all gardeners who come from Portugal');
  });

  it('tells in a few words what was done', () => {
    expect(replaced?.gloss).toBe('“who come from Portugal” → “who were born before 1980”');
    expect(appended?.gloss).toBe('+ and “who were born before 1980”');
  });

  it('leaves a parent unmarked that words its part otherwise', () => {
    const asked = [REPLACED.asked[0], { ...REPLACED.asked[1], question: 'Who is old?' }] as const;
    const [one] = composeCases(composedReport({ samples: [{ ...REPLACED, asked }] })).cases;
    expect(one?.sides[0].queries[2]?.asked).toEqual([{ text: 'Who is old?', of: null }]);
  });

  it('is shown alone where a report of an earlier version has no questions of parents', () => {
    const { asked: _, ...old } = REPLACED;
    const [one] = composeCases(composedReport({ samples: [old] })).cases;
    expect(one?.sides[0].queries.map(({ label }) => label)).toEqual(['Gold query']);
  });

  it('is shown with the rows of its gold query next to those of its first parent, where it was executed', () => {
    const parent = { columns: ['full_name'], rows: [['Ines Duarte'], ['Rui Faria']], count: 2, differing: [1] };
    const composed = { ...parent, rows: [['Ines Duarte']], count: 1, differing: [] };
    const [one, other] = composeCases(
      composedReport({ samples: [{ ...REPLACED, rows: { parent, composed } }, APPENDED] }),
    ).cases;
    expect(one?.given).toEqual([
      { label: 'Rows of the first parent', ...parent },
      { label: 'Rows of the composed query', ...composed },
    ]);
    expect(other).not.toHaveProperty('given');
  });

  it('is one of a sample where there are more', () => {
    const { written } = composedReport();
    const note = chapterOf('questions', { written: { ...written, SUB: { ...written.SUB, total: 700 } } })?.note ?? '';
    expect(plain(plainText(note))).toContain('Shown are 2 of 701 questions');
  });
});

describe('pairs that were not composed', () => {
  it('are counted by rule at the end, the rule that refused most first', () => {
    const section = chapterOf('refused')?.sections[0];
    if (section?.kind !== 'table') throw new Error('there is no table');
    expect(section.rows.map(({ cells: [, , , sub, app] }) => [sub, app])).toEqual([
      [698, 497],
      [1, 2],
      [0, 0],
    ]);
    expect(chapterOf('refused')?.note).toMatch(/Of 1,200.pairs/u);
  });
});

describe('a page of compose', () => {
  it('loads nothing, escapes what it shows, and is deterministic', () => {
    const page = pageOf();
    expect(page).not.toMatch(/https?:\/\/|\bsrc=/);
    expect(page).toContain('frames &lt;fit&gt;');
    expect(page).toContain('<mark class="second" title="from the second parent">who were born before 1980</mark>');
    expect(pageOf()).toBe(page);
  });
});

describe('the lines of compose', () => {
  it('are the headline and the kinds of the page, then the rules and the files', () => {
    const lines = renderComposed({ report: composedReport({ made: 9 }), unusable: [], fresh: false }, 'RUN');
    expect(lines[0]).toBe('already complete: 2 new questions from 2; the results of all 2 were checked');
    expect(lines).toContain('  refused: or-of-two 1,195, same-frame 3');
    expect(lines).toContain('  kept 2 of 9 that could be made');
    expect(lines.find((line) => line.startsWith('Part appended (CG-APP)'))).toMatch(/ 1 +0 +1 +0 +0/);
    expect(lines.at(-1)).toMatch(/report\.html$/);
  });
});

describe.skipIf(!HAS_CHROMIUM)('the list of questions, in a browser (skipped where there is no Chromium)', () => {
  it('is filtered by kind, hardness and database, and opens what is followed', { timeout: 60_000 }, async () => {
    const elsewhere = { ...APPENDED, id: 'dev:8~AND(dev:9)', db_id: 'planetarium', hardness: null };
    const browser = await ChromiumPage.start();
    try {
      await browser.open(pageOf({ samples: [REPLACED, APPENDED, elsewhere] }));
      const choose = (filter: string, value: string): Promise<unknown> =>
        browser.evaluate(`new Promise((done) => {
          const field = document.querySelector('[data-filter=${filter}]');
          field.value = ${JSON.stringify(value)};
          field.dispatchEvent(new Event('input'));
          setTimeout(() => done(document.getElementById('case-count').value), 300);
        })`);
      expect(await choose('status', 'APP')).toBe('2 of 3 questions');
      expect(await choose('hardness', 'medium')).toBe('1 of 3 questions');
      await browser.evaluate(`document.querySelector('#case-list a').click()`);
      const marks = `[...document.querySelectorAll('#case-open h3 mark')].map((mark) => mark.className + ': ' + mark.textContent)`;
      await expect
        .poll(() => browser.evaluate<string[]>(marks))
        .toEqual([
          'first: Show the names of all gardeners who come from Portugal',
          'second: who were born before 1980',
        ]);
      expect(await choose('status', '')).toBe('1 of 3 questions');
      expect(await choose('hardness', '')).toBe('3 questions');
      expect(await choose('database', 'planetarium')).toBe('1 of 3 questions');
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
