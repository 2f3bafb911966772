import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnnotationItem } from '../../../src/annotate/annotation.js';
import { splitItems } from '../../../src/annotate/init/init-split-project.js';
import { mustGet } from '../../../src/present.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { marksAnswer, sampleSplits } from '../split-sample.js';
import { faultsOf } from './axe-faults.js';
import { beginWork, idOnScreen, nextColumn, PageBench, saved } from './page-bench.js';

const ITEMS = splitItems(sampleSplits());
const itemOf = (id: string): AnnotationItem =>
  mustGet(
    ITEMS.find(({ item }) => item.id === id),
    id,
  ).item;
const proposalOf = (id: string): readonly string[] => itemOf(id).split?.proposal ?? [];
const GARDENERS = mustGet(ITEMS[0], 'the first question').item;

/** Words that sub-sentences begin with on the page. */
const begins = (page: Page): Promise<readonly string[]> => page.locator('.token.begins .word').allTextContents();

const marksOn = async (bench: PageBench, page: Page, id: string, name: string): Promise<readonly string[]> => {
  await saved(page);
  return bench.stored(id, name)?.accepted ?? [];
};

async function openQuestion(bench: PageBench, page: Page, name: string): Promise<void> {
  const chunk = bench.inProject((project) => project.chunkOf(GARDENERS.id, name));
  await page.goto(`${bench.server.url}/#/chunk/${chunk}/${encodeURIComponent(GARDENERS.id)}`);
  await page.locator('.tokens').waitFor();
}

