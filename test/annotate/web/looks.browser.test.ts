import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectItem } from '../../../src/annotate/project/project-content.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { sampleItems } from '../sample-project.js';
import { faultsOf } from './axe-faults.js';
import { PageBench } from './page-bench.js';

interface Screen {
  readonly name: string;
  readonly person: string | null;
  readonly hash: (bench: PageBench) => string;
  /** Is there once the screen is. */
  readonly ready: string;
  readonly then?: (page: Page) => Promise<void>;
}

const [RPL, ADD] = sampleItems().map(({ item }) => item);
const work = (bench: PageBench, id: string): string => {
  const chunk = bench.inProject((project) => project.chunkOf(id, 'Ada'));
  return `#/chunk/${chunk}/${encodeURIComponent(id)}`;
};

const SCREENS: readonly Screen[] = [
  { name: 'sign-in', person: null, hash: () => '', ready: '.sign-in' },
  { name: 'home', person: 'Ada', hash: () => '#/', ready: '.chunks' },
  { name: 'chunk', person: 'Ada', hash: () => '#/chunk/1', ready: '.rows' },
  {
    name: 'work on RPL, with all that can be open',
    person: 'Ada',
    hash: (bench) => work(bench, RPL!.id),
    ready: '.answer',
    then: async (page) => {
      for (const key of ['1', 'j', 'f', 'r', 'd']) await page.keyboard.press(key);
      await page.locator('.scores').first().waitFor();
      await page.keyboard.press('w');
      await page.keyboard.type('keeper id');
      await page.keyboard.press('Enter');
      await page.locator('.own .doubt').waitFor();
    },
  },
  { name: 'work on ADD', person: 'Ada', hash: (bench) => work(bench, ADD!.id), ready: '.answer' },
  {
    name: 'keys',
    person: 'Ada',
    hash: () => '#/',
    ready: '.chunks',
    then: async (page) => {
      await page.keyboard.press('?');
      await page.locator('dialog').waitFor();
    },
  },
  { name: 'guidelines', person: 'Ada', hash: () => '#/guidelines', ready: '.prose section' },
  { name: 'qualification', person: 'Ada', hash: () => '#/qualification', ready: '.answer' },
  {
    name: 'feedback',
    person: 'Ada',
    hash: () => '#/qualification',
    ready: '.answer',
    then: async (page) => {
      while ((await page.locator('.answer').count()) > 0) await page.keyboard.press('e');
      await page.locator('.feedback').waitFor();
    },
  },
  { name: 'home of a reviewer', person: 'Rita', hash: () => '#/', ready: '.lede .primary' },
  { name: 'review', person: 'Rita', hash: () => '#/review', ready: '.rows' },
  {
    name: 'adjudication',
    person: 'Rita',
    hash: () => `#/review/${encodeURIComponent(RPL!.id)}`,
    ready: '.votes',
    then: (page) => page.keyboard.press('m'),
  },
  { name: 'agreement', person: 'Rita', hash: () => '#/agreement', ready: '.agreement table' },
];

async function openScreen(bench: PageBench, page: Page, { person, hash, ready, then }: Screen): Promise<void> {
  if (person === null) await page.goto(bench.server.url);
  else {
    await page.goto(bench.linkOf(person));
    await page.locator('.banner').waitFor();
    await page.goto(`${bench.server.url}/${hash(bench)}`);
  }
  await page.locator(ready).first().waitFor();
  await then?.(page);
}

