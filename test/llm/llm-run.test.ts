import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { previewRun } from '../../src/cli/preview-run.js';
import { ConfigError } from '../../src/errors.js';
import { loadCandidates } from '../../src/formats/candidates-file.js';
import type { EndpointChoice, ProposerChoice } from '../../src/llm/create-proposer.js';
import { type CandidatesInput, withDefaults } from '../../src/perturb/candidates-run.js';
import { generateCandidates } from '../../src/perturb/generate-candidates.js';
import { parseSettings } from '../../src/recipes/settings.js';
import type { RunHost } from '../../src/run/run-host.js';
import { packagePath } from '../../src/package-path.js';
import { type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { namesFor, namesForTable, temporaryFolder } from './llm-fixture.js';

const KEY = 'sk-very-secret-1234567890';
const DATASET = {
  tables: packagePath('examples/tables.json'),
  examples: packagePath('examples/dev.json'),
  databases: packagePath('examples/database'),
};

function chosen({ baseUrl }: MisbehavingServer, folder: string, concurrency: number): ProposerChoice {
  vi.stubEnv('MODEL_KEY', KEY);
  onTestFinished(() => void vi.unstubAllEnvs());
  const cacheFile = join(folder, 'answers.sqlite');
  const endpoint = {
    baseUrl,
    model: 'm',
    keyVariable: 'MODEL_KEY',
    backoffMs: 1,
    maxAttempts: 1,
    cacheFile,
    concurrency,
  };
  return { kind: 'endpoint', endpoint, prompt: null, sendValues: false, prices: { prompt: 1, answer: 2 } };
}

function listening(): RunHost & { readonly notes: string[] } {
  const notes: string[] = [];
  return {
    signal: new AbortController().signal,
    progress: () => undefined,
    notes,
    note: (line) => void notes.push(line),
  };
}

async function serving(): Promise<MisbehavingServer> {
  const server = await startServer();
  server.words = namesFor;
  return server;
}

describe('a run of recipe llm', () => {
  it('asks once for each column, says what it cost before and after, and keeps the key to itself', async () => {
    const [server, folder] = [await serving(), temporaryFolder()];
    const cacheFolder = join(folder, 'cache');
    const at = (name: string, concurrency = 4): CandidatesInput => ({
      ...{ ...DATASET, out: join(folder, name), recipe: 'llm', cacheFolder, jobs: 1 },
      proposer: chosen(server, folder, concurrency),
    });

    const [estimate = ''] = await previewRun(withDefaults(at('none')), listening());
    expect(estimate).toMatch(/asked \d+ times at most, about \d+ tokens of prompts .* price of about 0\.0\d+/);
    expect(server.seen).toHaveLength(0);
    const calls = Number(/asked (\d+) times/.exec(estimate)?.[1]);

    // One fails: the run ends, and the same command asks for what is left.
    server.otherwise = (index) => (index === 7 ? '500' : 'ok');
    await expect(generateCandidates(at('first', 1), listening())).rejects.toThrow(/gives no proposals/);
    expect(server.seen.length).toBeLessThan(calls);
    server.otherwise = () => 'ok';
    const host = listening();
    await generateCandidates(at('first'), host);
    expect(server.seen).toHaveLength(calls + 1);
    expect(host.notes.at(-1)).toMatch(/\d+ columns asked about \(\d+ from the cache\); calls: \d+, tokens: \d+00$/);

    const decisions = loadCandidates(join(folder, 'first', 'candidates.jsonl'));
    expect(new Set(decisions.map(({ source }) => source))).toEqual(new Set(['llm']));
    expect(decisions).toHaveLength(2 * calls);

    // Cached answers make the same run elsewhere the same, whatever the concurrency.
    await generateCandidates(at('second', 2), listening());
    expect(server.seen).toHaveLength(calls + 1);
    const bytes = (name: string): string => readFileSync(join(folder, name, 'candidates.jsonl'), 'utf8');
    expect(bytes('second')).toBe(bytes('first'));

    // What was proposed can be replayed without the model.
    const file = join(folder, 'first', 'proposals.jsonl');
    await generateCandidates({ ...at('third'), proposer: { kind: 'recorded', file } }, listening());
    expect(bytes('third')).toBe(bytes('first'));
    expect(server.seen).toHaveLength(calls + 1);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) expect(readFileSync(join(entry.parentPath, entry.name)).includes(KEY)).toBe(false);
    }
  });

  it('asks once for each table where it is told to, as the dry run says', async () => {
    const [server, folder] = [await startServer(), temporaryFolder()];
    server.words = namesForTable;
    const proposer = (namesPerCall: 'column' | 'table'): ProposerChoice => {
      return { ...(chosen(server, folder, 4) as EndpointChoice), namesPerCall };
    };
    const at = (name: string, per: 'column' | 'table'): CandidatesInput => ({
      ...{ ...DATASET, out: join(folder, name), recipe: 'llm', cacheFolder: join(folder, 'cache'), jobs: 1 },
      proposer: proposer(per),
    });
    const previewed = async (per: 'column' | 'table'): Promise<readonly number[]> => {
      const [line = ''] = await previewRun(withDefaults(at('none', per)), listening());
      return /of (\d+) tables.*asked (\d+) times.*about (\d+) tokens of prompts/.exec(line)!.slice(1).map(Number);
    };
    const [[tables, calls, tokens = 0], [, , inColumns = 0]] = await Promise.all([
      previewed('table'),
      previewed('column'),
    ]);
    expect(calls).toBe(tables);
    expect(tokens).toBeLessThan(inColumns);
    await generateCandidates(at('run', 'table'), listening());
    expect(server.seen).toHaveLength(calls!);
    const decisions = loadCandidates(join(folder, 'run', 'candidates.jsonl'));
    expect(decisions.some(({ bucket, source }) => bucket !== 'rejected' && source === 'llm')).toBe(true);
  });

  it('may ask for primary entities alone, each table once, and goes on after a fault', async () => {
    const [server, folder] = [await serving(), temporaryFolder()];
    server.words = () => '{"entity": "garden thing"}';
    const at = (name: string): CandidatesInput => ({
      ...{ ...DATASET, out: join(folder, name), recipe: 'random', cacheFolder: join(folder, 'cache'), jobs: 1 },
      ...{ settings: parseSettings({ tpe: { id: 'llm' } }), proposer: chosen(server, folder, 1) },
    });
    const [estimate = ''] = await previewRun(withDefaults(at('none')), listening());
    const [, calls] = /asked (\d+) times at most, about \d+ tokens .* price of about 0\.00\d+/.exec(estimate) ?? [];
    const tables = Number(/columns of (\d+) tables/.exec(estimate)?.[1]);
    expect(Number(calls)).toBe(tables);
    server.otherwise = (index) => (index === 1 ? '500' : 'ok');
    await expect(generateCandidates(at('first'), listening())).rejects.toThrow(/gives no primary entity/);
    server.otherwise = () => 'ok';
    const host = listening();
    await generateCandidates(at('first'), host);
    expect(server.seen).toHaveLength(tables + 1);
    expect(host.notes.at(-1)).toMatch(/^\d+ tables asked about \(\d+ from the cache\); calls: \d+/);
    const replayed = { ...at('second'), proposer: { kind: 'recorded', file: 'none' } } as const;
    await expect(previewRun(withDefaults(replayed), listening())).rejects.toThrow(/say nothing of primary entities/);
  });

  it.each<[string, Partial<CandidatesInput>]>([
    ['nobody to ask', {}],
    ['a key that is not there', { proposer: endpointWithKey('NOT_THERE') }],
  ])('is refused with %s, in a dry run too', async (_, given) => {
    const options = withDefaults({ ...DATASET, out: 'none', recipe: 'cta+llm', ...given });
    await expect(previewRun(options, listening())).rejects.toThrow(ConfigError);
  });
});

function endpointWithKey(keyVariable: string): ProposerChoice {
  const endpoint = { baseUrl: 'http://host/v1', model: 'm', keyVariable };
  return { kind: 'endpoint', endpoint, prompt: null, sendValues: false, prices: null };
}
