import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigError, DictionaryError } from '../src/errors.js';
import { candidateDecisionSchema, type CandidateDecision } from '../src/formats/artifacts/candidates.js';
import { pullModel } from '../src/inference/hub/pull-model.js';
import { BucketJudge } from '../src/nli/bucket-judge.js';
import { runPipeline, type TableResult, type TableTask } from '../src/pipeline.js';
import { createStages, fingerprintStages } from '../src/create-stages.js';
import { rulesInForce, SCREEN_RULE_IDS } from '../src/recipes/rules-in-force.js';
import { RECIPE_NAMES, type RecipeName } from '../src/recipes/recipe-names.js';
import { RECIPES } from '../src/recipes/recipes.js';
import type { ProposerChoice } from '../src/llm/create-proposer.js';
import { parseSettings } from '../src/recipes/settings.js';
import { StageResources } from '../src/recipes/stage-resources.js';
import { DICTIONARIES, RETRIEVERS, SOURCES, TPE_PREDICTORS } from '../src/registry.js';
import { NOOP_HOST } from '../src/run/run-host.js';
import { sha256Of } from '../src/run/sha256.js';
import { ABBREVIATIONS } from '../src/schema/abbreviations.js';
import type { Stage, TargetTable } from '../src/stage.js';
import { FIXTURES } from './inference/hub/hub-server.js';
import { createContext, FakeScorer } from './nli/nli-fixture.js';

const SINGER: TargetTable = {
  dbId: 'concert_singer',
  table: {
    name: 'singer',
    originalName: 'Singer',
    columns: [
      { name: 'name', originalName: 'Name', type: 'text' },
      { name: 'age', originalName: 'Age', type: 'number' },
      { name: 'hometown', originalName: 'Hometown', type: 'text' },
    ],
  },
  questions: ['Which singers are older than 30?', 'Show the name and hometown of every singer.'],
  values: [
    ['Ann Lee', 'Joe Sharp'],
    ['31', '52'],
    ['Oslo', 'Rome'],
  ],
};
const TASK: TableTask = { id: 'concert_singer/Singer', target: SINGER, columns: [0, 1, 2] };

/** What a language model has proposed, in place of one that is asked. */
const PROPOSALS = {
  Name: [
    ['full name', 'singer name'],
    ['stage name', 'record label', 'music genre', 'debut year'],
  ],
  Age: [
    ['singer age', 'age in years'],
    ['height', 'weight', 'years active', 'birthday'],
  ],
  Hometown: [
    ['home city', 'native town'],
    ['nationality', 'birth country', 'current address', 'school'],
  ],
} as const;
const folder = mkdtempSync(join(tmpdir(), 'perturbql-registry-'));
const file = join(folder, 'proposals.jsonl');
writeFileSync(
  file,
  Object.entries(PROPOSALS)
    .map(([column, [replacements, additions]]) => {
      return `${JSON.stringify({ id: `concert_singer/Singer/${column}`, replacements, additions })}\n`;
    })
    .join(''),
);

/** Never asked. */
const ENDPOINT: ProposerChoice = {
  kind: 'endpoint',
  prompt: null,
  sendValues: false,
  prices: null,
  endpoint: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' },
};

const made: StageResources[] = [];

/** Resources of a recipe over the embedded index, vectors and WordNet, with one inference session. */
function resourcesOf(
  recipe: RecipeName,
  settings: object = {},
  proposer: ProposerChoice = { kind: 'recorded', file },
): StageResources {
  const masked = { model: join(folder, 'models', 'tiny-bert-mlm') };
  const resources = new StageResources(parseSettings({ masked, ...settings }), RECIPES[recipe], {
    jobs: 1,
    proposer,
  });
  made.push(resources);
  return resources;
}

beforeAll(async () => {
  const environment = { PERTURBQL_CACHE: folder };
  await pullModel({ source: join(FIXTURES, 'tiny-bert-mlm'), task: 'fill-mask', environment }, NOOP_HOST);
});
afterAll(async () => {
  await Promise.all(made.map((resources) => resources.dispose()));
  rmSync(folder, { recursive: true });
});

