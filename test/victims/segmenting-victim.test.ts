import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TIMEOUT_OPTION } from '../../src/cli/shared-options.js';
import { VICTIM_OPTIONS, victimOf } from '../../src/cli/victim-options.js';
import { QuestionSplitter } from '../../src/compositional/split/question-splitter.js';
import { ConfigError } from '../../src/errors.js';
import { DEFAULT_TEMPLATE, SEGMENTS_TEMPLATE } from '../../src/formats/exports/prompt-template.js';
import { PATH_DEFAULTS } from '../../src/formats/dataset.js';
import { writeVictimInputs } from '../../src/victims/file-victim.js';
import { createVictim } from '../../src/victims/create-victim.js';
import { segmentingVictim } from '../../src/victims/segmenting-victim.js';
import { renderPrompt, type VictimInput, victimInput } from '../../src/victims/victim-input.js';
import { readAnswer, type Victim, type VictimQuestion } from '../../src/victims/victim.js';
import { errorOf } from '../error-of.js';
import { EXAMPLES } from '../variants/relations/cases.js';
import { answersOf, ask, listening, temporaryFolder } from './victim-fixture.js';

const opening = QuestionSplitter.open();
afterAll(async () => (await opening).close());

const ASKED = 'Show the names of the singers who are older than 30 and sort them by age.';

/** What a victim is asked when it is to go by sub-sentences. */
async function askedOf(question: VictimQuestion): Promise<VictimQuestion> {
  const asked: VictimQuestion[] = [];
  const victim: Victim = {
    id: 'own',
    fingerprint: 'own-1',
    concurrency: 3,
    answer: (one) => {
      asked.push(one);
      return Promise.resolve(readAnswer(one.id, 'SELECT 1'));
    },
  };
  const segmenting = segmentingVictim(victim, await opening);
  expect(segmenting.concurrency).toBe(3);
  expect(segmenting.fingerprint).toMatch(/^own-1\+split-/);
  await segmenting.answer(question, listening());
  return asked[0]!;
}

describe('a victim that goes by sub-sentences', () => {
  it('gets the places of those that cover the question', async () => {
    const { segments = [], question } = await askedOf(ask(ASKED));
    expect(segments.length).toBeGreaterThan(1);
    expect(segments.map(({ text }) => text).join('')).toBe(question);
    for (const { text, start, end } of segments) expect(question.slice(start, end)).toBe(text);
  });

  it.each([
    ['another language', 'Wie viele Sängerinnen und Sänger gibt es in der Tabelle?'],
    ['no words', '   '],
  ])('gets a question that can’t be split whole: %s', async (_, question) => {
    expect((await askedOf(ask(question))).segments).toEqual([{ text: question, start: 0, end: question.length }]);
  });

  it('is a command that reads them from its lines', async () => {
    const model = fileURLToPath(new URL('segment-model.mjs', import.meta.url));
    const settings = { command: [process.execPath, model] };
    const paths = { ...PATH_DEFAULTS };
    const world = { paths, asked: EXAMPLES, examplesOf: (id: string) => [id], isLearned: () => true };
    const plain = await createVictim({ kind: 'command', settings }, world);
    const { victim, fingerprint } = await createVictim({ kind: 'command', settings, segments: true }, world);
    expect(fingerprint).not.toBe(plain.fingerprint);
    try {
      const answers = await answersOf(victim!, [ask(ASKED)]);
      expect(answers.get(ASKED)?.sql).toMatch(/^SELECT [2-9]$/);
    } finally {
      await victim?.dispose?.();
      await plain.victim?.dispose?.();
    }
  });
});

describe('what a model outside is told', () => {
  const segments = [
    { text: 'Show the names ', start: 0, end: 15 },
    { text: 'of old singers', start: 15, end: 29 },
  ];
  const question = { ...ask('Show the names of old singers'), segments };

  it('holds the sub-sentences, in the prompt a line each', () => {
    expect(victimInput(question, SEGMENTS_TEMPLATE)).toMatchObject({ segments });
    const { user } = renderPrompt(question, SEGMENTS_TEMPLATE);
    expect(user).toContain('1. Show the names\n2. of old singers');
    expect(renderPrompt(ask('How many?'), SEGMENTS_TEMPLATE).user).toContain('1. How many?');
  });

  it('holds none where they were not asked for', () => {
    expect(victimInput(ask('How many?'), DEFAULT_TEMPLATE)).not.toHaveProperty('segments');
  });

  it('is written to files, too', () => {
    const file = join(temporaryFolder(), 'questions.jsonl');
    writeVictimInputs(file, [{ question }], SEGMENTS_TEMPLATE);
    expect((JSON.parse(readFileSync(file, 'utf8')) as VictimInput).segments).toEqual(segments);
  });
});

describe('--segments', () => {
  const options = z.object({ ...VICTIM_OPTIONS, ...TIMEOUT_OPTION });
  const endpoint = { victim: 'endpoint', baseUrl: 'http://host/v1', model: 'm', segments: true } as const;

  it('gives commands and endpoints the sub-sentences', () => {
    expect(victimOf(options.parse(endpoint), new Set(['segments']))).toMatchObject({
      segments: true,
      settings: { template: SEGMENTS_TEMPLATE },
    });
    const command = { victim: 'command', command: './model', segments: true };
    expect(victimOf(options.parse(command), new Set(['segments']))).toMatchObject({ segments: true });
  });

  it('is of no use to other victims', () => {
    const error = errorOf(ConfigError, () => victimOf(options.parse({ segments: true }), new Set(['segments'])));
    expect(error.message).toBe('option --segments is of no use to victim baseline');
  });
});