describe.skipIf(!HAS_CHROMIUM)('every screen (skipped where there is no Chromium)', () => {
  let bench: PageBench;
  beforeAll(async () => {
    bench = await PageBench.start({ annotators: ['Ada', 'Ben', 'Cleo'], settings: { overlap: 3 } });
    bench.inProject((project) => {
      for (const [i, name] of ['Ben', 'Cleo'].entries()) {
        const answer = { state: 'done', written: [], comment: 'As said.', flagged: i === 0 } as const;
        project.save(RPL!.id, name, { ...answer, accepted: [RPL!.candidates[i]!.name, RPL!.candidates[2]!.name] }, 0);
      }
    });
  });
  afterAll(() => bench.close());

  it.each(SCREENS.map((screen) => [screen.name, screen] as const))(
    '%s: axe finds nothing serious, light or dark; 390 pixels are enough',
    async (_, screen) => {
      const context = await bench.newContext();
      const page = bench.watch(await context.newPage());
      await openScreen(bench, page, screen);
      expect(await faultsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faultsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await context.close();
    },
  );

  it.each([1280, 390])(
    'at %i pixels what is said stands above the steps, and at 1280 next to table and questions',
    async (width) => {
      const context = await bench.newContext(width);
      const page = bench.watch(await context.newPage());
      await openScreen(bench, page, { name: '', person: 'Ada', hash: () => work(bench, ADD!.id), ready: '.answer' });
      await page.keyboard.press('Shift+U');
      await page.locator('.said.shown').waitFor();
      const [said, bar, left] = await Promise.all(
        ['.said', '.bar', '.surroundings'].map(async (part) => (await page.locator(part).boundingBox())!),
      );
      expect(said!.y + said!.height).toBeLessThanOrEqual(bar!.y);
      if (width === 1280) expect(said!.x).toBeGreaterThanOrEqual(left!.x + left!.width);
      await page.keyboard.press('h');
      await page.locator('.chunks').waitFor();
      expect(await page.locator('.said.shown').count()).toBe(0);
      await context.close();
    },
  );

  it('at 390 pixels the first screen has names to choose, and steps that are needed less are asked for', async () => {
    const context = await bench.newContext(390);
    const page = bench.watch(await context.newPage());
    await openScreen(bench, page, { name: '', person: 'Ada', hash: () => work(bench, ADD!.id), ready: '.answer' });
    const [bar, second] = await Promise.all(
      [page.locator('.bar'), page.getByRole('option').nth(1)].map(async (part) => (await part.boundingBox())!),
    );
    expect(bar!.height).toBeLessThan(100);
    expect(second!.y + second!.height).toBeLessThanOrEqual(bar!.y);
    const redo = page.getByRole('button', { name: 'Redo' });
    expect(await redo.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'More steps' }).click();
    expect(await redo.isVisible()).toBe(true);
    await context.close();
  });

  it('the button of a chunk keeps its words on one line', async () => {
    const page = await bench.signIn('Cleo');
    const box = await page.locator('.chunks .primary').boundingBox();
    expect(box!.height).toBeLessThan(40);
    await page.context().close();
  });
});

const EVIL = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>';
const LONG = 'w'.repeat(150);

/** An item each of whose texts is markup or longer than a screen. */
function hostileItem(id: string, kind: 'RPL' | 'ADD'): ProjectItem {
  const column = { name: EVIL, originalName: EVIL, type: 'text' } as const;
  const place = { dbId: EVIL, table: EVIL, tableOriginal: LONG, column: EVIL, columnOriginal: EVIL };
  const origin = { table: EVIL, title: EVIL, column: LONG };
  return {
    item: {
      ...place,
      id,
      kind,
      type: 'text',
      candidates: [EVIL, LONG].map((name) => ({ name, source: 'retrieval', origin })),
    },
    context: {
      entity: EVIL,
      columns: [column, { ...column, originalName: LONG }],
      rows: [[EVIL, LONG]],
      questions: [{ id: '1', question: EVIL, query: `SELECT ${LONG} FROM ${EVIL}` }],
    },
    scores: [{ name: EVIL, bucket: EVIL, reason: EVIL, similarity: 0.5, association: null, e1: 0.5, e2: 0.5 }],
  };
}

describe.skipIf(!HAS_CHROMIUM)('hostile names (skipped where there is no Chromium)', () => {
  const person = '<b onclick="x()">Ada</b>';
  let bench: PageBench;
  beforeAll(async () => {
    const items = [hostileItem('evil/RPL', 'RPL'), hostileItem('evil/ADD', 'ADD')];
    bench = await PageBench.start({ annotators: [person, 'Ben'], settings: { name: EVIL }, items });
    bench.inProject((project) => {
      const answer = { state: 'done', accepted: [EVIL], written: [EVIL], comment: EVIL, flagged: true } as const;
      project.save('evil/RPL', person, { ...answer, written: [LONG] }, 0);
      project.save('evil/RPL', 'Ben', { ...answer, accepted: [] }, 0);
    });
  });
  afterAll(() => bench.close());

  it.each([
    ['annotator', person, () => '#/chunk/1/evil%2FRPL', '.answer'],
    ['reviewer', 'Rita', () => '#/review/evil%2FRPL', '.votes'],
    ['annotator, in the list', person, () => '#/chunk/1', '.rows'],
    ['reviewer, in the list', 'Rita', () => '#/review', '.rows'],
  ])('are text to the %s, and no wider than the screen', async (_, name, hash, ready) => {
    const context = await bench.newContext(390);
    const page = bench.watch(await context.newPage());
    await openScreen(bench, page, { name: '', person: name, hash, ready });
    expect(await page.locator('main').textContent()).toContain(EVIL);
    expect(await page.locator('main img, main script, main b[onclick]').count()).toBe(0);
    expect(await page.evaluate('window.hacked ?? null')).toBeNull();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await context.close();
  });

  it('tempt the page to no foreign request', () => {
    expect(bench.complaints).toEqual([]);
    expect([...bench.origins]).toEqual([bench.server.url]);
  });
});
