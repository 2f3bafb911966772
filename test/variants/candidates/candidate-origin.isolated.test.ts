import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { renderCandidate } from '../../../src/formats/artifacts/candidates.js';
import { loadCandidatesFrom } from '../../../src/variants/candidates/candidate-forms.js';
import { candidateStatistics } from '../../../src/variants/candidates/candidate-statistics.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { VERSION } from '../../../src/version.js';
import { acceptedDecision, EXAMPLE_DATA } from '../../e2e/example-data.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { rejectionOf } from '../../error-of.js';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, readFileSync: vi.fn(real.readFileSync) };
});

const temp = makeTempFolder();
afterAll(() => temp.remove());
const file = join(temp.path, 'candidates.jsonl');
const DECISION = acceptedDecision({
  db_id: 'planetarium',
  table: 'presenter',
  column: 'home country',
  candidate: 'native land',
});
const { tables, examples } = EXAMPLE_DATA;
const PATHS = { dataset: 'spider', tables, examples, databases: null, connection: null } as const;

const readsOf = (path: string): number => vi.mocked(readFileSync).mock.calls.filter(([read]) => read === path).length;

beforeEach(() => {
  writeFileSync(file, renderCandidate(DECISION));
  vi.mocked(readFileSync).mockClear();
});

describe('a run that has no candidates', () => {
  const folder = join(temp.path, 'run');

  it.each([
    ['mutate', true, /^the run of mutate writes no candidates/, /Name a run folder/],
    ['augment', true, /^the run of augment took the candidates of another/, /given as --candidates/],
    ['candidates', false, /^the run of candidates is not finished/, /command again/],
  ])('is named: of %s, finished: %s', async (command, complete, message, fix) => {
    mkdirSync(folder, { recursive: true });
    const manifest = { command, version: VERSION, seed: 0, settings: {}, inputs: {}, complete };
    writeFileSync(join(folder, 'run.json'), JSON.stringify(manifest));
    const error = await rejectionOf(InputFormatError, async () => loadCandidatesFrom(folder, new Map()));
    expect([error.message, error.fix, error.where.file]).toEqual([
      expect.stringMatching(message),
      expect.stringMatching(fix),
      folder,
    ]);
  });
});

describe('candidates of a run that decided on no column', () => {
  it('are said to be none, by the file and by the folder', async () => {
    const folder = join(temp.path, 'empty');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'candidates.jsonl'), '');
    for (const from of [folder, join(folder, 'candidates.jsonl')]) {
      const error = await rejectionOf(InputFormatError, async () => loadCandidatesFrom(from, new Map()));
      expect(error.message).toBe('there are no candidates in it: it was decided on no column');
      expect(error.fix).toContain('--columns all');
    }
  });
});

describe('a file of candidates, which may be large', () => {
  it('is read once', async () => {
    const { databases } = await loadDataset(PATHS);
    expect(loadCandidatesFrom(file, databases)).toEqual([DECISION]);
    expect(readsOf(file)).toBe(1);
  });

  it.each([
    ['with the data set', PATHS],
    ['alone', null],
  ])('is read once to be counted %s', async (_, paths) => {
    const { statistics } = await candidateStatistics({ candidates: file, paths });
    expect(statistics.candidates.rpl).toBe(1);
    expect(readsOf(file)).toBe(1);
  });

  it('is refused where it holds none', async () => {
    writeFileSync(file, '\n');
    const error = await rejectionOf(InputFormatError, () => candidateStatistics({ candidates: file, paths: null }));
    expect(error.where.file).toBe(file);
  });
});
