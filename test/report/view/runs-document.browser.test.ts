import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderDocument } from '../../../src/report/document/render-document.js';
import type { ReportDocument, TableSection } from '../../../src/report/document/document.js';
import { findRuns } from '../../../src/report/view/find-runs.js';
import { RunFigures } from '../../../src/report/view/run-figures.js';
import { runsDocument } from '../../../src/report/view/runs-document.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { ChromiumPage } from '../chromium.js';
import { layoutFaults } from '../layout-faults.js';
import { writeManifest, writeReport } from './runs-fixture.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());
beforeEach(() => {
  rmSync(temp.path, { recursive: true });
  mkdirSync(temp.path);
});

/** A run with a page, a report and a date. */
function writeRun(name: string, kind: string, date: string, report: unknown, subject = 'spider'): void {
  const folder = join(temp.path, name);
  writeManifest(folder, kind);
  writeReport(join(folder, 'report.html'), kind, subject, `Headline of ${name}`);
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report));
  utimesSync(join(folder, 'report.html'), new Date(date), new Date(date));
}

const attack = (rpl: number): unknown => ({
  scores: ['original', 'RPL', 'ADD'].map((condition) => ({
    metric: 'exact',
    condition,
    accuracy: 0.5,
    drop: condition === 'original' ? null : { absolute: condition === 'RPL' ? rpl : rpl / 2 },
  })),
});

function documentOf(): ReportDocument {
  const [found, figures] = [findRuns(temp.path), new RunFigures()];
  return runsDocument(found, (run) => figures.of(found, run));
}

const tableOf = (document: ReportDocument, at: number): TableSection => {
  const table = document.chapters[at]!.sections.find((section) => section.kind === 'table');
  if (table?.kind !== 'table') throw new Error('no table');
  return table;
};

function writeMany(): void {
  writeRun('a', 'attack', '2026-11-02T12:00', attack(0.201));
  writeRun('b', 'attack', '2026-11-12T12:00', attack(0.191));
  writeRun('other', 'attack', '2026-11-13T12:00', attack(0.4), 'bird');
  writeRun('c', 'attack', '2026-11-26T12:00', attack(0.17));
  writeRun('names', 'candidates', '2026-11-27T12:00', { totals: { buckets: { RPL: 1219, ADD: 105 } } });
  writeReport(join(temp.path, 'evaluation.html'), 'evaluate', 'pred.sql', 'Exact match 73.3%');
}

describe('runsDocument', () => {
  it('says what the latest run about a model came to, against the one before about the same', () => {
    writeMany();
    const document = documentOf();
    expect(document.headline).toBe('6\u00a0runs; your model loses 17.0 points under RPL, 2.1 less than on Nov 12');
    expect(document.plot?.groups[0]?.lanes.map(({ figure }) => figure)).toEqual(['20.1', '19.1', '17.0']);
    expect(document.chapters.map(({ link }) => link)).toEqual(['attack 4', 'candidates 1', 'evaluate 1']);
  });

  it('has the newest first, each with its change for better or worse', () => {
    writeMany();
    const { rows, columns } = tableOf(documentOf(), 0);
    expect(columns.map(({ head }) => head)).toEqual(['What came out', 'Lost, RPL', 'Lost, ADD', 'Date']);
    expect(rows.map(({ cells: [, rpl] }) => rpl)).toEqual([
      { text: '17.0', sort: 17, sub: [{ text: '−2.1', as: 'strong', tone: 'good' }] },
      { text: '40.0', sort: 40 },
      { text: '19.1', sort: 19.1, sub: [{ text: '−1.0', as: 'strong', tone: 'good' }] },
      { text: '20.1', sort: expect.closeTo(20.1) as number },
    ]);
  });

  it('says the time where both runs are of one day, and where nothing has changed', () => {
    writeRun('a', 'audit', '2026-11-02T09:05', { doubtful: 3 });
    writeRun('b', 'audit', '2026-11-02T12:00', { doubtful: 3 });
    expect(documentOf().headline).toBe('2\u00a0runs; 3 examples have a gold query in doubt, as at 09:05');
  });

  it('stands with one run, with runs without figures, and without runs', () => {
    expect(documentOf().headline).toBe('There is no run here yet');
    writeReport(join(temp.path, 'evaluation.html'), 'evaluate', 'pred.sql', 'Exact match 73.3%');
    expect(documentOf().headline).toBe('1\u00a0run; the latest: Exact match 73.3%');
    writeRun('a', 'consistency', '2026-11-02T12:00', { all: { rate: 0.034 } });
    const document = documentOf();
    expect(document.headline).toBe('2\u00a0runs; your model answers 3.4% of mutants inconsistently');
    expect(document.plot).toBeNull();
  });

  it('takes no figures from another program’s report.json, nor from a symbolic link', () => {
    writeRun('a', 'attack', '2026-11-02T12:00', { scores: 'many' });
    writeRun('b', 'attack', '2026-11-03T12:00', attack(0.2));
    rmSync(join(temp.path, 'b/report.json'));
    writeFileSync(join(temp.path, 'outside.json'), JSON.stringify(attack(0.9)));
    symlinkSync(join(temp.path, 'outside.json'), join(temp.path, 'b/report.json'));
    expect(documentOf().headline).toBe('2\u00a0runs; the latest: Headline of b');
  });
});

describe.skipIf(!HAS_CHROMIUM)('runsDocument, in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it('cuts nothing off, and prints no label over another', { timeout: 60_000 }, async () => {
    writeMany();
    for (let i = 1; i < 9; i++) writeRun(`x${i}`, 'attack', `2026-10-0${i}T12:00`, attack(0.1 + i / 50));
    expect(await layoutFaults(browser, renderDocument(documentOf()))).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
