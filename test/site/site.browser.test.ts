import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { faultsOf } from '../annotate/web/axe-faults.js';
import { LAUNCH } from '../annotate/web/page-bench.js';
import { HAS_CHROMIUM } from '../chromium-path.js';
import { PROJECT } from '../docs/markdown-pages.js';
import { StaticServer } from './static-server.js';

// axe looks at every element, three times a page.
vi.setConfig({ testTimeout: 240_000 });

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'perturbql-site-'));
// Within the project: pages import packages.
const site = join(PROJECT, 'build/site-of-test');
const dist = join(site, 'dist');

/** Builds the site, which checks every link. */
beforeAll(async () => {
  const env = { ...process.env, SITE_FOLDER: site };
  await run(process.execPath, ['site/build.mjs'], { cwd: PROJECT, env, maxBuffer: 1 << 24 });
}, 900_000);
afterAll(() => {
  for (const place of [folder, site]) rmSync(place, { recursive: true, force: true });
});

const filesOf = (ending: string): readonly string[] =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));

describe('the built site', () => {
  it('has a Markdown twin of every page, all listed in llms.txt', () => {
    const pages = filesOf('.html').filter((name) => !name.startsWith('reports/') && name !== '404.html');
    const twins = pages.map((name) => name.replace(/html$/, 'md'));
    expect(pages).toContain('guides/attack-my-model.html');
    expect(twins.filter((name) => !existsSync(join(dist, name)))).toEqual([]);
    const list = readFileSync(join(dist, 'llms.txt'), 'utf8');
    expect(list).toMatch(/^# perturbql\n\n> perturbql renames and adds columns /);
    expect(twins.filter((name) => !list.includes(`](/${name}): `))).toEqual([]);
    expect(readFileSync(join(dist, 'cta.md'), 'utf8')).toMatch(/^# CTA, stage by stage\n/);
  });

  it('has the API and the reports of the examples', () => {
    expect(readFileSync(join(dist, 'api/sql.html'), 'utf8')).toContain('renameColumns');
    for (const name of ['augment', 'attack', 'evaluation']) expect(filesOf('.html')).toContain(`reports/${name}.html`);
    expect(readFileSync(join(dist, 'reports/augment.html'), 'utf8')).toMatch(/90\sexamples; all\s60\svariants/);
  });
});

describe.skipIf(!HAS_CHROMIUM)('its pages (skipped where there is no Chromium)', () => {
  let browser: Browser;
  let server: StaticServer;
  const complaints: string[] = [];
  const origins = new Set<string>();

  beforeAll(async () => {
    server = new StaticServer(dist);
    await server.start();
    browser = await chromium.launch(LAUNCH);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
    expect([...origins]).toEqual([server.url]);
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await page.goto(`${server.url}${path}`);
    await page.locator('main h1').first().waitFor();
    return page;
  }

  async function openPlayground(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await open(`/playground.html${hash}`, options);
    await page.locator('.sql').waitFor();
    return page;
  }

  it.each(['/', '/guides/attack-my-model.html', '/api/sql.html', '/reports.html', '/playground.html'])(
    '%s: axe finds nothing serious, light or dark, and 390 pixels are enough',
    async (path) => {
      const page = await open(path);
      await page.waitForLoadState('networkidle');
      expect(await faultsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.context().close();
    },
  );

  it('searches without a server', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.search-input').waitFor();
    await page.keyboard.type('Krippendorff');
    const found = page.locator('.VPLocalSearchBox .result').first();
    await found.waitFor();
    expect(await found.textContent()).toMatch(/agreement/i);
    await page.context().close();
  });

  const goldOf = (page: Page): Promise<string | null> => page.locator('.sql').textContent();

  it('the playground is there before any model, and rewrites the gold while a name is typed', async () => {
    server.asked.length = 0;
    const page = await openPlayground();
    expect(await goldOf(page)).toBe(
      `SELECT avg("Cost of Ticket") FROM Sky_Show WHERE "Narration Language" = 'Spanish'`,
    );
    await page.getByLabel('Narration Language').fill('Tongue');
    expect(await goldOf(page)).toBe(`SELECT avg("Cost of Ticket") FROM Sky_Show WHERE Tongue = 'Spanish'`);
    expect(server.asked.filter((path) => /\.packed$|\.wasm$|worker/.test(path))).toEqual([]);
    const kept = await openPlayground(new URL(page.url()).hash);
    expect(await goldOf(kept)).toBe(await goldOf(page));
    expect(await kept.getByLabel('Narration Language').inputValue()).toBe('Tongue');
    await page.context().close();
    await kept.context().close();
  });

  it('takes another schema, and says what is wrong in the words of the command line', async () => {
    const page = await openPlayground();
    await page.getByLabel('CREATE TABLE').fill('CREATE TABLE a (x int, y text); CREATE TABLE b (x int, z date);');
    expect(await page.locator('.fault').textContent()).toContain('no such table: Sky_Show');
    await page.getByLabel('Gold query (SQLite)').fill('SELECT * FROM a NATURAL JOIN b');
    await page.getByLabel('x', { exact: true }).first().fill('key');
    expect(await goldOf(page)).toContain('ON');
    await page.getByLabel('y', { exact: true }).fill('key');
    expect(await page.locator('.fault').textContent()).toContain('two columns of a would be called key');
    await page.getByLabel('CREATE TABLE').fill('nothing');
    expect(await page.locator('.fault').textContent()).toContain('CREATE TABLE');
    await page.context().close();
  });

  it('is worked by keys alone', async () => {
    const page = await openPlayground();
    await page.getByLabel('CREATE TABLE').focus();
    const seen: (string | null)[] = [];
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press('Tab');
      seen.push(
        await page.evaluate<string | null>('document.activeElement.placeholder ?? document.activeElement.textContent'),
      );
    }
    expect(seen.slice(2)).toEqual([
      'Start over with the example',
      'Find names',
      ...['Show ID', 'Show Title', 'Release Date', 'Running Time', 'Narration Language', 'Ticket Price'],
      await goldOf(page),
    ]);
    await page.context().close();
  });

  it('finds the names that the command line finds', { timeout: 600_000 }, async () => {
    const page = await openPlayground();
    await page.getByRole('button', { name: 'Find names' }).press('Enter');
    await page.locator('.progress progress').waitFor();
    await page.locator('.chip').first().waitFor({ timeout: 500_000 });
    const namesOf = async (bucket: string): Promise<readonly string[]> =>
      (await page.locator(`.chip.${bucket}`).allTextContents()).sort();
    const shown = { rpl: await namesOf('rpl'), add: await namesOf('add') };
    expect(shown).toEqual(await namesOfCommand());
    expect(await faultsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Spoken Language' }).press('Enter');
    expect(await goldOf(page)).toContain(`WHERE "Spoken Language" = 'Spanish'`);
    const [addition] = shown.add;
    await page.locator('.chip.add').getByText(addition!, { exact: true }).first().press('Enter');
    expect(new URL(page.url()).hash).toContain('add=0%3A');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.context().close();
  });

  /** Accepted names of `perturbql candidates` for the playground's example, written as the table writes names. */
  async function namesOfCommand(): Promise<{ rpl: readonly string[]; add: readonly string[] }> {
    const columns = ['Show ID', 'Show Title', 'Release Date', 'Running Time', 'Narration Language', 'Ticket Price'];
    const types = ['number', 'text', 'time', 'number', 'text', 'number'];
    const tables = {
      db_id: 'sky show',
      table_names: ['sky show'],
      table_names_original: ['Sky_Show'],
      column_names: [[-1, '*'], ...columns.map((name) => [0, name.toLowerCase()])],
      column_names_original: [[-1, '*'], ...columns.map((name) => [0, name])],
      column_types: ['text', ...types],
      primary_keys: [],
      foreign_keys: [],
    };
    const question = 'What is the average ticket price of the sky shows narrated in Spanish?';
    const query = `SELECT avg("Ticket Price") FROM Sky_Show WHERE "Narration Language" = 'Spanish'`;
    writeFileSync(join(folder, 'tables.json'), JSON.stringify([tables]));
    writeFileSync(join(folder, 'dev.json'), JSON.stringify([{ db_id: 'sky show', question, query }]));
    const call = 'dist/cli/main.js candidates --quiet --set retriever.id=exact';
    const data = ['--tables', join(folder, 'tables.json'), '--examples', join(folder, 'dev.json')];
    await run(process.execPath, [...call.split(' '), ...data, '--out', join(folder, 'RUN')], { cwd: PROJECT });
    const decisions = readFileSync(join(folder, 'RUN/candidates.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { bucket: string; candidate: string });
    const titled = (name: string): string =>
      name.replace(/\p{L}+/gu, (word) => (word === 'of' ? word : word.charAt(0).toUpperCase() + word.slice(1)));
    const namesOf = (bucket: string): readonly string[] =>
      decisions
        .filter((one) => one.bucket === bucket)
        .map(({ candidate }) => titled(candidate))
        .sort();
    return { rpl: namesOf('RPL'), add: namesOf('ADD') };
  }
});
