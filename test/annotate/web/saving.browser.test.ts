import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { faultsOf } from './axe-faults.js';
import { beginWork, LAUNCH, namesTaken, nextColumn, PageBench, saved } from './page-bench.js';

describe.skipIf(!HAS_CHROMIUM)('nothing is lost (skipped where there is no Chromium)', () => {
  let bench: PageBench;
  beforeEach(async () => {
    bench = await PageBench.start({});
  });
  afterEach(() => bench.close());

  const status = (page: Page, state: string): Promise<void> => page.locator(`[data-save=${state}]`).waitFor();
  const comment = async (page: Page, text: string): Promise<void> => {
    await page.locator('#comment').fill(text);
  };

  it('when the server is killed in mid-save, and comes back', async () => {
    const page = await bench.signIn('Ada');
    const id = await beginWork(page);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.keyboard.press('1');
    await sent;
    await bench.server.kill();
    await page.keyboard.press('2');
    await comment(page, 'written while it was away');
    await status(page, 'away');
    expect(await page.locator('[data-save]').textContent()).toMatch(/^Not saved: server is away, kept here/);
    await bench.server.start();
    await page.getByText('Saved: the server is back.').waitFor();
    await saved(page);
    expect(bench.stored(id, 'Ada')).toMatchObject({
      accepted: await namesTaken(page),
      comment: 'written while it was away',
      state: 'draft',
    });
    expect(await namesTaken(page)).toHaveLength(2);
    expect(bench.inProject((project) => project.conflicts(id, 'Ada'))).toEqual([]);
  });

  it('never says saved before the server has confirmed it', async () => {
    const page = await bench.signIn('Ada');
    const id = await beginWork(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const arrived = new Promise<void>((resolve) => {
      void page.route('**/answer', async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      });
    });
    await page.keyboard.press('1');
    await arrived;
    // It is on the disk; the page has not heard so.
    expect(bench.stored(id, 'Ada')?.accepted).toHaveLength(1);
    expect(await page.locator('[data-save]').getAttribute('data-save')).toBe('saving');
    release();
    await saved(page);
  });

  it('when the browser is closed while the server is away', async () => {
    const profile = join(bench.folder, 'profile');
    const first = await chromium.launchPersistentContext(profile, LAUNCH);
    const page = await bench.openLink(first, 'Ada');
    const id = await beginWork(page);
    await page.keyboard.press('1');
    await saved(page);
    await bench.server.kill();
    await page.keyboard.press('3');
    await page.keyboard.press('Enter');
    // The next column can't be loaded from a server that is away: the page waits for it.
    await page.getByText('The server is away.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await first.close();
    await bench.server.start();
    expect(bench.stored(id, 'Ada')).toMatchObject({ state: 'draft', revision: 1 });
    const second = await chromium.launchPersistentContext(profile, LAUNCH);
    const again = await bench.openLink(second, 'Ada');
    await again.getByText(/^1 of 10/).waitFor();
    expect(bench.stored(id, 'Ada')).toMatchObject({ state: 'done', revision: 2 });
    expect(bench.stored(id, 'Ada')?.accepted).toHaveLength(2);
    await second.close();
  });

  it('when one person works on a column in two tabs: both versions are shown, one is chosen', async () => {
    const context = await bench.newContext();
    const [here, there] = [await bench.openLink(context, 'Ada'), await bench.openLink(context, 'Ada')];
    const id = await beginWork(here);
    await beginWork(there);
    await there.keyboard.press('2');
    await saved(there);
    await here.keyboard.press('1');
    await status(here, 'conflict');
    await here.getByRole('heading', { name: 'This answer was saved elsewhere in the meantime' }).waitFor();
    const [mine, theirs] = await here.locator('.version .names').allTextContents();
    expect([mine, theirs]).toEqual([...(await namesTaken(here)), ...(await namesTaken(there))]);
    expect(await here.evaluate('document.activeElement.id')).toBe('conflict');
    expect(await faultsOf(here)).toEqual([]);
    await here.keyboard.press('Enter');
    expect(bench.stored(id, 'Ada')).toMatchObject({ accepted: [theirs], revision: 1 });
    await here.getByRole('button', { name: 'Keep this one' }).press('Enter');
    await saved(here);
    expect(bench.stored(id, 'Ada')).toMatchObject({ accepted: [mine], revision: 2 });

    await there.keyboard.press('3');
    await status(there, 'conflict');
    await there.getByRole('button', { name: 'Take the saved one' }).click();
    await saved(there);
    expect(await namesTaken(there)).toEqual([mine]);
    expect(bench.stored(id, 'Ada')).toMatchObject({ accepted: [mine], revision: 2 });
    // The losing version is kept on the server too, and can be taken after all.
    await there.reload();
    await there.getByText('Kept versions: 2').click();
    await there.locator('.kept-versions button').last().click();
    await saved(there);
    expect(await namesTaken(there)).toHaveLength(2);
  });

  it('when two annotators work at once: each sees their own alone', async () => {
    const [ada, ben] = await Promise.all([bench.signIn('Ada'), bench.signIn('Ben')]);
    const [adas, bens] = [await beginWork(ada), await beginWork(ben)];
    await Promise.all([ada.keyboard.press('1'), ben.keyboard.press('2')]);
    await Promise.all([saved(ada), saved(ben)]);
    await Promise.all([ada.keyboard.press('Enter'), ben.keyboard.press('s')]);
    await Promise.all([nextColumn(ada, adas), nextColumn(ben, bens)]);
    await Promise.all([ada.getByText(/^1 of 10/).waitFor(), ben.getByText(/^1 of 10/).waitFor()]);
    expect(bench.stored(adas, 'Ada')).toMatchObject({ state: 'done', revision: 2 });
    expect(bench.stored(bens, 'Ben')).toMatchObject({ state: 'skipped', revision: 2 });
    const other = `${bench.server.url}/#/chunk/1/${encodeURIComponent(adas)}`;
    await ben.goto(other);
    await ben.locator('.answer').waitFor();
    expect(await namesTaken(ben)).toHaveLength(adas === bens ? 1 : 0);
  });

  it('when the server refuses: it says why, and keeps the answer', async () => {
    const page = await bench.signIn('Ada');
    await beginWork(page);
    await page.route('**/answer', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'this link was renewed' } } }),
    );
    await page.keyboard.press('1');
    await status(page, 'refused');
    expect(await page.locator('[data-save]').textContent()).toBe('Not saved, kept here: this link was renewed');
    await page.keyboard.press('h');
    await page.getByRole('heading', { name: 'Not saved yet' }).waitFor();
    await page.unroute('**/answer');
    await page.reload();
    await page.getByRole('heading', { name: 'Your chunks' }).waitFor();
    await page.getByRole('heading', { name: 'Not saved yet' }).waitFor({ state: 'hidden' });
    await beginWork(page);
    await saved(page);
    expect(await namesTaken(page)).toHaveLength(1);
  });
});
