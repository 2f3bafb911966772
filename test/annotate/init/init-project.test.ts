import { PROJECT_CANDIDATES } from '../../../src/annotate/final-candidates.js';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InitOptions, initProject } from '../../../src/annotate/init/init-project.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { DEFAULT_SETTINGS } from '../../../src/annotate/project/project-content.js';
import { AnnotationError, ConfigError, InputFormatError } from '../../../src/errors.js';
import { type CandidateDecision, renderCandidate } from '../../../src/formats/artifacts/candidates.js';
import type { DatasetPaths } from '../../../src/formats/dataset.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { loadCandidatesFrom } from '../../../src/variants/candidates/candidate-forms.js';
import { planTables } from '../../../src/variants/candidates/plan-tables.js';
import { writeRunInputs } from '../../../src/variants/candidates/run-inputs.js';
import { RunFolder } from '../../../src/run/run-folder.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples');

let folder: string;
const at = (...parts: string[]): string => join(folder, ...parts);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-init-'));
  cpSync(EXAMPLES, at('examples'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function decision(
  table: string,
  column: string,
  bucket: CandidateDecision['bucket'],
  candidate: string,
): CandidateDecision {
  return {
    db_id: 'planetarium',
    table,
    column,
    bucket,
    reason: bucket === 'RPL' ? 'entailment' : 'no-equivalence',
    candidate,
    source: bucket === 'RPL' ? 'dictionary' : 'retrieval',
    origin: null,
    similarity: null,
    association: null,
    e1: 0.5,
    e2: 0.5,
    against: null,
    near: false,
  };
}

/** What a run decided: both kinds for one column, RPL alone for another, and a column that no question mentions. */
const DECISIONS = [
  decision('presenter', 'home country', 'RPL', 'home nation'),
  decision('presenter', 'home country', 'ADD', 'home town'),
  decision('presenter', 'presenter name', 'RPL', 'full name'),
  decision('session', 'session id', 'ADD', 'session code'),
];

const paths = (): DatasetPaths => ({
  dataset: 'spider',
  tables: at('examples', 'tables.json'),
  examples: at('examples', 'dev.json'),
  databases: at('examples', 'database'),
  connection: null,
});

/** A run folder as `candidates` leaves it. */
async function makeRun(decisions = DECISIONS, given = paths()): Promise<string> {
  const dataset = await loadDataset(given);
  const manifest = { command: 'candidates', version: '0', seed: 0, settings: {}, inputs: { ...dataset.fingerprints } };
  const run = RunFolder.open(at('RUN'), manifest);
  writeRunInputs(run, given, planTables(dataset, 'all'));
  run.write('candidates.jsonl', decisions.map(renderCandidate));
  run.finish();
  return at('RUN');
}

const { name, seed, overlap, chunkSize, qualification } = DEFAULT_SETTINGS;

function options(given: Partial<InitOptions>): InitOptions {
  return {
    run: at('RUN'),
    paths: {},
    out: at('project.db'),
    people: [{ name: 'Ada', role: 'annotator' }],
    kinds: ['RPL', 'ADD'],
    columns: 'mentioned',
    listLength: 20,
    settings: { name, seed, overlap, chunkSize, qualification },
    ...given,
  };
}

async function initialized(given: Partial<InitOptions> = {}): Promise<{
  readonly ids: readonly string[];
  readonly outcome: Awaited<ReturnType<typeof initProject>>;
}> {
  const outcome = await initProject(options(given), NOOP_HOST);
  const project = AnnotationProject.open(given.out ?? at('project.db'));
  const ids = [...project.items()].map(({ item }) => item.id.replace('planetarium/', ''));
  project.close();
  return { ids, outcome };
}

describe('a project of a run', () => {
  it('counts no list as short that has the names asked for', async () => {
    const more = [decision('presenter', 'home country', 'ADD', 'birth place'), ...DECISIONS];
    await makeRun(more);
    const { outcome } = await initialized({ kinds: ['ADD'], listLength: 2 });
    expect(outcome.short).toEqual([]);
  });

  it('has the columns that a question mentions, with what is around them', async () => {
    await makeRun();
    const { ids, outcome } = await initialized();
    expect(ids).toEqual([
      'Presenter/Presenter%20Name/RPL',
      'Presenter/Home%20Country/RPL',
      'Presenter/Home%20Country/ADD',
    ]);
    expect(outcome.undecided).toBeGreaterThan(0);
    expect(outcome.short).toEqual([
      { kind: 'RPL', lists: 2, of: 2, fewest: 1 },
      { kind: 'ADD', lists: 1, of: 1, fewest: 1 },
    ]);
    const project = AnnotationProject.open(at('project.db'));
    const { item, context } = project.item('planetarium/Presenter/Home%20Country/ADD');
    project.close();
    expect(item).toMatchObject({ table: 'presenter', column: 'home country', type: 'text' });
    expect(item.candidates).toEqual([
      { name: 'home town', source: 'retrieval', origin: null, difficulty: expect.any(Number) as number },
    ]);
    expect(context.entity).toBe('presenter');
    expect(context.rows).toHaveLength(5);
    expect(context.rows[0]).toEqual(['1', 'Solveig Nyhagen', 'Norway', '34', '12']);
    expect(context.questions.length).toBeGreaterThan(0);
    expect(context.questions.every(({ query }) => query.includes('Home Country'))).toBe(true);
  });

  it('has the fields that questions have of their own', async () => {
    const file = at('examples', 'dev.json');
    const records = JSON.parse(readFileSync(file, 'utf8')) as object[];
    writeFileSync(file, JSON.stringify(records.map((record, i) => ({ ...record, difficulty: { level: i } }))));
    await makeRun();
    await initialized();
    const project = AnnotationProject.open(at('project.db'));
    const { context } = project.item('planetarium/Presenter/Home%20Country/ADD');
    project.close();
    expect(context.questions.length).toBeGreaterThan(0);
    for (const { id, fields } of context.questions) {
      expect(fields).toEqual({ difficulty: { level: Number(id.replace('dev:', '')) } });
    }
  });

  it('keeps columns of one natural name apart, and gives their final names back each for its own', async () => {
    // "Presenter Name" gets the natural name of "Home Country".
    const tables = at('examples', 'tables.json');
    writeFileSync(tables, readFileSync(tables, 'utf8').replaceAll('"presenter name"', '"home country"'));
    const decided = (column_original: string, candidate: string): CandidateDecision => ({
      ...decision('presenter', 'home country', 'RPL', candidate),
      table_original: 'Presenter',
      column_original,
    });
    await makeRun([decided('Presenter Name', 'full name'), decided('Home Country', 'home nation')]);
    const { ids } = await initialized({ kinds: ['RPL'] });
    expect(ids).toEqual(['Presenter/Presenter%20Name/RPL', 'Presenter/Home%20Country/RPL']);
    const project = AnnotationProject.open(at('project.db'));
    for (const { item } of [...project.items()]) {
      const accepted = item.candidates.map(({ name: candidate }) => candidate);
      const answer = { state: 'done', accepted, written: [], comment: '', flagged: false } as const;
      project.save(item.id, 'Ada', answer, 0);
    }
    project.close();
    const { databases } = await loadDataset(paths());
    const chosen = loadCandidatesFrom(at('project.db'), databases, {
      format: 'spider',
      candidateForms: [PROJECT_CANDIDATES],
    });
    expect(chosen.map(({ column_original, candidate }) => [column_original, candidate])).toEqual([
      ['Presenter Name', 'full name'],
      ['Home Country', 'home nation'],
    ]);
  });

  it('has all columns that the run decided on, or one kind, where that is asked for', async () => {
    await makeRun();
    expect((await initialized({ columns: 'all', out: at('all.db') })).ids).toContain('Session/Session%20ID/ADD');
    const { ids } = await initialized({ kinds: ['ADD'], out: at('add.db') });
    expect(ids).toEqual(['Presenter/Home%20Country/ADD']);
  });

  it('takes a candidates.jsonl with the data set named, rows left out', async () => {
    writeFileSync(at('own.jsonl'), DECISIONS.map(renderCandidate).join(''));
    await initialized({ run: at('own.jsonl'), paths: { ...paths(), databases: null } });
    const project = AnnotationProject.open(at('project.db'));
    expect(project.item('planetarium/Presenter/Home%20Country/ADD').context.rows).toEqual([]);
    project.close();
  });

  it('has the readings that the run was given', async () => {
    const line = { db_id: 'planetarium', table: 'Presenter', column: 'Home Country', reading: 'country of birth' };
    writeFileSync(at('corrected.jsonl'), JSON.stringify(line));
    await makeRun(DECISIONS, { ...paths(), readings: at('corrected.jsonl') });
    await initialized();
    const project = AnnotationProject.open(at('project.db'));
    const { item } = project.item('planetarium/Presenter/Home%20Country/ADD');
    project.close();
    expect(item.column).toBe('country of birth');
  });

  it('finds its data set where run and data were moved together', async () => {
    await makeRun();
    mkdirSync(at('moved'));
    cpSync(at('RUN'), at('moved', 'RUN'), { recursive: true });
    cpSync(at('examples'), at('moved', 'examples'), { recursive: true });
    rmSync(at('examples'), { recursive: true });
    expect((await initialized({ run: at('moved', 'RUN') })).ids).toHaveLength(3);
  });
});

describe('refused are', () => {
  async function refusal(given: Partial<InitOptions>): Promise<unknown> {
    const error: unknown = await initProject(options(given), NOOP_HOST).catch((caught: unknown) => caught);
    expect(existsSync(at('new.db'))).toBe(false);
    return error;
  }
  const out = (): string => at('new.db');

  it('a run that is not there, and one that does not say where its data set is', async () => {
    expect(await refusal({ run: at('absent'), out: out() })).toBeInstanceOf(ConfigError);
    writeFileSync(at('own.jsonl'), DECISIONS.map(renderCandidate).join(''));
    expect(String(await refusal({ run: at('own.jsonl'), out: out() }))).toMatch(/needs --tables/);
  });

  it('a run of another command', async () => {
    const manifest = { command: 'mutate', version: '0', seed: 0, settings: {}, inputs: {} };
    RunFolder.open(at('RUN-mutants'), manifest).finish();
    const error = await refusal({ run: at('RUN-mutants'), out: out() });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      message: 'this is a run of `perturbql mutate`, which holds no candidates',
      fix: expect.stringContaining('`perturbql candidates`') as string,
    });
  });

  it('a data set that has moved, or is another one than the run’s', async () => {
    await makeRun();
    appendFileSync(at('examples', 'tables.json'), '\n');
    const changed = await refusal({ out: out() });
    expect(changed).toBeInstanceOf(InputFormatError);
    expect(String(changed)).toMatch(/made of other tables/);
    rmSync(at('examples', 'dev.json'));
    expect(String(await refusal({ out: out() }))).toMatch(/the run’s examples are not at/);
  });

  it('a file that exists', async () => {
    await makeRun();
    writeFileSync(at('project.db'), 'mine');
    expect(await refusal({})).toBeInstanceOf(AnnotationError);
  });
});
