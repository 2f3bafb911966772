import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/chat/chat-endpoint.js';
import { ConfigError, EndpointError } from '../../src/errors.js';
import { LlmScorer } from '../../src/llm/llm-scorer.js';
import { ModelAsker } from '../../src/llm/model-asker.js';
import { EconomicalScorer } from '../../src/nli/entailment-scorer.js';
import { openScoreCache } from '../../src/run/score-cache.js';
import { sha256Of } from '../../src/run/sha256.js';
import type { EntailmentPair } from '../../src/stage.js';
import { type BehaviorName, type MisbehavingServer, startServer } from '../chat/misbehaving-server.js';
import { askedPairs, judgmentsFor, listeningContext, temporaryFolder } from './llm-fixture.js';

const pair = (a: string, b: string): EntailmentPair => ({
  premise: `singer ${a} (text).`,
  hypothesis: `singer ${b} (text).`,
});
const SAME = pair('name', 'full name');
const OTHER = pair('name', 'height');
/** So many pairs, each another one. */
const pairs = (count: number): readonly EntailmentPair[] =>
  Array.from({ length: count }, (_, i) => pair('name', `height ${i}`));

async function serving(...script: BehaviorName[]): Promise<MisbehavingServer> {
  const server = await startServer(...script);
  server.words = judgmentsFor;
  return server;
}

function scorerOf(
  { baseUrl }: Pick<MisbehavingServer, 'baseUrl'>,
  given: Partial<EndpointSettings> = {},
): LlmScorer & { describe(): string; dispose(): Promise<void> } {
  const asker = new ModelAsker({ baseUrl, model: 'm', backoffMs: 1, timeoutMs: 10_000, concurrency: 2, ...given }, {});
  onTestFinished(() => asker.dispose());
  return Object.assign(new LlmScorer(asker), { describe: () => asker.describe(), dispose: () => asker.dispose() });
}

describe('a language model as a judge', () => {
  it('says how surely a pair says the same, and how its name reads', async () => {
    const scorer = scorerOf(await serving());
    const [same, other] = await scorer.score([SAME, OTHER], listeningContext());
    expect(same).toEqual({
      entailment: 0.9,
      neutral: 1 - 0.9,
      contradiction: 0,
      entailmentLogit: expect.closeTo(Math.log(9), 6) as number,
      reading: { replacement: 0.8, addition: 0.1, topic: 0.9 },
    });
    expect(other).toMatchObject({ entailment: 0.05, reading: { addition: 0.7 } });
  });

  it('is told both statements and nothing else, whichever is the table’s', async () => {
    const server = await serving();
    await scorerOf(server).score([SAME, { premise: SAME.hypothesis, hypothesis: SAME.premise }], listeningContext());
    expect(askedPairs(server.seen[0]!)).toEqual([
      'singer name (text). → singer full name (text).',
      'singer full name (text). → singer name (text).',
    ]);
    const said = JSON.stringify(server.seen[0]!.body.messages);
    for (const word of ['llm', 'dictionary', 'retriev', 'candidate']) expect(said.toLowerCase()).not.toContain(word);
  });

  it.each([
    [0, Math.log(1e-6 / (1 - 1e-6))],
    [1, Math.log((1 - 1e-6) / 1e-6)],
  ])('that is sure, with %d, has log odds with an end', async (entailment, logit) => {
    const server = await serving();
    server.words = () => JSON.stringify({ entailment, replacement: 0, addition: 1, topic: 0.5 });
    const [score] = await scorerOf(server).score([SAME], listeningContext());
    expect(score).toMatchObject({ entailment, neutral: 1 - entailment });
    expect(score!.entailmentLogit).toBeCloseTo(logit, 6);
  });

  it('is asked about at most twenty pairs at a time, and its scores stand in the order asked', async () => {
    const server = await serving();
    const asked = [...pairs(44), SAME];
    const scorer = scorerOf(server);
    const scores = await scorer.score(asked, listeningContext());
    expect(server.seen.map((seen) => askedPairs(seen).length).sort((a, b) => b - a)).toEqual([20, 20, 5]);
    expect(scores.map(({ entailment }) => entailment)).toEqual([...pairs(44).map(() => 0.05), 0.9]);
    expect(await scorer.score([], listeningContext())).toEqual([]);
    expect(scorer.describe()).toBe('3 lists of pairs asked about (0 from the cache); calls: 3, tokens: 300');
  });

  it('has model, prompt and parameters in its fingerprint', async () => {
    const server = await serving();
    const prints = [{}, { model: 'n' }, { temperature: 1 }].map((given) => scorerOf(server, given).fingerprint);
    expect(new Set(prints).size).toBe(3);
    expect(prints[0]).toContain('model=m');
    expect(scorerOf(server).fingerprint).toBe(prints[0]);
  });
});

