import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtPageFolder } from '../../../src/annotate/server/page-assets.js';
import { EMPTY_ANSWER } from '../../../src/annotate/web/answer-edits.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { beginWork, idOnScreen, namesTaken, nextColumn, PageBench, saved } from './page-bench.js';

/** Issue 7: the page's first load, all in all. */
const MOST_BYTES = 150_000;

describe('the built page', () => {
  it('is three files of less than 150 KB in all', () => {
    const files = readdirSync(builtPageFolder()).sort();
    expect(files).toEqual(['app.css', 'app.js', 'index.html']);
    const bytes = files.reduce((sum, file) => sum + statSync(join(builtPageFolder(), file)).size, 0);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});

describe.skipIf(!HAS_CHROMIUM)('annotating in a browser (skipped where there is no Chromium)', () => {
  let bench: PageBench;
  let page: Page;
  let name: string;
  beforeAll(async () => {
    bench = await PageBench.start();
  });
  beforeEach(() => {
    name = bench.newcomer();
    bench.complaints.length = 0;
  });
  afterAll(() => bench.close());

  describe('signing in', () => {
    it('says what to do without a link, and takes one that is opened in the same tab', async () => {
      page = bench.watch(await (await bench.newContext()).newPage());
      await page.goto(bench.server.url);
      expect(await page.locator('h1').textContent()).toBe('Open your own link');
      await page.goto(bench.linkOf(name));
      await page.locator('.chunks').waitFor();
      expect(bench.complaints).toEqual([]);
    });

    it('takes the token out of the address and keeps it for the tab', async () => {
      page = await bench.signIn(name);
      await page.locator('.chunks').waitFor();
      expect(page.url()).toBe(`${bench.server.url}/#/`);
      await page.reload();
      await page.locator('.chunks').waitFor();
      expect(await page.locator('.who').textContent()).toBe(name);
    });

    it('says so where the link does not hold', async () => {
      page = await (await bench.newContext()).newPage();
      await page.goto(bench.server.linkOf('wrong'));
      await page.getByRole('heading', { name: 'This link does not let you in' }).waitFor();
      expect(await page.getByRole('alert').textContent()).toMatch(/The server says: \w/);
    });
  });

  describe('by keys alone', () => {
    let id: string;
    beforeEach(async () => {
      page = await bench.signIn(name);
      id = await beginWork(page);
    });
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const focused = (): Promise<string> => page.evaluate('document.activeElement.tagName');

    it('does a whole column and goes to the next', async () => {
      const names = await page.locator('[role=option] .name').allTextContents();
      await press('j', 'j', 'x', '4', 'ArrowUp', 'Space', 'k', 'x', 'x');
      await press('w');
      await page.keyboard.type('name of my own');
      await press('Enter', 'Escape', 'c');
      await page.keyboard.type('Just so.');
      await press('Escape', 'f', 'Enter');
      const next = await nextColumn(page, id);
      expect(await focused()).toBe('H1');
      await page.getByText(/^1 of 10/).waitFor();
      expect(bench.stored(id, name)).toMatchObject({
        state: 'done',
        accepted: names.slice(1, 4),
        written: ['name of my own'],
        comment: 'Just so.',
        flagged: true,
      });
      await press('p');
      expect(await nextColumn(page, next)).toBe(id);
      expect(await page.locator('#comment').inputValue()).toBe('Just so.');
      expect(bench.complaints).toEqual([]);
    });

    it('acts on no key while a text is written', async () => {
      await press('c');
      await page.keyboard.type('junk for s? 12 U');
      await press('Escape');
      await saved(page);
      expect(await idOnScreen(page)).toBe(id);
      expect(await namesTaken(page)).toEqual([]);
      expect(bench.stored(id, name)).toMatchObject({ comment: 'junk for s? 12 U', flagged: false, state: 'draft' });
      expect(await page.locator('dialog').count()).toBe(0);
    });

    it('leaves keys with Ctrl to the browser', async () => {
      await press('Control+1', 'Control+Enter', 'Alt+n');
      expect(await namesTaken(page)).toEqual([]);
      expect(await idOnScreen(page)).toBe(id);
    });

    it('undoes and does again, the handing in too', async () => {
      await press('1', '2', 'u');
      expect(await namesTaken(page)).toHaveLength(1);
      await press('Shift+U');
      expect(await namesTaken(page)).toHaveLength(2);
      await press('Enter');
      const next = await nextColumn(page, id);
      await press('u');
      expect(await nextColumn(page, next)).toBe(id);
      await page.getByText('Undone: handing in.').waitFor();
      await saved(page);
      expect(bench.stored(id, name)).toMatchObject({ state: 'draft', accepted: await namesTaken(page) });
      await page.reload();
      await page.locator('.answer').waitFor();
      await press('u');
      expect(await namesTaken(page)).toHaveLength(1);
    });

    it('skips, and goes back and forth without handing in', async () => {
      await press('s');
      const second = await nextColumn(page, id);
      await press('n');
      const third = await nextColumn(page, second);
      await press('p');
      expect(await nextColumn(page, third)).toBe(second);
      expect(bench.stored(id, name)).toMatchObject({ state: 'skipped' });
      expect(bench.stored(second, name)).toBeNull();
    });

    it('hands in one column, however long the key is held', async () => {
      await press('1');
      await page.keyboard.down('Enter');
      const second = await nextColumn(page, id);
      for (let i = 0; i < 5; i++) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      await press('1');
      await saved(page);
      expect(await idOnScreen(page)).toBe(second);
      expect(bench.stored(second, name)).toMatchObject({ state: 'draft' });
    });

    it('shows scores only when asked', async () => {
      expect(await page.locator('.scores').count()).toBe(0);
      await press('r');
      await page.locator('.scores').first().waitFor();
      expect(await page.locator('.scores').first().textContent()).toContain('similarity 0.80');
      await press('n');
      await nextColumn(page, id);
      expect(await page.locator('.scores').count()).toBe(0);
    });

    it('puts the hardest names first when asked, on every column, and stores none of it', async () => {
      const shownNames = (): Promise<string[]> => page.locator('[role=option] .name').allTextContents();
      const listed = await shownNames();
      expect(await page.getByText('difficulty').count()).toBe(0);
      await press('j', 'd');
      await page.getByText('The hardest names come first.').waitFor();
      const figures = (await page.locator('.scores b').allTextContents()).map(Number);
      expect(figures).toEqual([...figures].sort((a, b) => b - a));
      const hardest = (await shownNames())[0]!;
      expect([...(await shownNames())].sort()).toEqual([...listed].sort());
      await press('1', 'Enter');
      await nextColumn(page, id);
      expect(bench.stored(id, name)).toMatchObject({ state: 'done', accepted: [hardest] });
      await page.locator('.scores').first().waitFor();
      await press('d');
      expect(await page.locator('.scores').count()).toBe(0);
    });

    it('goes through the harder half of a chunk’s columns alone', async () => {
      await page.goto(`${bench.server.url}/#/chunk/1`);
      await page.locator('.rows li').nth(2).waitFor();
      await press('d');
      await expect.poll(() => page.locator('.rows li').count()).toBe(2);
      expect(await page.locator('.rows').textContent()).toContain('home country');
      await press('Enter');
      await page.getByText(/^1 of 2/).waitFor();
      const first = await idOnScreen(page);
      await press('e');
      await nextColumn(page, first);
      await press('e');
      await page.locator('.rows li').nth(1).waitFor();
      await press('d');
      await page.locator('.rows li').nth(2).waitFor();
    });

    it('ends at the list of the chunk, from where the same key leads on to the next', async () => {
      for (let at = id, i = 0; i < 2; i++) {
        await press('e');
        at = await nextColumn(page, at);
      }
      await press('e');
      await page.getByText('All is handed in. Thank you!').waitFor();
      expect(await page.locator('.rows .state.done').count()).toBe(3);
      await page.getByRole('link', { name: 'Next chunk' }).waitFor();
      await press('1', 'Enter');
      await page.getByRole('link', { name: 'Go on' }).waitFor();
      expect(page.url()).not.toMatch(/chunk\/1$/);
      expect(bench.stored(id, name)).toMatchObject({ state: 'done', revision: 1 });
    });

    it('leads to the overview when no chunk has work', async () => {
      const chunks = bench.inProject((project) => project.chunksOf(name).map(({ chunk }) => chunk));
      bench.inProject((project) => {
        for (const item of chunks.flatMap((chunk) => project.itemsOf(name, chunk))) {
          project.save(item.id, name, { ...EMPTY_ANSWER, state: 'done' }, 0);
        }
      });
      await page.goto(`${bench.server.url}/#/chunk/${chunks.at(-1)}`);
      await page.locator('.lede .primary', { hasText: 'Overview' }).waitFor();
      await press('Enter');
      await page.locator('.chunks').waitFor();
    });

    it('hands in nothing where no name was chosen, unless told that none fits', async () => {
      await press('Enter', 'Enter');
      await page.getByText('Nothing is chosen. Press E if no name fits. S skips it.').waitFor();
      expect(await idOnScreen(page)).toBe(id);
      expect(bench.stored(id, name)).toBeNull();
      await press('e');
      const next = await nextColumn(page, id);
      await page.getByText(/→ no name fits\.$/).waitFor();
      await expect.poll(() => bench.stored(id, name)).toMatchObject({ state: 'done', accepted: [], written: [] });
      await press('p');
      await nextColumn(page, next);
      await press('Enter');
      expect(await nextColumn(page, id)).toBe(next);
    });

    it('asks again where all names that were handed in are given back', async () => {
      await press('1', 'Enter');
      const next = await nextColumn(page, id);
      await press('p');
      await nextColumn(page, next);
      await press('1', 'Enter');
      await page.getByText(/^Nothing is chosen/).waitFor();
      await saved(page);
      expect(await idOnScreen(page)).toBe(id);
      expect(bench.stored(id, name)).toMatchObject({ state: 'draft' });
    });

    it('doesn’t say that no name fits of a column with names', async () => {
      const button = page.getByRole('button', { name: 'No name fits' });
      expect(await button.isEnabled()).toBe(true);
      expect(await button.getAttribute('aria-keyshortcuts')).toBe('E');
      await press('1', 'e');
      await page.getByText(/^Chosen: .* Give the names back first if none fits\.$/).waitFor();
      expect(await button.isDisabled()).toBe(true);
      expect(await idOnScreen(page)).toBe(id);
      await press('1');
      await button.click();
      await nextColumn(page, id);
      await expect.poll(() => bench.stored(id, name)).toMatchObject({ state: 'done', accepted: [] });
    });

    it('shows keys, changes one and keeps it', async () => {
      await press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.getByRole('button', { name: 'Next column: N, change' }).press('Enter');
      await press('j');
      await page.getByText('J is already “Next name”.').waitFor();
      await press('z');
      await page.getByRole('button', { name: 'Next column: Z, change' }).waitFor();
      await press('Escape');
      await page.reload();
      await page.locator('.answer').waitFor();
      await press('n');
      await press('z');
      await nextColumn(page, id);
      expect(await page.locator('.bar-steps button', { hasText: 'Next' }).textContent()).toContain('Z');
    });
  });

  describe('names of one’s own', () => {
    beforeEach(async () => {
      page = await bench.signIn(name);
      await beginWork(page);
    });

    it('are checked as they are written, and taken all the same', async () => {
      await page.keyboard.press('w');
      await page.keyboard.type('keeper id');
      await page
        .locator('#own-name-check')
        .getByText(/is already the column “keeper id”|is already/)
        .waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.own').getByText('keeper id', { exact: true }).waitFor();
      await page.locator('.own .doubt').waitFor();
    });

    it('are taken from the list where it has them', async () => {
      const first = (await page.locator('[role=option] .name').first().textContent())!;
      await page.keyboard.press('w');
      await page.keyboard.type(first.toUpperCase());
      await page.keyboard.press('Enter');
      await page.getByText('is in the list: taken there.').waitFor();
      expect(await namesTaken(page)).toEqual([first]);
      expect(await page.locator('.own li').count()).toBe(0);
    });
  });

  it('shows how many columns ADD asks for, and takes what is given', async () => {
    page = await bench.signIn(name);
    const chunks = bench.inProject((project) => project.chunksOf(name));
    const { chunk } = chunks.find(({ kind }) => kind === 'ADD')!;
    await page.goto(`${bench.server.url}/#/chunk/${chunk}`);
    await page.locator('.rows').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.answer').waitFor();
    const id = await idOnScreen(page);
    expect(await page.locator('.count').textContent()).toBe('0 chosen, 3 to 5 asked for');
    expect(await page.locator('#own-name').count()).toBe(0);
    const kinds = await page.locator('[role=option] .origin b').allTextContents();
    expect(kinds).toEqual(['close to its column', 'close to its column', 'belongs to the row']);
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await nextColumn(page, id);
    await page.getByText(/^1 of 10/).waitFor();
    expect(bench.stored(id, name)).toMatchObject({ state: 'done' });
  });

  it('asks nobody but its own server', async () => {
    page = await bench.signIn(name);
    await beginWork(page);
    await page.keyboard.press('1');
    await saved(page);
    await page.keyboard.press('g');
    await page.locator('.prose section').first().waitFor();
    expect([...bench.origins]).toEqual([bench.server.url]);
    expect(bench.complaints).toEqual([]);
  });
});
