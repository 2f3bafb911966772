import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/annotate/annotation.js';
import { EMPTY_ANSWER } from '../../../src/annotate/web/answer-edits.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { sampleItems } from '../sample-project.js';
import { idOnScreen, nextColumn, PageBench, saved } from './page-bench.js';

const ITEMS = sampleItems().map(({ item }) => item);

describe.skipIf(!HAS_CHROMIUM)('reviewing in a browser (skipped where there is no Chromium)', () => {
  let bench: PageBench;
  let page: Page;
  const taking = (names: readonly string[], more: Partial<Answer> = {}): Answer => ({
    ...EMPTY_ANSWER,
    state: 'done',
    accepted: names,
    ...more,
  });
  const nameOf = (item: number, candidate: number): string => ITEMS[item]!.candidates[candidate]!.name;

  beforeAll(async () => {
    bench = await PageBench.start({});
    bench.inProject((project) => {
      const save = (item: number, person: string, answer: Answer): void => {
        project.save(ITEMS[item]!.id, person, answer, 0);
      };
      save(0, 'Ada', taking([nameOf(0, 0), nameOf(0, 1)], { written: ['what they go by'], flagged: true }));
      save(0, 'Ben', taking([nameOf(0, 1), nameOf(0, 2)], { comment: 'The first is too long.' }));
      save(1, 'Ada', taking([nameOf(1, 0)]));
      save(1, 'Ben', taking([nameOf(1, 2), nameOf(1, 5)]));
      save(2, 'Ada', taking([nameOf(2, 0)]));
      save(2, 'Ben', taking([nameOf(2, 0)]));
    });
    page = await bench.signIn('Rita');
  });
  afterAll(() => bench.close());

  const decision = (): Promise<readonly string[]> => page.locator('tr:has(input:checked) .name').allTextContents();

  it('says on the overview how many wait, and leads there by the key that goes on', async () => {
    await page.getByRole('link', { name: 'Review · 2 to decide' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.rows').waitFor();
    expect(page.url()).toMatch(/#\/review$/);
  });

  it('goes to agreement and back by keys that the shell shows', async () => {
    const links = page.getByRole('navigation', { name: 'Screens' });
    expect(await links.locator('kbd').allTextContents()).toEqual(['H', 'G', 'V', 'A']);
    await page.keyboard.press('a');
    await page.locator('.agreement').first().waitFor();
    await page.keyboard.press('v');
    await page.locator('.rows').waitFor();
  });

  it('has two answers and the decision next to the names at 390 pixels', async () => {
    const context = await bench.newContext(390);
    const phone = await bench.openLink(context, 'Rita');
    await phone.evaluate(`location.hash = '#/review/${encodeURIComponent(ITEMS[1]!.id)}'`);
    await phone.locator('.votes').waitFor();
    const beyond = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroller:has(> .votes)'))`;
    expect(await phone.evaluate(beyond)).toBe(0);
    await context.close();
  });

  it('lists what annotators differ on first', async () => {
    expect(await page.locator('.rows .name').allTextContents()).toEqual([ITEMS[0]!.column, ITEMS[1]!.column]);
    await page.getByRole('button', { name: 'All 3' }).click();
    expect(await page.locator('.rows li').count()).toBe(3);
  });

  it('shows answers side by side, adopts and merges them by keys, and decides', async () => {
    await page.getByRole('button', { name: 'To decide 2' }).click();
    await page.getByRole('link', { name: 'Go on' }).press('Enter');
    await page.locator('.votes').waitFor();
    const id = await idOnScreen(page);
    expect(id).toBe(ITEMS[0]!.id);
    const heads = await page.locator('.votes thead th').allTextContents();
    expect(heads.map((head) => head.split(' ')[0])).toEqual(['Name', 'Ada', 'Ben', 'Decision']);
    expect(await page.locator('.votes tbody .name').allTextContents()).toEqual([
      nameOf(0, 1),
      nameOf(0, 0),
      nameOf(0, 2),
      'what they go by',
    ]);
    await page.getByText('The first is too long.').waitFor();
    await page.keyboard.press('2');
    expect(await decision()).toEqual([nameOf(0, 1), nameOf(0, 2)]);
    await page.keyboard.press('m');
    expect(await decision()).toEqual([nameOf(0, 1)]);
    await page.keyboard.press('Shift+M');
    expect(await decision()).toHaveLength(4);
    await page.keyboard.press('u');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    expect(await decision()).toEqual([nameOf(0, 1), nameOf(0, 0)]);
    await page.keyboard.press('l');
    await page.getByRole('checkbox', { name: `${nameOf(0, 4)} in the decision` }).press('Space');
    await saved(page);
    await page.keyboard.press('Enter');
    expect(await nextColumn(page, id)).toBe(ITEMS[1]!.id);
    await expect
      .poll(() => bench.inProject((project) => project.adjudication(id)), { timeout: 30_000 })
      .toMatchObject({
        annotator: 'Rita',
        state: 'done',
        accepted: [nameOf(0, 0), nameOf(0, 1), nameOf(0, 4)],
      });
  });

  it('shows agreement figures', async () => {
    await page.getByRole('link', { name: 'Agreement' }).click();
    await page.locator('.agreement table').first().waitFor();
    expect(await page.locator('.agreement tbody th').first().textContent()).toBe('All');
    expect(await page.locator('.agreement tbody td').first().textContent()).toBe('3');
    expect(await page.locator('.agreement tbody b').first().textContent()).toMatch(/^-?[01]\.\d\d$/);
  });

  it('says of additions what they go with', async () => {
    await page.goto(`${bench.server.url}/#/review/${encodeURIComponent(ITEMS[1]!.id)}`);
    const votes = page.locator('.votes');
    await votes.getByText(nameOf(1, 5), { exact: true }).waitFor();
    expect(await votes.locator('tbody th').allTextContents()).toEqual([
      `${nameOf(1, 0)}close to its column`,
      `${nameOf(1, 2)}belongs to the row`,
      nameOf(1, 5),
    ]);
  });

  it('had nothing to complain of', () => {
    expect(bench.complaints).toEqual([]);
  });

  it('is no business of annotators', async () => {
    const ada = await bench.signIn('Ada');
    expect(await ada.getByRole('link', { name: 'Review' }).count()).toBe(0);
    await ada.keyboard.press('v');
    expect(ada.url()).toMatch(/#\/$/);
    await ada.goto(`${bench.server.url}/#/review/${encodeURIComponent(ITEMS[0]!.id)}`);
    await ada.getByRole('alert').waitFor();
    expect(await ada.locator('.votes').count()).toBe(0);
  });
});

describe.skipIf(!HAS_CHROMIUM)('the qualification round in a browser (skipped where there is no Chromium)', () => {
  let bench: PageBench;
  let page: Page;
  beforeAll(async () => {
    bench = await PageBench.start({ settings: { qualification: { required: true, passMark: 0.75 } } });
    page = await bench.signIn('Ada');
  });
  afterAll(() => bench.close());

  /** Answers each item of the round by keys, as `takes` says. */
  async function takeRound(takes: (known: readonly string[]) => readonly string[]): Promise<void> {
    const round = bench.inProject((project) => project.qualificationItems());
    for (const { item, known } of round) {
      await page.locator(`.answer[data-item="${item.id}"]`).waitFor();
      for (const name of takes(known)) {
        await page.locator('[role=option]', { has: page.getByText(name, { exact: true }) }).click();
      }
      await page.keyboard.press(takes(known).length === 0 ? 'e' : 'Enter');
    }
    await page.locator('.feedback').waitFor();
  }

  it('comes before the chunks', async () => {
    await page.getByRole('heading', { name: 'First, a short round with known answers' }).waitFor();
    expect(await page.locator('.chunks a').count()).toBe(0);
    await page.getByRole('link', { name: 'Start the round' }).click();
  });

  it('says nothing of where invented names come from', async () => {
    await page.locator('[role=option]').first().waitFor();
    expect((await page.locator('.origin').allTextContents()).join('')).toBe('');
  });

  it('takes no silence for an answer', async () => {
    const place = page.getByText(/^1 of 10/);
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is chosen. Press E if no name fits.').waitFor();
    expect(await place.count()).toBe(1);
    for (let i = 1; i < 10; i++) await page.keyboard.press('n');
    await page.keyboard.press('e');
    await page.getByText('This one is still open.').waitFor();
    expect(await place.count()).toBe(1);
  });

  it('tells what was missed and why, and can be taken again', async () => {
    await takeRound(() => []);
    expect(await page.locator('h1').textContent()).toMatch(/^\d+% this time$/);
    expect(await page.locator('.feedback').textContent()).toContain('Missed: ');
    await page.getByRole('button', { name: 'Try again' }).click();
  });

  it('opens the chunks once it is passed', async () => {
    await takeRound((known) => known);
    expect(await page.locator('h1').textContent()).toBe('Passed with 100%');
    await page.getByRole('link', { name: 'To the chunks' }).click();
    await page.locator('.chunks a').first().waitFor();
    expect(bench.complaints).toEqual([]);
  });
});