describe('an answer about several pairs that can’t be used', () => {
  it.each<[string, (seen: string) => string]>([
    ['prose', () => 'They are all alike.'],
    ['one judgment too few', (words) => words.replace(/,?\{[^{}]*\}\]/, ']')],
    ['a probability above 1', (words) => words.replace('0.05', '5')],
    ['a further field', (words) => words.replace('"topic"', '"why": "so", "topic"')],
  ])('is asked for pair by pair: %s', async (_, spoil) => {
    const server = await serving();
    server.words = (seen) => (askedPairs(seen).length > 1 ? spoil(judgmentsFor(seen)) : judgmentsFor(seen));
    const context = listeningContext();
    const scores = await scorerOf(server).score([SAME, OTHER, pair('age', 'weight')], context);
    expect(scores.map(({ entailment }) => entailment)).toEqual([0.9, 0.05, 0.05]);
    expect(server.seen.map((seen) => askedPairs(seen).length)).toEqual([3, 1, 1, 1]);
    expect(context.warnings()).toEqual([
      '3 pairs from singer name (text). → singer full name (text). has no judgments as a list: the answer is not the JSON object asked for',
    ]);
  });

  it('ends the run where a pair alone has none either, at no further call', async () => {
    const server = await serving();
    server.words = () => 'They are alike.';
    const failed = scorerOf(server, { concurrency: 1 }).score([SAME, OTHER], listeningContext());
    await expect(failed).rejects.toThrow(EndpointError);
    await expect(failed).rejects.toThrow(/gives no judgment: the answer is not the JSON object asked for/);
    await expect(failed).rejects.toMatchObject({
      where: { id: 'singer name (text). → singer full name (text).' },
      fix: expect.stringContaining('response_format') as string,
    });
    expect(server.seen).toHaveLength(2);
  });

  it.each<[BehaviorName, RegExp]>([
    ['length', /limit of tokens/],
    ['refusal', /must not/],
  ])('may have been cut or refused: %s', async (name, message) => {
    const server = await serving(name);
    const context = listeningContext();
    const scores = await scorerOf(server).score([SAME, OTHER], context);
    expect(scores.map(({ entailment }) => entailment)).toEqual([0.9, 0.05]);
    expect(context.warnings()).toEqual([expect.stringMatching(message)]);
  });
});

describe('a service', () => {
  it.each<BehaviorName>(['429', '500', 'reset', 'cut-silently'])('is asked again after %s', async (name) => {
    const [score] = await scorerOf(await serving(name)).score([SAME], listeningContext());
    expect(score?.entailment).toBe(0.9);
  });

  it('that gives no answer ends the run', async () => {
    const server = await serving();
    server.otherwise = () => '500';
    const failed = scorerOf(server, { maxAttempts: 2 }).score([SAME, OTHER], listeningContext());
    await expect(failed).rejects.toThrow(/gives no judgments as a list: status 500/);
    server.otherwise = () => '401';
    await expect(scorerOf(server).score([SAME], listeningContext())).rejects.toThrow(ConfigError);
  });
});

describe('scores of a language model', () => {
  it('are kept as soon as a call answers, in a file of the model’s own, and asked for once', async () => {
    const [server, folder] = [await serving(), temporaryFolder()];
    const context = listeningContext();
    const cached = (given: Partial<EndpointSettings> = {}): EconomicalScorer => {
      const inner = scorerOf(server, { concurrency: 1, ...given });
      return new EconomicalScorer(
        inner,
        openScoreCache(folder, sha256Of(inner.fingerprint), () => undefined),
      );
    };
    // The second of three calls fails for good.
    server.otherwise = (index) => (index === 1 ? '500' : 'ok');
    const first = cached({ maxAttempts: 1 });
    await expect(first.score(pairs(45), context)).rejects.toThrow(EndpointError);
    await first.dispose();
    expect(server.seen).toHaveLength(2);

    const second = cached();
    await second.score(pairs(45), context);
    expect(second.counts).toEqual({ asked: 45, inferred: 25, cached: 20 });
    await second.dispose();
    expect(server.seen.slice(2).map((seen) => askedPairs(seen).length)).toEqual([20, 5]);

    const third = cached();
    const scores = await third.score([SAME, ...pairs(45)], context);
    expect(third.counts).toMatchObject({ inferred: 1, cached: 45 });
    expect(scores[1]).toEqual((await scorerOf(server).score(pairs(1), context))[0]);
    await third.dispose();
    const other = cached({ model: 'n' });
    await other.score([OTHER], context);
    expect(other.counts).toMatchObject({ inferred: 1, cached: 0 });
    await other.dispose();
  });

  it('come from the answers that are cached, too', async () => {
    const server = await serving();
    const cacheFile = join(temporaryFolder(), 'answers.sqlite');
    const first = scorerOf(server, { cacheFile });
    const scores = await first.score([SAME, OTHER], listeningContext());
    await first.dispose();
    expect(await scorerOf(server, { cacheFile }).score([SAME, OTHER], listeningContext())).toEqual(scores);
    expect(server.seen).toHaveLength(1);
  });
});
