import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CandidateDecision, candidateDecisionSchema } from '../../src/formats/artifacts/candidates.js';
import type { PerturbedLine } from '../../src/formats/artifacts/provenance.js';
import { writeWikiSql, writeWikiSqlRelease } from '../variants/candidates/adveta-fixture.js';
import { type ExampleData, type JsonRecord, writeSmallData } from './example-data.js';
import { type CliResult, listFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path, cache: at('cache') });
const json = (file: string): JsonRecord => JSON.parse(readFileSync(at(file), 'utf8')) as JsonRecord;

function decisionsOf(out: string): CandidateDecision[] {
  const lines = readFileSync(at(out, 'candidates.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => candidateDecisionSchema.parse(JSON.parse(line)));
}

let data: ExampleData;
const decide = (out: string, ...more: string[]): Promise<CliResult> =>
  run('candidates', ...data.options, '--out', out, ...more);

beforeAll(async () => {
  // Two tables, three columns: enough to see that a setting arrives.
  data = writeSmallData(at('data'), [0, 20]);
  expect((await decide('plain')).code).toBe(0);
}, 120_000);

afterAll(() => temp.remove());

describe('--recipe', () => {
  it.each([
    ['cta-without-retriever', ['vocabulary', 'dictionary']],
    ['cta-without-nli', ['retrieval', 'dictionary']],
    ['w2v', ['vocabulary']],
    ['random', ['random']],
  ])('%s takes candidates from %s', async (recipe, sources) => {
    const { code, stderr } = await decide(recipe, '--recipe', recipe);
    expect(code, stderr).toBe(0);
    const decisions = decisionsOf(recipe);
    for (const { source } of decisions) expect(sources).toContain(source);
    for (const bucket of ['RPL', 'ADD']) expect(decisions.some((line) => line.bucket === bucket)).toBe(true);
    expect(json(`${recipe}/run.json`)).toMatchObject({ settings: { recipe }, complete: true });
    expect(json(`${recipe}/report.json`)).toMatchObject({ settings: { recipe } });
  });

  it.each(['cta-without-nli', 'w2v', 'random'])('%s asks no judge', (recipe) => {
    for (const { e1, e2, against } of decisionsOf(recipe))
      expect({ e1, e2, against }).toEqual({ e1: null, e2: null, against: null });
    expect(json(`${recipe}/report.json`)).toMatchObject({ settings: { thresholds: null } });
  });
});

describe('--columns', () => {
  it('takes the columns that gold queries mention, or all of their databases', async () => {
    expect((await decide('all', '--columns', 'all', '--recipe', 'w2v')).code).toBe(0);
    const columnsOf = (out: string): Set<string> =>
      new Set(decisionsOf(out).map(({ db_id, table, column }) => `${db_id}/${table}.${column}`));
    expect([...columnsOf('plain')].sort()).toEqual([
      'community_garden/gardener.home country',
      'planetarium/sky show.narration language',
      'planetarium/sky show.ticket price',
    ]);
    expect(columnsOf('all').size).toBeGreaterThan(40);
  });
});

describe('--set', () => {
  it('changes a threshold, and run.json and the report say so', async () => {
    expect((await decide('loose', '--set', 'nli.rplMin=0.6', '--set', 'nli.addMax=0.3')).code).toBe(0);
    expect(json('loose/run.json')).toMatchObject({ settings: { nli: { rplMin: 0.6, addMax: 0.3 } } });
    expect(json('loose/report.json')).toMatchObject({
      settings: { thresholds: { rplMin: 0.6, addMax: 0.3, source: 'settings' } },
    });
    expect(readFileSync(at('loose/report.html'), 'utf8')).toContain('0.6');
    for (const { bucket, e1, e2 } of decisionsOf('loose')) {
      if (bucket === 'RPL') expect(Math.min(e1!, e2!)).toBeGreaterThanOrEqual(0.6);
      if (bucket === 'ADD') expect(Math.max(e1!, e2 ?? 0)).toBeLessThanOrEqual(0.3);
    }
  });

  it('turns a naturalness rule off', async () => {
    const reasons = (out: string): Set<string> => new Set(decisionsOf(out).map(({ reason }) => reason));
    expect(reasons('plain')).toContain('unassociated');
    expect((await decide('ruled', '--set', 'naturalness.unassociated=false')).code).toBe(0);
    expect(reasons('ruled')).not.toContain('unassociated');
  });
});

describe('--full-scores', () => {
  it('scores both directions of every candidate that the judge saw', async () => {
    expect((await decide('full', '--full-scores')).code).toBe(0);
    const judged = decisionsOf('full').filter(({ e1 }) => e1 !== null);
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.every(({ e2 }) => e2 !== null)).toBe(true);
    const buckets = (out: string): string[] =>
      decisionsOf(out).map(({ candidate, bucket }) => `${candidate} ${bucket}`);
    expect(buckets('full')).toEqual(buckets('plain'));
  });
});

describe('--config', () => {
  it('is read, and the command line wins over it', async () => {
    writeFileSync(at('mine.json'), JSON.stringify({ seed: 5, recipe: 'w2v', nli: { rplMin: 0.7 } }));
    const config = ['--config', 'mine.json'];
    expect((await decide('from-config', ...config)).code).toBe(0);
    expect(json('from-config/run.json')).toMatchObject({
      seed: 5,
      settings: { recipe: 'w2v', nli: { rplMin: 0.7 } },
    });
    const over = ['--seed', '6', '--recipe', 'cta-without-nli', '--set', 'nli.rplMin=0.8'];
    expect((await decide('over-config', ...config, ...over)).code).toBe(0);
    expect(json('over-config/run.json')).toMatchObject({
      seed: 6,
      settings: { recipe: 'cta-without-nli', nli: { rplMin: 0.8 } },
    });
  });

  it('is perturbql.config.json where none is named', async () => {
    mkdirSync(at('home'));
    writeFileSync(at('home/perturbql.config.json'), JSON.stringify({ seed: 9, recipe: 'w2v' }));
    const args = ['candidates', ...data.options, '--out', 'run'];
    expect((await runCli(args, { cwd: at('home'), cache: at('cache') })).code).toBe(0);
    expect(json('home/run/run.json')).toMatchObject({ seed: 9, settings: { recipe: 'w2v' } });
  });
});

describe('--dry-run', () => {
  it.each([
    ['candidates', '3 columns of 2 tables'],
    ['augment', '50 columns of 8 tables'],
  ])('of %s says what would be done and writes nothing', async (name, work) => {
    mkdirSync(at(`dry-${name}`));
    const options = { cwd: at(`dry-${name}`), cache: at(`dry-${name}/cache`) };
    const { code, stdout, files } = await runCli([name, ...data.options, '--out', 'run', '--dry-run'], options);
    expect(code).toBe(0);
    const estimate = new RegExp(`^2 questions on 2 databases: ${work}, about [\\d,]+ pairs to score, \\d+ s`);
    expect(stdout).toMatch(estimate);
    expect(files).toEqual([]);
    expect(existsSync(at(`dry-${name}/run`))).toBe(false);
  });
});

describe('--candidates adveta:DIR', () => {
  const human = (names: Readonly<Record<string, readonly string[]>>): string =>
    JSON.stringify({
      'garden-1': { table_id: 'garden-1', db_id: 'community_garden', table_name_original: 'Gardener', dict: names },
    });

  it('draws from human candidates', async () => {
    mkdirSync(at('release'));
    writeFileSync(at('release/spider_rpl.json'), human({ 'home country': ['native country', 'country of origin'] }));
    writeFileSync(at('release/spider_add.json'), human({ 'home country': ['favourite flower'] }));
    const { code, stdout } = await run('augment', ...data.options, '--candidates', 'adveta:release', '--out', 'adveta');
    expect(code).toBe(0);
    // The second question's database has no human candidates.
    expect(stdout).toMatch(/^4 examples: 2 original, 1 RPL, 1 ADD; 2 variants left out/);
    const lines = readFileSync(at('adveta/provenance.jsonl'), 'utf8').trimEnd().split('\n');
    const [, rpl, add] = lines.map((line) => JSON.parse(line) as PerturbedLine);
    expect(['native_country', 'country_of_origin']).toContain(rpl!.changes[0]!.identifier);
    expect(add!.changes).toMatchObject([{ identifier: 'favourite_flower', source: 'annotation', reason: 'annotated' }]);
    expect(listFiles(at('adveta'))).not.toContain('candidates.jsonl');
  });

  it('draws from those for WikiSQL’s tables, found by their ids', async () => {
    mkdirSync(at('web'));
    const { tables, examples } = writeWikiSql(at('web'));
    const args = ['--dataset', 'wikisql', '--tables', tables, '--examples', examples];
    const from = writeWikiSqlRelease(at('web/release'));
    const { code, stdout, stderr } = await run('augment', ...args, '--candidates', from, '--out', 'augmented');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/3 tables found by id, 1 not in this data set/)]);
    expect(stdout).toMatch(/^\d+ examples: 7 original, 7 RPL, \d ADD/);
    const written = readFileSync(at('augmented/wikisql/dev.tables.jsonl'), 'utf8').trimEnd().split('\n');
    const headers = written.map((line) => (JSON.parse(line) as { header: string[] }).header);
    expect(headers).toContainEqual(['Inn', 'Landlord', 'Area (m²)']);
  });
});