async function pressAll(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe.skipIf(!HAS_CHROMIUM)('splitting a question in a browser (skipped where there is no Chromium)', () => {
  let bench: PageBench;
  beforeAll(async () => {
    const annotators = ['Ada', 'Ben', 'Cleo', 'Dora', 'Eva', 'Finn'];
    bench = await PageBench.start({ annotators, items: ITEMS, settings: { overlap: 6 } });
  });
  afterAll(() => bench.close());

  it('is done with the keyboard alone: the proposal is handed in as it is, and the next one opens', async () => {
    const page = await bench.signIn('Ada');
    const id = await beginWork(page);
    await page.keyboard.press('Enter');
    await nextColumn(page, id);
    await expect.poll(() => bench.stored(id, 'Ada')).toMatchObject({ state: 'done', accepted: proposalOf(id) });
    await page.context().close();
  });

  it('sets, unsets and moves breaks, and says clauses, by keys', async () => {
    const page = await bench.signIn('Ben');
    await openQuestion(bench, page, 'Ben');
    expect(await begins(page)).toEqual(['How', 'come']);
    // From "How" to "from": a break there, and none at "come".
    await pressAll(page, ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Space']);
    expect(await begins(page)).toEqual(['How', 'come', 'from']);
    await pressAll(page, ['ArrowLeft', 'x', 'ArrowRight', '2']);
    expect(await begins(page)).toEqual(['How', 'from']);
    expect(await marksOn(bench, page, GARDENERS.id, 'Ben')).toEqual([
      ...['0:clause 0', '0:clause 1', '4:break', '4:clause 1'],
    ]);
    // The begin moves back with what it says; in the table the clause is taken from the first one.
    await pressAll(page, ['Shift+ArrowLeft', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'Space', 'Space']);
    expect(await marksOn(bench, page, GARDENERS.id, 'Ben')).toEqual(['0:clause 0', '3:break', '3:clause 1']);
    await page.keyboard.press('u');
    expect(await marksOn(bench, page, GARDENERS.id, 'Ben')).toContain('0:clause 1 unmentioned');
    await page.keyboard.press('Shift+U');
    await page.keyboard.press('w');
    await page.keyboard.type('gardener.full_name');
    await pressAll(page, ['Enter', 'Escape', 'Enter']);
    await nextColumn(page, GARDENERS.id);
    await expect
      .poll(() => bench.stored(GARDENERS.id, 'Ben'))
      .toMatchObject({
        state: 'done',
        accepted: ['0:clause 0', '0:extra gardener.full_name', '3:break', '3:clause 1'],
      });
    await page.context().close();
  });

  it('is done with the mouse as well', async () => {
    const page = await bench.signIn('Cleo');
    await openQuestion(bench, page, 'Cleo');
    await page.getByRole('option', { name: 'come', exact: false }).click();
    expect(await begins(page)).toEqual(['How']);
    await page.getByRole('option', { name: 'from' }).click();
    await page.getByRole('checkbox', { name: /^B says gardener/ }).click();
    await page.getByRole('checkbox', { name: /^B says gardener/ }).click();
    expect(await marksOn(bench, page, GARDENERS.id, 'Cleo')).toEqual([
      ...['0:clause 0', '0:clause 1', '4:break', '4:clause 1 unmentioned'],
    ]);
    await page.context().close();
  });

  it('speaks of questions, and complains of nothing', async () => {
    const page = await bench.signIn('Ada');
    await page.getByText(/of your 4 questions are handed in/).waitFor();
    await beginWork(page);
    await idOnScreen(page);
    expect(bench.complaints).toEqual([]);
    await page.context().close();
  });

  it('is as it was after the server was killed and the page opened again', async () => {
    const page = await bench.signIn('Dora');
    await openQuestion(bench, page, 'Dora');
    await pressAll(page, ['ArrowRight', 'Space']);
    await saved(page);
    await bench.server.kill();
    await bench.server.start();
    await page.reload();
    await page.locator('.tokens').waitFor();
    expect(await begins(page)).toEqual(['How', 'many', 'come']);
    await page.context().close();
  });

  it('is decided by a reviewer, who adopts an answer and corrects it by keys', async () => {
    bench.inProject((project) => {
      project.save(GARDENERS.id, 'Eva', marksAnswer(['0:clause 0', '0:clause 1'], { comment: 'Not to be split.' }), 0);
      project.save(GARDENERS.id, 'Finn', marksAnswer(['0:clause 0', '3:break', '3:clause 1']), 0);
    });
    const page = await bench.signIn('Rita');
    await page.goto(`${bench.server.url}/#/review/${encodeURIComponent(GARDENERS.id)}`);
    await page.locator('.said-list').first().waitFor();
    await page.getByText('Not to be split.').waitFor();
    expect(await begins(page)).toEqual(['How']);
    const names = await page.locator('.version h3').allTextContents();
    await page.keyboard.press(String(names.findIndex((name) => name.startsWith('Finn')) + 1));
    expect(await begins(page)).toEqual(['How', 'come']);
    await pressAll(page, ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Space', 'Enter']);
    await expect
      .poll(() => bench.inProject((project) => project.adjudication(GARDENERS.id)))
      .toMatchObject({ state: 'done', accepted: ['0:clause 0', '3:break', '3:clause 1 unmentioned'] });
    await page.context().close();
  });

  it.each([
    ['overview', 'Ada', () => '#/', '.chunks'],
    ['chunk', 'Ada', () => '#/chunk/1', '.rows'],
    ['question', 'Ada', (id: string) => `#/chunk/1/${id}`, '.tokens'],
    ['guidelines', 'Ada', () => '#/guidelines', '.prose section'],
    ['review', 'Rita', (id: string) => `#/review/${id}`, '.said-list'],
    ['agreement', 'Rita', () => '#/agreement', '.agreement table'],
  ])('%s: axe finds nothing serious, light or dark, and 390 pixels are enough', async (_, name, hash, ready) => {
    const context = await bench.newContext();
    const page = await bench.openLink(context, name);
    const chunk = bench.inProject((project) => project.itemsOf('Ada', 1));
    const id = name === 'Ada' ? mustGet(chunk[0], 'an item').id : GARDENERS.id;
    await page.goto(`${bench.server.url}/${hash(encodeURIComponent(id))}`);
    await page.locator(ready).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await context.close();
  });
});