describe('every registry entry', () => {
  const resources = resourcesOf('cta');
  beforeEach(() => {
    vi.stubEnv('OXFORD_APP_ID', 'an id');
    vi.stubEnv('OXFORD_APP_KEY', 'a key');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  const entries: [string, (r: StageResources) => Promise<Pick<Stage, 'id' | 'fingerprint'>>][] = [
    ...Object.entries(RETRIEVERS).map(([id, create]): (typeof entries)[number] => [`retriever ${id}`, create]),
    ...Object.entries(DICTIONARIES).map(([id, create]): (typeof entries)[number] => [`dictionary ${id}`, create]),
    ...Object.entries(SOURCES).map(([id, create]): (typeof entries)[number] => [`source ${id}`, create]),
    ...Object.entries(TPE_PREDICTORS).map(([id, create]): (typeof entries)[number] => [`tpe ${id}`, create]),
  ];

  test.each(entries)('%s is built, with an id and a stable fingerprint', async (_, create) => {
    const given = create === TPE_PREDICTORS.llm ? resourcesOf('cta', {}, ENDPOINT) : resources;
    const [one, two] = [await create(given), await create(given)];
    expect(one.id).not.toBe('');
    expect(one.fingerprint).not.toBe('');
    expect(two.fingerprint).toBe(one.fingerprint);
  });

  test('retrievers, dictionaries and predictors are the choices of the settings, in their order', () => {
    const values = (group: 'retriever' | 'dictionary' | 'tpe', ids: readonly string[]): void => {
      for (const id of ids) expect(parseSettings({ [group]: { id } })[group].id).toBe(id);
      expect(() => parseSettings({ [group]: { id: 'none of these' } })).toThrow(ConfigError);
    };
    values('retriever', Object.keys(RETRIEVERS));
    values('dictionary', Object.keys(DICTIONARIES));
    values('tpe', Object.keys(TPE_PREDICTORS));
  });

  test('oxford without credentials says what to set', async () => {
    vi.stubEnv('OXFORD_APP_KEY', '');
    await expect(DICTIONARIES.oxford(resourcesOf('cta'))).rejects.toThrow(DictionaryError);
  });
});

describe('every recipe', () => {
  test('has its name, its citation and sources that exist', () => {
    expect(Object.keys(RECIPES)).toEqual([...RECIPE_NAMES]);
    for (const [name, { id, cites, rpl, add }] of Object.entries(RECIPES)) {
      expect(id).toBe(name);
      expect(cites).toMatch(/ADVETA/);
      for (const path of [rpl, add]) {
        expect(path.sources.length).toBeGreaterThan(0);
        for (const source of path.sources) expect(Object.keys(SOURCES)).toContain(source);
        if (path.rule.kind === 'rank') expect(path.rule.sample).toBeLessThanOrEqual(path.rule.to - path.rule.from);
      }
      expect(add.sources).not.toContain('dictionary');
    }
  });

  test('is the published one', () => {
    expect(RECIPES.w2v).toMatchObject({
      rpl: { rule: { from: 0, to: 15, sample: 5 } },
      add: { rule: { from: 15, to: 50, sample: 5 } },
    });
    for (const name of ['textfooler', 'bert-attack'] as const) {
      expect(RECIPES[name]).toMatchObject({
        rpl: { rule: { from: 0, to: 15, sample: 5, order: 'proposed' } },
        add: { rule: { from: 15, to: 50, sample: 5, order: 'proposed' } },
        naturalness: false,
      });
    }
    expect(RECIPES['cta-without-retriever'].add).toEqual(RECIPES.w2v.add);
    expect(RECIPES['cta-without-retriever'].rpl.sources).toEqual(['dictionary']);
    expect(RECIPES.cta).toMatchObject({
      keep: null,
      rpl: { rule: { kind: 'entailment' } },
      add: { sources: ['bank', 'retrieval', 'attributes'], rule: { kind: 'entailment' } },
    });
  });

  /** Runs a recipe over the singer table with a scorer that takes names sharing no word for unrelated. */
  async function runRecipe(
    resources: StageResources,
    seed = 1,
  ): Promise<{ results: TableResult[]; scorer: FakeScorer }> {
    const scorer = new FakeScorer(({ premise, hypothesis }) => {
      const words = (text: string): string[] =>
        text
          .replace(/ \(\w+\)\.$/, '')
          .split(' ')
          .slice(1);
      return words(premise).some((word) => words(hypothesis).includes(word)) ? 0.9 : 0.1;
    });
    const stages = await createStages(resources);
    const judge = new BucketJudge(scorer, resources.thresholds(), { fullScores: false });
    const results: TableResult[] = [];
    for await (const result of runPipeline([TASK], { ...stages, judge }, createContext(seed))) results.push(result);
    return { results, scorer };
  }

  test.each(RECIPE_NAMES)('%s runs from table to decisions', async (name) => {
    const resources = resourcesOf(name);
    const before = structuredClone(TASK);
    const { results, scorer } = await runRecipe(resources);
    expect(TASK).toEqual(before);
    expect(results).toHaveLength(1);
    expect(results[0]!.primaryEntity).toBe('singer');
    const { decisions } = results[0]!;
    for (const decision of decisions) expect(candidateDecisionSchema.parse(decision)).toEqual(decision);
    for (const column of ['name', 'age', 'hometown']) expect(decisions.some((one) => one.column === column)).toBe(true);
    const of = (bucket: string): CandidateDecision[] => decisions.filter((one) => one.bucket === bucket);
    expect(of('ADD').length).toBeGreaterThan(0);
    expect(of('ADD').every(({ source }) => source !== 'dictionary')).toBe(true);
    const { rpl, add } = RECIPES[name];
    const isJudged = [rpl, add].some(({ rule }) => rule.kind === 'entailment');
    expect(scorer.asked.length > 0).toBe(isJudged);
    for (const { source } of of('RPL')) expect(rpl.sources).toContain(source);
    for (const { source } of of('ADD')) expect(add.sources).toContain(source);
    const columns = SINGER.table.columns.map((column) => column.name);
    for (const { candidate } of [...of('RPL'), ...of('ADD')]) expect(columns).not.toContain(candidate.toLowerCase());
    expect(JSON.stringify((await runRecipe(resources)).results)).toBe(JSON.stringify(results));
  });
});

describe('settings that change the stages', () => {
  test('a naturalness rule can be turned off by its flag; a wrong flag is an error with a suggestion', () => {
    const inForce = (naturalness: Record<string, boolean>, recipe: RecipeName = 'cta'): ((rule: string) => boolean) =>
      rulesInForce(parseSettings({ naturalness }), RECIPES[recipe]);
    expect(SCREEN_RULE_IDS.every(inForce({}))).toBe(true);
    expect(SCREEN_RULE_IDS.filter(inForce({}, 'w2v'))).toEqual([
      'existing-name',
      'another-script',
      'opaque-column',
      'unread',
    ]);
    expect(inForce({ short: false })('short')).toBe(false);
    expect(() => inForce({ 'existing-name': false })).toThrow(/can't be turned off/);
    expect(inForce({ short: true }, 'w2v')('short')).toBe(true);
    expect(() => inForce({ shorts: false })).toThrow(ConfigError);
    expect(() => inForce({ shorts: false })).toThrow(/no naturalness rule "shorts"/);
  });

  test('are in the fingerprints', async () => {
    const of = async (
      settings: object,
      recipe: RecipeName = 'cta-without-retriever',
    ): Promise<Record<string, string>> => fingerprintStages(await createStages(resourcesOf(recipe, settings)), 'model');
    const plain = await of({});
    expect(await of({})).toEqual(plain);
    expect((await of({ naturalness: { short: false } }))['screen']).not.toBe(plain['screen']);
    expect((await of({ naturalness: { unassociated: false } }))['additions']).toBe('all');
    expect((await of({ dictionary: { keepProbability: 0.5 } }))['dictionary']).not.toBe(plain['dictionary']);
    expect((await of({ tpe: { id: 'table-name' } }))['tpe']).not.toBe(plain['tpe']);
    expect(plain['nli']).toBe('model');
    // A changed list decides names again: a run under way must not go on with it.
    expect(plain['abbreviations']).toBe(sha256Of(JSON.stringify(ABBREVIATIONS)).slice(0, 12));
  });
});
