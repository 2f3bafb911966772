import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRuns } from '../../../src/report/view/find-runs.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { writeManifest, writeReport } from './runs-fixture.js';

let temp: ReturnType<typeof makeTempFolder>;
beforeEach(() => {
  temp = makeTempFolder();
});
afterEach(() => temp.remove());

const at = (...path: string[]): string => join(temp.path, ...path);

describe('the runs below a folder', () => {
  it('are told by their manifest, and described in the words of their page', () => {
    writeManifest(at('deep/RUN'), 'attack');
    writeReport(at('deep/RUN/report.html'), 'attack', 'a <b> & "c"', 'Exact match falls from 96.7% to 76.7%');
    expect(findRuns(temp.path).runs).toEqual([
      {
        kind: 'attack',
        place: 'deep/RUN',
        subject: 'data set a <b> & "c"',
        examples: 'e'.repeat(64),
        headline: 'Exact match falls from 96.7% to 76.7%',
        complete: true,
        date: expect.any(Date) as Date,
        report: 'deep/RUN/report.html',
      },
    ]);
  });

  it('may have another page, figures alone, or nothing yet', () => {
    writeManifest(at('a'), 'consistency');
    writeReport(at('a/index.html'), 'consistency', 'spider', 'Few change');
    writeManifest(at('b'), 'mutate');
    writeFileSync(at('b/report.json'), '{}');
    writeManifest(at('c'), 'attack', false);
    const found = findRuns(temp.path).runs.map(({ kind, subject, report, complete }) => [
      kind,
      subject,
      report,
      complete,
    ]);
    expect(found.sort()).toEqual([
      ['attack', 'data set spider', null, false],
      ['consistency', 'data set spider', 'a/index.html', true],
      ['mutate', 'data set spider', 'b/report.json', true],
    ]);
  });

  it('come with pages that stand alone, next to a run or without one', () => {
    writeManifest(at('RUN'), 'attack');
    writeReport(at('RUN/report.html'), 'attack', 'spider', 'It falls');
    writeReport(at('RUN/compared.html'), 'compare', 'spider', 'No difference');
    writeReport(at('evaluation.html'), 'evaluate', 'pred.sql', 'Exact match 73.3%');
    const places = findRuns(temp.path).runs.map(({ kind, place }) => `${kind} ${place}`);
    expect(places.sort()).toEqual(['attack RUN', 'compare RUN/compared.html', 'evaluate evaluation.html']);
  });

  it('are the newest first', () => {
    for (const [name, day] of [
      ['old', '2026-01-01'],
      ['new', '2026-03-01'],
      ['between', '2026-02-01'],
    ] as const) {
      writeReport(at(`${name}.html`), 'evaluate', 'x', 'y');
      utimesSync(at(`${name}.html`), new Date(day), new Date(day));
    }
    expect(findRuns(temp.path).runs.map(({ place }) => place)).toEqual(['new.html', 'between.html', 'old.html']);
  });

  it('are no files of other programs, and none outside of the folder', () => {
    writeFileSync(at('page.html'), '<p class="eyebrow">something</p><h1>else</h1>');
    writeFileSync(at('run.json'), '{"command": "go"}');
    writeReport(at('outside/secret.html'), 'evaluate', 'x', 'secret');
    mkdirSync(at('inside/node_modules'), { recursive: true });
    writeReport(at('inside/node_modules/page.html'), 'evaluate', 'x', 'y');
    symlinkSync(at('outside'), at('inside/link'));
    symlinkSync(at('outside/secret.html'), at('inside/link.html'));
    expect(findRuns(at('inside')).runs).toEqual([]);
  });

  it('need a folder', () => {
    expect(() => findRuns(at('missing'))).toThrow(expect.objectContaining({ code: 'CONFIG' }) as Error);
  });
});
