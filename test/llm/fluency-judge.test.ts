import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/chat/chat-endpoint.js';
import { ConfigError, EndpointError } from '../../src/errors.js';
import { estimateFluency, type FluencyChoice, FluencyJudge } from '../../src/llm/fluency-judge.js';
import { mutate, previewMutants } from '../../src/variants/mutate/mutate.js';
import type { MutateInput } from '../../src/variants/mutate/mutate-options.js';
import type { MutantRecord } from '../../src/formats/artifacts/mutants.js';
import { packagePath } from '../../src/package-path.js';
import { type BehaviorName, type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { listeningContext, temporaryFolder } from './llm-fixture.js';

const GOOD = 'How old is each singer?';
const BAD = 'How old is each each singer of?';

/** Finds fluent what does not begin with "please". */
async function serving(...script: BehaviorName[]): Promise<MisbehavingServer> {
  const server = await startServer(...script);
  server.words = ({ body }) => {
    const said = body.messages.at(-1)?.content ?? '';
    return JSON.stringify({ fluent: !said.includes(BAD) && !/\n\nplease/i.test(said) });
  };
  return server;
}

function choiceOf(
  { baseUrl }: Pick<MisbehavingServer, 'baseUrl'>,
  given: Partial<EndpointSettings> = {},
  prompt: string | null = null,
): FluencyChoice {
  const endpoint = { baseUrl, model: 'm', backoffMs: 1, timeoutMs: 10_000, concurrency: 2, ...given };
  return { endpoint, prompt, prices: { prompt: 1, answer: 2 } };
}

function judgeOf(...words: Parameters<typeof choiceOf>): FluencyJudge {
  const judge = new FluencyJudge(choiceOf(...words), {});
  onTestFinished(() => judge.dispose());
  return judge;
}

describe('a language model that is asked whether questions are fluent', () => {
  it('says so of each, and what it cost', async () => {
    const judge = judgeOf(await serving());
    const context = listeningContext();
    expect(await judge.isFluent('a', GOOD, context)).toBe(true);
    expect(await judge.isFluent('b', BAD, context)).toBe(false);
    expect(judge.describe()).toBe('2 questions asked about (0 from the cache); calls: 2, tokens: 200');
  });

  it.each<BehaviorName>(['429', '500', 'reset', 'cut', 'cut-silently', 'choiceless'])(
    'is asked again after %s',
    async (name) => {
      expect(await judgeOf(await serving(name)).isFluent('b', BAD, listeningContext())).toBe(false);
    },
  );

  it.each(['yes', '{"fluent": "yes"}', '{"fluent": false, "why": "of"}', '[false]'])(
    'costs nobody a question where its answer is none: %s',
    async (words) => {
      const server = await serving();
      server.words = () => words;
      const context = listeningContext();
      expect(await judgeOf(server).isFluent('b', BAD, context)).toBe(true);
      expect(context.warnings()).toEqual([
        'b has no judgment of its fluency: the answer is not the JSON object asked for',
      ]);
    },
  );

  it('ends the run where the service gives no answer', async () => {
    const server = await serving();
    server.otherwise = () => '503';
    const failed = judgeOf(server, { maxAttempts: 2 }).isFluent('b', BAD, listeningContext());
    await expect(failed).rejects.toThrow(EndpointError);
  });

  it('has the prompt of a file, whose text is in the fingerprint', async () => {
    const server = await serving();
    const prompt = join(temporaryFolder(), 'prompt.txt');
    writeFileSync(prompt, 'Good English? {question}');
    const judge = judgeOf(server, {}, prompt);
    await judge.isFluent('a', GOOD, listeningContext());
    expect(server.seen[0]?.body.messages).toEqual([{ role: 'user', content: `Good English? ${GOOD}` }]);
    expect(judge.fingerprint).not.toBe(judgeOf(server).fingerprint);
    writeFileSync(prompt, 'Good English?');
    expect(() => judgeOf(server, {}, prompt)).toThrow(ConfigError);
  });

  it('is estimated by the length of prompt and questions', () => {
    const estimate = estimateFluency(choiceOf({ baseUrl: 'http://host/v1' }), 100, 50);
    expect(estimate).toMatchObject({ calls: 100, answerTokens: 800 });
    expect(estimate.promptTokens).toBeGreaterThan(5000);
    expect(estimate.price).toBeCloseTo((estimate.promptTokens + 1600) / 1e6, 12);
  });
});

describe('mutate that asks', () => {
  it('drops the wordings that the model refuses, counts them, and asks for nothing twice', async () => {
    const [server, folder] = [await serving(), temporaryFolder()];
    const inputOf = (name: string, asks: boolean): MutateInput => ({
      tables: packagePath('examples/tables.json'),
      examples: packagePath('examples/dev.json'),
      relations: ['PI', 'CRm'],
      guard: false,
      limit: 2,
      out: join(folder, name),
      ...(asks ? { askFluency: choiceOf(server, { cacheFile: join(folder, 'answers.sqlite') }) } : {}),
    });
    const preview = await previewMutants(inputOf('none', true));
    expect(preview.at(-1)).toMatch(/asked 120 times at most, about [\d,]+ tokens .* price of about 0\.0\d+/);
    expect(server.seen).toHaveLength(0);
    const mutantsOf = async (name: string, asks: boolean): Promise<MutantRecord[]> => {
      await mutate(inputOf(name, asks));
      const lines = readFileSync(join(folder, name, 'mutants.jsonl'), 'utf8')
        .trimEnd()
        .split('\n');
      return lines.map((line) => JSON.parse(line) as MutantRecord);
    };
    const all = await mutantsOf('all', false);
    const isRefused = ({ question }: MutantRecord): boolean => question.toLowerCase().startsWith('please');
    const some = await mutantsOf('some', true);
    expect(all.some(isRefused)).toBe(true);
    expect(some).toEqual(all.filter((record) => !isRefused(record)));
    const calls = server.seen.length;
    expect(await mutantsOf('again', true)).toEqual(some);
    expect(server.seen).toHaveLength(calls);
    const report = readFileSync(join(folder, 'some', 'report.json'), 'utf8');
    expect(report).toContain('reads as nobody would ask, says the language model');
  });
});
