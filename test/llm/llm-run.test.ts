import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { previewRun } from '../../src/cli/preview-run.js';
import { ConfigError } from '../../src/errors.js';
import { loadCandidates } from '../../src/formats/artifacts/candidates.js';
import type { EndpointChoice, ProposerChoice } from '../../src/llm/create-proposer.js';
import { type CandidatesInput, withDefaults } from '../../src/variants/candidates/candidates-run.js';
import { generateCandidates } from '../../src/variants/candidates/generate-candidates.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { readRunManifest } from '../../src/run/run-folder.js';
import type { RunHost } from '../../src/run/run-host.js';
import { packagePath } from '../../src/package-path.js';
import { type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { askedPairs, judgmentsFor, namesFor, namesForTable, temporaryFolder } from './llm-fixture.js';

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

/** A count as messages show it: "22,611". */
const numberOf = (shown: string): number => Number(shown.replaceAll(',', ''));

describe('a run of recipe llm', () => {
  it('asks once for each column, says what it cost before and after, and keeps the key to itself', async () => {
    const [server, folder] = [await serving(), temporaryFolder()];
    const cacheFolder = join(folder, 'cache');
    const at = (name: string, concurrency = 4): CandidatesInput => ({
      ...DATASET,
      out: join(folder, name),
      recipe: 'llm',
      cacheFolder,
      jobs: 1,
      proposer: chosen(server, folder, concurrency),
    });

    const [estimate = ''] = await previewRun(withDefaults(at('none')), listening());
    expect(estimate).toMatch(/asked \d+ times at most, about [\d,]+ tokens of prompts .* price of about 0\.0\d+/);
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
    expect(host.notes.at(-1)).toMatch(/\d+ columns asked about \(\d+ from the cache\); calls: \d+, tokens: [\d,]+00$/);

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
      ...DATASET,
      out: join(folder, name),
      recipe: 'llm',
      cacheFolder: join(folder, 'cache'),
      jobs: 1,
      proposer: proposer(per),
    });
    const previewed = async (per: 'column' | 'table'): Promise<readonly number[]> => {
      const [line = ''] = await previewRun(withDefaults(at('none', per)), listening());
      return /of (\d+) tables.*asked (\d+) times.*about ([\d,]+) tokens of prompts/.exec(line)!.slice(1).map(numberOf);
    };
    const [[tables, calls, tokens = 0], [, , inColumns = 0]] = await Promise.all([
      previewed('table'),
      previewed('column'),
    ]);
    expect(calls).toBe(tables);
    expect(tokens).toBeLessThan(inColumns);
    // The names are made for the test, and read odd.
    const settings = parseSettings({ naturalness: { 'reads-odd': false } });
    await generateCandidates({ ...at('run', 'table'), settings }, listening());
    expect(server.seen).toHaveLength(calls!);
    const decisions = loadCandidates(join(folder, 'run', 'candidates.jsonl'));
    expect(decisions.some(({ bucket, source }) => bucket !== 'rejected' && source === 'llm')).toBe(true);
  });

  it('may have its names judged by the model as well, and replays what was proposed and judged', async () => {
    const [server, folder] = [await startServer(), temporaryFolder()];
    server.words = (seen) => (askedPairs(seen).length > 0 ? judgmentsFor(seen) : namesFor(seen));
    const settings = parseSettings({ nli: { id: 'llm' } });
    const at = (name: string, cache: string, concurrency = 4): CandidatesInput => ({
      ...DATASET,
      out: join(folder, name),
      recipe: 'llm',
      cacheFolder: join(folder, cache),
      jobs: 1,
      settings,
      proposer: chosen(server, join(folder, cache), concurrency),
    });
    const asked = (line = ''): readonly number[] =>
      /(\d+) columns.*about ([\d,]+) pairs.*asked ([\d,]+) times.*price of about/
        .exec(line)!
        .slice(1)
        .map((text) => Number(text.replace(',', '')));
    const [columns = 0, pairs = 0, calls = 0] = asked(
      (await previewRun(withDefaults(at('none', 'a')), listening()))[0],
    );
    expect(calls).toBe(columns + Math.ceil((2 * pairs) / 10));
    expect(server.seen).toHaveLength(0);

    // A failure among the judgments ends the run, and the same command asks for what is left.
    server.otherwise = (_, seen) => (askedPairs(seen).length > 0 && server.seen.length > 8 ? '500' : 'ok');
    await expect(generateCandidates(at('first', 'a', 1), listening())).rejects.toThrow(/gives no judgment/);
    server.otherwise = () => 'ok';
    const host = listening();
    await generateCandidates(at('first', 'a'), host);
    expect(host.notes.at(-1)).toMatch(/^\d+ columns asked about .*, \d+ lists of pairs asked about/);
    expect(server.seen.length).toBeLessThan(calls);
    const bytes = (name: string, file = 'candidates.jsonl'): string => readFileSync(join(folder, name, file), 'utf8');
    const decisions = loadCandidates(join(folder, 'first', 'candidates.jsonl'));
    const of = (bucket: string) => decisions.filter((one) => one.bucket === bucket);
    expect([of('RPL').length > 0, of('ADD').length > 0]).toEqual([true, true]);
    expect(of('RPL').every(({ e1, e2 }) => e1 === 0.9 && e2 === 0.9)).toBe(true);
    const manifest = readRunManifest(join(folder, 'first')).settings as { parts: { nli: string }; thresholds: object };
    expect(manifest.parts.nli).toContain(`llm-judge-1:${server.baseUrl}`);
    const reading = { replacement: 0.7, addition: 0.7, topic: 0.5 };
    expect(manifest.thresholds).toEqual({ rplMin: 0.65, addMax: 0.45, reading, source: 'paper' });

    // Scores that are cached make the same run elsewhere the same.
    const before = server.seen.length;
    await generateCandidates(at('second', 'a', 2), listening());
    expect(server.seen).toHaveLength(before);
    expect(bytes('second')).toBe(bytes('first'));
    expect(bytes('second', 'judgments.jsonl')).toBe(bytes('first', 'judgments.jsonl'));

    // What was proposed and judged can be replayed without the model, and without its cache.
    const [file, judgments] = ['proposals.jsonl', 'judgments.jsonl'].map((name) => join(folder, 'first', name));
    const proposer = { kind: 'recorded', file: file!, judgments: judgments! } as const;
    const replaying = listening();
    await generateCandidates({ ...at('third', 'b'), proposer }, replaying);
    expect(server.seen).toHaveLength(before);
    expect(bytes('third')).toBe(bytes('first'));
    expect(bytes('third', 'judgments.jsonl')).toBe(bytes('first', 'judgments.jsonl'));
    expect(replaying.notes.filter((line) => line.startsWith('warning'))).toEqual([]);
    expect(readdirSync(join(folder, 'b')).filter((name) => name.startsWith('scores'))).toEqual([]);
    const unjudged = { ...proposer, judgments: null };
    await expect(previewRun(withDefaults({ ...at('none', 'a'), proposer: unjudged }), listening())).rejects.toThrow(
      /say nothing of how names are judged/,
    );
    const unnamed = { ...proposer, file: null };
    await expect(previewRun(withDefaults({ ...at('none', 'a'), proposer: unnamed }), listening())).rejects.toThrow(
      /propose no names/,
    );
  });

  it('may have the names of other sources judged, in no more calls than the dry run says', async () => {
    const [server, folder] = [await startServer(), temporaryFolder()];
    server.words = judgmentsFor;
    const proposer = chosen(server, folder, 4);
    const out = join(folder, 'run');
    const run: CandidatesInput = {
      ...DATASET,
      out,
      recipe: 'cta',
      cacheFolder: join(folder, 'cache'),
      jobs: 1,
      proposer,
      settings: parseSettings({ nli: { id: 'llm' } }),
    };
    const [line = ''] = await previewRun(withDefaults(run), listening());
    await generateCandidates(run, listening());
    const asked = server.seen.map((seen) => askedPairs(seen).length);
    expect(Math.max(...asked)).toBe(20);
    expect(server.seen.length).toBeLessThanOrEqual(numberOf(/asked ([\d,]+) times/.exec(line)?.[1] ?? ''));
    expect(existsSync(join(out, 'proposals.jsonl'))).toBe(false);
    const lines = readFileSync(join(out, 'judgments.jsonl'), 'utf8').trim().split('\n');
    const judged = lines.map((text) => JSON.parse(text) as { premise: string; hypothesis: string });
    expect(new Set(judged.map(({ premise, hypothesis }) => `${premise} → ${hypothesis}`))).toEqual(
      new Set(server.seen.flatMap((seen) => askedPairs(seen))),
    );
  });

  it('may ask for primary entities alone, each table once, and goes on after a fault', async () => {
    const [server, folder] = [await serving(), temporaryFolder()];
    server.words = () => '{"entity": "garden thing"}';
    const at = (name: string): CandidatesInput => ({
      ...DATASET,
      out: join(folder, name),
      recipe: 'random',
      cacheFolder: join(folder, 'cache'),
      jobs: 1,
      settings: parseSettings({ tpe: { id: 'llm' } }),
      proposer: chosen(server, folder, 1),
    });
    const [estimate = ''] = await previewRun(withDefaults(at('none')), listening());
    const [, calls] = /asked (\d+) times at most, about [\d,]+ tokens .* price of about 0\.00\d+/.exec(estimate) ?? [];
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
