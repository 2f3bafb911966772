import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerAll } from '../../src/victims/answer-cache.js';
import { type CommandSettings, CommandVictim } from '../../src/victims/command-victim.js';
import { ConfigError, VictimError } from '../../src/errors.js';
import { builtModule, ScriptProcess } from '../run/run-fixture.js';
import { answersOf, ask, listening, outcomes, temporaryFolder } from './victim-fixture.js';

const MODEL = fileURLToPath(new URL('misbehaving-model.mjs', import.meta.url));

function start(settings: Partial<CommandSettings> = {}, mood = 'good') {
  const notes = join(temporaryFolder(), 'starts');
  const victim = new CommandVictim({
    command: [process.execPath, MODEL, notes, mood],
    timeoutMs: 30_000,
    graceMs: 200,
    ...settings,
  });
  onTestFinished(() => victim.dispose());
  return { victim, pids: () => readFileSync(notes, 'utf8').trim().split('\n').map(Number) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const sqlOf = (id: string): string => `SELECT '${id}'`;

describe('a command that behaves', () => {
  it('is started once and asked all', async () => {
    const { victim, pids } = start();
    const ids = ['answer 1', 'answer 2', 'pieces', 'answer 3'];
    const answers = await answersOf(
      victim,
      ids.map((id) => ask(id)),
    );
    expect([...answers.keys()]).toEqual(ids);
    expect(outcomes(answers)).toMatchObject({ 'answer 1': sqlOf('answer 1'), pieces: "SELECT 'é'" });
    await victim.dispose();
    expect(pids()).toHaveLength(1);
    expect(pids().some(isAlive)).toBe(false);
  });

  it('may answer several questions in its own order', async () => {
    const { victim } = start({ concurrency: 3 });
    const answers = await answersOf(victim, [ask('late'), ask('answer 1'), ask('answer 2')]);
    expect([...answers.keys()]).toEqual(['answer 1', 'answer 2', 'late']);
  });

  it('has its answers cleaned, and its own errors told', async () => {
    const { victim } = start();
    const answers = await answersOf(victim, [ask('chat'), ask('nothing'), ask('error')]);
    expect(outcomes(answers)).toEqual({ chat: 'SELECT 1', nothing: '<empty>', error: '<error-reply>' });
    expect(answers.get('chat')?.cleaned).toEqual(['code-fence', 'semicolon']);
    expect(answers.get('error')?.failure?.message).toBe('out of memory');
  });

  it('may flood stderr', async () => {
    const { victim } = start();
    expect(outcomes(await answersOf(victim, [ask('flood')]))).toEqual({ flood: sqlOf('flood') });
  });

  it('does not show its arguments in the fingerprint', () => {
    const { victim } = start({ command: ['/opt/model', '--key', 'SECRET'] });
    expect(victim.fingerprint).toMatch(/^command-2:model,/);
    expect(victim.fingerprint).not.toContain('SECRET');
  });
});

describe('a command that dies', () => {
  it('is started again, and the question asked again', async () => {
    const { victim, pids } = start();
    const ids = ['answer 1', 'crash-once', 'answer 2'];
    const answers = await answersOf(
      victim,
      ids.map((id) => ask(id)),
    );
    expect(outcomes(answers)).toEqual(Object.fromEntries(ids.map((id) => [id, sqlOf(id)])));
    expect(pids()).toHaveLength(2);
  });

  it('costs only the question that kills it, though others were in flight', async () => {
    const { victim } = start({ concurrency: 4 });
    const ids = ['late 1', 'crash', 'late 2', 'late 3', 'answer 1', 'leave', 'late 4'];
    const answers = await answersOf(
      victim,
      ids.map((id) => ask(id)),
    );
    const expected = ids.map((id) => [id, id === 'crash' || id === 'leave' ? '<exited>' : sqlOf(id)]);
    expect(outcomes(answers)).toEqual(Object.fromEntries(expected));
    expect(answers.get('crash')?.failure?.message).toMatch(/exit code 1; stderr ends with: boom/);
    expect(answers.get('leave')?.failure?.message).toMatch(/exit code 0/);
  });

  it('may end after every answer', async () => {
    const { victim } = start({ maxRestarts: 1 });
    const ids = ['last-words 1', 'last-words 2', 'last-words 3'];
    const answers = await answersOf(
      victim,
      ids.map((id) => ask(id)),
    );
    expect(outcomes(answers)).toEqual(Object.fromEntries(ids.map((id) => [id, sqlOf(id)])));
  });

  it('ends the run when it dies again and again, with what it said', async () => {
    const { victim, pids } = start({ maxRestarts: 2 }, 'dead');
    const asked = answersOf(victim, [ask('answer 1'), ask('answer 2'), ask('answer 3')]);
    await expect(asked).rejects.toThrow(/failed 3 times in a row: it ended with exit code 3/);
    await expect(asked).rejects.toMatchObject({ cause: { message: expect.stringContaining('torch') as string } });
    expect(pids()).toHaveLength(3);
    await expect(victim.answer(ask('answer 4'), listening())).rejects.toBeInstanceOf(VictimError);
  });

  const variants = (mood: string, example: string) =>
    Array.from({ length: 4 }, (_, seed) => ask(mood, `${example}~RPL~${seed}`));

  it('costs an example with all its variants, and no other', async () => {
    const { victim } = start({ maxRestarts: 1, maxFailedExamples: 1 });
    const asked = [ask('answer', 'dev:0'), ...variants('leave', 'dev:1'), ask('answer', 'dev:2')];
    const found = outcomes(await answersOf(victim, asked));
    expect(Object.values(found).filter((sql) => sql === '<exited>')).toHaveLength(4);
    expect(found['dev:2']).toBe(sqlOf('dev:2'));
  });

  it('costs that example in a resumed run, too, where nothing else is left to ask', async () => {
    const { victim } = start({ maxRestarts: 1, maxFailedExamples: 1 });
    const found = await answersOf(victim, variants('leave', 'dev:1'), { ...listening(), hasAnswered: true });
    expect(new Set(Object.values(outcomes(found)))).toEqual(new Set(['<exited>']));
    expect(found.size).toBe(4);
  });

  it('ends the run when it has answered, but dies on one example after the other', async () => {
    const { victim } = start({ maxFailedExamples: 1 });
    const asked = ['answer', 'leave', 'leave', 'leave'].map((mood, i) => ask(mood, `dev:${i}~original`));
    await expect(answersOf(victim, asked)).rejects.toThrow(/failed on 2 examples in a row: it ended with exit code 0/);
  });

  it('ends the run when there is no such program', async () => {
    const { victim } = start({ command: ['/nowhere/model'] });
    await expect(answersOf(victim, [ask('answer')])).rejects.toThrow(
      /can't be started: \/nowhere\/model: there is no such file or folder/,
    );
    expect(() => new CommandVictim({ command: [] })).toThrow(ConfigError);
    // A timer of more than 2^31 - 1 ms goes off at once.
    expect(() => new CommandVictim({ command: ['true'], timeoutMs: 3e9 })).toThrow(ConfigError);
  });
});

describe('a command that breaks the protocol', () => {
  it.each([
    ['wrong-id', 'wrong-id', /another/],
    ['garbage', 'bad-reply', /no answer: \{"id": "garbage", "sql/],
    ['words', 'bad-reply', /Loading the model/],
    ['list', 'bad-reply', /\[1\]/],
    ['endless', 'bad-reply', /without end/],
  ])('fails the question with %s, and no other', async (id, kind, message) => {
    const { victim } = start({ concurrency: 1 });
    const answers = await answersOf(victim, [ask('answer 1'), ask(id), ask('answer 2')]);
    expect(outcomes(answers)).toEqual({
      'answer 1': sqlOf('answer 1'),
      [id]: `<${kind}>`,
      'answer 2': sqlOf('answer 2'),
    });
    expect(answers.get(id)?.failure?.message).toMatch(message);
  });

  it('is asked one by one where several could be at fault', async () => {
    const { victim } = start({ concurrency: 3 });
    const answers = await answersOf(victim, [ask('late 1'), ask('garbage'), ask('late 2')]);
    expect(outcomes(answers)).toEqual({ 'late 1': sqlOf('late 1'), garbage: '<bad-reply>', 'late 2': sqlOf('late 2') });
  });

  it('is started again after a second answer to one question', async () => {
    const { victim } = start();
    const answers = await answersOf(victim, [ask('twice'), ask('answer')]);
    expect(answers.get('twice')?.sql).toBe(sqlOf('twice'));
    expect(answers.size).toBe(2);
  });
});

describe.concurrent('a command that does not answer', () => {
  it.for(['hang', 'stubborn'])('times out and is killed: %s', async (id, { expect }) => {
    const { victim, pids } = start({ timeoutMs: 4_000 });
    const answers = await answersOf(victim, [ask('answer 1'), ask(id), ask('answer 2')]);
    expect(outcomes(answers)).toEqual({
      'answer 1': sqlOf('answer 1'),
      [id]: '<timeout>',
      'answer 2': sqlOf('answer 2'),
    });
    const [first, ...others] = pids();
    expect(isAlive(first!)).toBe(false);
    expect(others).toHaveLength(1);
  });
});

describe('stopping', () => {
  it('leaves a question in flight when aborted', async () => {
    const { victim, pids } = start({ concurrency: 2 });
    const stop = new AbortController();
    const questions = [ask('answer'), ask('stubborn'), ask('hang'), ask('answer 2')];
    const asking = async (): Promise<void> => {
      for await (const { id } of answerAll(victim, questions, listening(stop.signal))) {
        expect(id).toBe('answer');
        stop.abort(new Error('enough'));
      }
    };
    await expect(asking()).rejects.toThrow('enough');
    await victim.dispose();
    expect(pids().some(isAlive)).toBe(false);
  });

  it('kills a process that outlives its input', async () => {
    const { victim, pids } = start({}, 'stubborn');
    await answersOf(victim, [ask('answer')]);
    await victim.dispose();
    expect(pids().some(isAlive)).toBe(false);
    await expect(victim.answer(ask('answer 2'), listening())).rejects.toThrow('was ended');
  });

  it('ends with the run, even where that is killed and the model ignores the end of its input and SIGTERM', async () => {
    const notes = join(temporaryFolder(), 'notes');
    const script = `
      const { CommandProcess } = await import(process.argv[1]);
      const listener = { line: (text) => console.log(text), flood() {}, end() {} };
      const command = [process.execPath, process.argv[2], process.argv[3], 'deaf'];
      new CommandProcess({ command, graceMs: 100 }, listener).send(JSON.stringify({ id: 'a', question: 'answer' }));`;
    const args = [builtModule('victims/command-process.js'), MODEL, notes];
    const run = new ScriptProcess(script, args);
    expect(await run.nextLine()).toContain('"id":"a"');
    const [model] = readFileSync(notes, 'utf8').trim().split('\n').map(Number);
    await run.kill();
    await expect.poll(() => isAlive(model ?? 0), { timeout: 20_000 }).toBe(false);
  });
});
