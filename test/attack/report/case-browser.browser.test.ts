import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttackCase, AttackReport, PerturbedCase } from '../../../src/attack/attack-report.js';
import { renderAttackPage } from '../../../src/attack/report/attack-page.js';
import { statusOf } from '../../../src/attack/report/case-status.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { ChromiumPage } from '../../report/chromium.js';
import { syntheticDatabases, syntheticReport } from './synthetic-report.js';

const report = syntheticReport({ examples: 90, databases: 6, seeds: [0, 1, 2] });
const markup = renderAttackPage(report, syntheticDatabases());

/** The number of examples and of perturbed cases that the page should find. */
function expected(wanted: (one: AttackCase, variant: PerturbedCase) => boolean): string {
  const found = report.cases.map((one) => one.perturbed.filter((variant) => wanted(one, variant)).length);
  const [examples, cases] = [found.filter((count) => count > 0).length, found.reduce((sum, count) => sum + count, 0)];
  if (examples === 0) return 'No case fits.';
  return `${examples} example${examples === 1 ? '' : 's'}, ${cases} perturbed case${cases === 1 ? '' : 's'}`;
}

describe.skipIf(!HAS_CHROMIUM)('the case browser, in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => {
    browser = await ChromiumPage.start();
    await browser.open(markup);
  });
  afterAll(() => browser.close());

  const textOf = (selector: string): Promise<string> =>
    browser.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const countOf = (selector: string): Promise<number> =>
    browser.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  const choose = (filter: string, value: string): Promise<unknown> =>
    browser.evaluate(`{
      const field = document.querySelector('[data-filter=${filter}]');
      field.value = ${JSON.stringify(value)};
      field.dispatchEvent(new Event('input'));
      new Promise((done) => setTimeout(done, field.type === 'search' ? 250 : 0));
    }`);
  const found = (): Promise<string> => browser.evaluate(`document.getElementById('case-count').value`);

  it('lists pages of examples', async () => {
    expect(await found()).toBe('90 examples, 540 perturbed cases');
    expect(await countOf('#case-list > li')).toBe(20);
    await browser.evaluate(`for (let i = 0; i < 4; i++) document.getElementById('case-next').click()`);
    expect(await textOf('#case-page')).toBe('Page 5 of 5');
    expect(await countOf('#case-list > li')).toBe(10);
    expect(await browser.evaluate(`document.getElementById('case-next').disabled`)).toBe(true);
  });

  it.each<[string, Record<string, string>, (one: AttackCase, variant: PerturbedCase) => boolean]>([
    ['kind', { kind: 'ADD' }, (_, { kind }) => kind === 'ADD'],
    ['seed', { seed: '2' }, (_, { seed }) => seed === 2],
    ['database', { database: 'singer_1' }, ({ dbId }) => dbId === 'singer_1'],
    ['hardness', { hardness: 'extra' }, ({ hardness }) => hardness === 'extra'],
    ['result', { status: 'broken' }, (one, variant) => statusOf(one, variant, 'exact') === 'broken'],
    [
      'result by another metric, and more',
      { status: 'fixed', metric: 'execution', kind: 'RPL' },
      (one, variant) => variant.kind === 'RPL' && statusOf(one, variant, 'execution') === 'fixed',
    ],
    [
      'text of a query and a candidate',
      { search: 'HAVING "years of life"' },
      (one, variant) =>
        one.gold.includes('HAVING') && variant.changes.some(({ candidate }) => candidate === 'years of life'),
    ],
    ['id', { search: 'dev:17' }, ({ id }) => id === 'dev:17'],
    ['nothing', { search: 'no such words' }, () => false],
  ])('filters by %s', async (_, filters, wanted) => {
    for (const [filter, value] of Object.entries(filters)) await choose(filter, value);
    expect(await found()).toBe(expected(wanted));
    await browser.evaluate(`document.getElementById('case-clear').click()`);
    expect(await found()).toBe('90 examples, 540 perturbed cases');
  });

  it('opens the case of an address, beyond the first page, with its changes marked', async () => {
    const one = report.cases.find(({ original }, i) => i > 45 && original.exact === 'correct')!;
    const variant = one.perturbed.find(
      ({ kind, exact, predicted }) => kind === 'RPL' && exact !== 'correct' && predicted,
    )!;
    await browser.open(markup, { hash: `#case=${encodeURIComponent(one.id)}/RPL/${variant.seed}` });
    expect(await textOf('details[open] .question')).toBe(one.question);
    expect(await textOf('.heads .after')).toMatch(new RegExp(`^RPL, seed ${variant.seed}\\s*broken`));
    const [gold, predicted] = [variant.gold, variant.predicted];
    const queries = await browser.evaluate<string[]>(
      `[...document.querySelectorAll('.comparison pre')].map((pre) => pre.textContent)`,
    );
    expect(queries).toEqual([one.gold, gold, one.original.predicted, predicted]);
    const marked = await browser.evaluate<string[]>(
      `[...document.querySelectorAll('.pair .after pre mark.rpl')].map((mark) => mark.textContent)`,
    );
    expect(new Set(marked)).toEqual(new Set(variant.changes.map(({ newName }) => newName)));
    expect(await textOf('.pair .before .table')).toBe(
      `entry: ${['name', 'country', 'year', 'age', 'capacity', 'home_town'].join(' · ')}`,
    );
    expect(await countOf('.pair .before .table mark')).toBe(variant.changes.length);
    expect(await countOf('.pair .after pre u')).toBeGreaterThan(0);
  });

  it('says so where an address names no case', async () => {
    await browser.open(markup, { hash: '#case=dev%3A999' });
    expect(await found()).toBe('There is no case dev:999 in this page.');
  });

  it('shows the cases of a column that breaks', async () => {
    await browser.open(markup);
    await browser.evaluate(
      `document.querySelector('#candidates .add a').click(); new Promise((done) => setTimeout(done, 50))`,
    );
    const [row] = report.candidates.filter(({ kind }) => kind === 'ADD');
    expect(await found()).toBe(
      expected(
        ({ dbId }, { kind, changes }) =>
          kind === 'ADD' &&
          dbId === row!.dbId &&
          changes.some(({ column, candidate }) => column === row!.column && candidate === row!.candidate),
      ),
    );
    expect(await textOf('#case-clear')).toBe(`Only ${row!.table} . ${row!.column}: ${row!.candidate!} ×`);
  });

  it('is worked by keys: an example opens, its seeds are buttons', async () => {
    await browser.open(markup);
    await browser.evaluate(`document.querySelector('#case-list summary').focus()`);
    await browser.press('Enter');
    // That it is open is told to the script by an event of its own.
    await browser.evaluate(`new Promise((done) => {
      const look = () => (document.querySelector('details[open] .comparison') === null ? setTimeout(look, 10) : done());
      look();
    })`);
    expect(await countOf('details[open] .comparison')).toBe(1);
    await browser.press('Tab');
    await browser.press('Tab');
    await browser.press('Enter');
    expect(await textOf('.chip[aria-pressed=true]')).toBe('1');
    expect(await browser.evaluate(`document.activeElement.getAttribute('aria-label')`)).toMatch(/^RPL, seed 1, /);
    expect(await browser.evaluate('location.hash')).toBe('#case=dev%3A0/RPL/1');
  });

  it('takes nothing of the data for markup', async () => {
    const evil = '<img src=x onerror="window.hacked = 1"></script><script>window.hacked = 1</script>';
    const cases = report.cases.slice(0, 2).map((one) => ({
      ...one,
      id: evil,
      dbId: evil,
      question: evil,
      gold: `${one.gold} ${evil}`,
      original: { ...one.original, predicted: evil, cleaned: [evil] },
      perturbed: one.perturbed.map((variant) => ({
        ...variant,
        predicted: evil,
        failure: null,
        changes: variant.changes.map((change) => ({ ...change, table: evil, candidate: evil, newName: evil })),
      })),
    }));
    const hostile: AttackReport = { ...report, cases };
    await browser.open(renderAttackPage(hostile), { hash: `#case=${encodeURIComponent(evil)}/ADD/1` });
    expect(await textOf('details[open] .question')).toBe(evil);
    expect(await textOf('.comparison')).toContain('window.hacked');
    expect(await browser.evaluate('window.hacked ?? null')).toBeNull();
    expect(await countOf('main img, main script')).toBe(0);
  });

  it.each([390, 1280])('stays inside of a screen of %i pixels', async (width) => {
    await browser.open(markup, { width, hash: '#case=dev%3A4/RPL/1' });
    expect(await browser.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('remembers light or dark', async () => {
    const paper = (): Promise<string> => browser.evaluate(`getComputedStyle(document.body).backgroundColor`);
    const light = await paper();
    await browser.evaluate(`document.querySelector('.theme').click()`);
    const dark = await paper();
    expect(dark).not.toBe(light);
    await browser.open(markup, { dark: true });
    expect(await paper()).toBe(dark);
    expect(await textOf('.theme')).toBe('Light mode');
    await browser.evaluate(`document.querySelector('.theme').click()`);
    expect(await paper()).toBe(light);
  });

  it('sorts databases by a heading', async () => {
    await browser.open(markup);
    await browser.evaluate(
      `[...document.querySelectorAll('#databases thead button')].find((one) => one.textContent === 'RPL').click()`,
    );
    const sorted = await browser.evaluate<number[]>(
      `[...document.querySelectorAll('#databases table')[0].tBodies[0].rows].map((row) => Number(row.cells[3].dataset.sort))`,
    );
    expect(sorted).toHaveLength(6);
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
  });

  it('had nothing to complain of', () => {
    expect(browser.complaints).toEqual([]);
  });
});
