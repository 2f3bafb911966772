import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attackReport } from '../../src/measure/attack/attack-report.js';
import { candidatesFor } from '../measure/attack/attack-fixture.js';
import { type ExampleData, writeSmallData } from './example-data.js';
import { type CliResult, hashFiles, makeTempFolder, PROJECT, runCli, startCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });

let data: ExampleData;
let options: readonly string[];

/** A command victim that takes so many milliseconds for an answer, and notes what it is asked. */
function commandVictim(notes: string, milliseconds: number): readonly string[] {
  const model = join(PROJECT, 'test/e2e/slow-model.mjs');
  return ['--victim', 'command', '--command', `"${process.execPath}" "${model}" ${notes} ${milliseconds}`];
}

const lines = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

const journaled = (out: string): readonly string[] =>
  lines(at(out, '.items.jsonl')).map((line) => (JSON.parse(line) as { id: string }).id);

beforeAll(() => {
  data = writeSmallData(at('data'));
  const text = candidatesFor(3).map((decision) => `${JSON.stringify(decision)}\n`);
  writeFileSync(at('candidates.jsonl'), text.join(''));
  options = ['attack', ...data.options, '--candidates', 'candidates.jsonl'];
});
afterAll(() => temp.remove());

describe('perturbql attack', () => {
  it('prints the table of the paper and writes a report', async () => {
    const { code, stdout, stderr } = await run(...options, '--train', data.examples, '--out', 'one');
    expect(stderr).not.toContain('fault in perturbql');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +Original +RPL +ADD$/m);
    expect(stdout).toMatch(/^exact match +\d+\.\d% +\d+\.\d% \([-+]?\d+\.\d ± \d+\.\d\)/m);
    expect(stdout).toMatch(/^execution +\d/m);
    expect(stderr).toMatch(/8 examples, RPL and ADD with 5 seeds: 88 questions, \d+ of them distinct/);
    expect(stderr).toMatch(/questions answered: (\d+)\/\1 \(100%\), took/);
    const report = attackReport.parse(JSON.parse(readFileSync(at('one/report.json'), 'utf8')));
    expect(report.scores).toHaveLength(6);
    expect(Object.keys(hashFiles(at('one')))).toEqual(['answers.jsonl', 'report.html', 'report.json', 'run.json']);

    const again = await run(...options, '--train', data.examples, '--out', 'one');
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(
      /^already complete, so nothing was asked; if the model has changed, name a new --out:\n/,
    );
  });

  it('says what it would ask, and does nothing, with --dry-run', async () => {
    const { code, stdout } = await run(...options, '--out', 'dry', '--seeds', '2', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/8 examples, RPL and ADD with 2 seeds: 40 questions, \d+ of them distinct/);
    expect(existsSync(at('dry'))).toBe(false);
  });

  it('fails with 3 where an accuracy is below its limit, and writes JUnit', async () => {
    const args = [...options, ...commandVictim(at('wrong'), 0), '--seeds', '1', '--out', 'checked'];
    const { code, stdout } = await run(...args, '--fail-below', 'rpl=90', '--junit', 'junit.xml');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^failed: exact match under RPL is [\d.]+%, below 90%$/m);
    expect(readFileSync(at('junit.xml'), 'utf8')).toMatch(/^<\?xml /);
  });
});

describe('an attack with open questions', () => {
  it('fails with 3, whatever its accuracy', async () => {
    const model = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify(id === 'dev:1~original' ? { id, error: 'busy' } : { id, sql: 'SELECT 1' }));
});\n`;
    writeFileSync(at('busy.mjs'), model);
    const victim = ['--victim', 'command', '--command', `"${process.execPath}" busy.mjs`];
    for (const rules of [[], ['--fail-below', 'rpl=0']]) {
      const { code, stdout } = await run(...options, ...victim, '--seeds', '1', '--out', 'open', ...rules);
      expect(stdout).toMatch(/^failed: 1 questions are open; the same command asks them again$/m);
      expect(code).toBe(3);
    }
  });
});

describe('an attack that was killed', () => {
  it('is resumed without asking anything twice, to the same bytes', async () => {
    const args = (out: string, notes: string, ms: number): string[] => [
      ...options,
      ...commandVictim(at(notes), ms),
      ...['--seeds', '2', '--out', out],
    ];
    const { child, result } = startCli(args('killed', 'asked', 40), { cwd: temp.path });
    while (child.exitCode === null && journaled('killed').length < 5) await sleep(5);
    child.kill('SIGKILL');
    expect(await result).toMatchObject({ code: null, signal: 'SIGKILL' });
    const stored = journaled('killed');
    expect(stored.length).toBeGreaterThanOrEqual(5);
    expect(existsSync(at('killed/report.json'))).toBe(false);
    await sleep(200); // the orphaned model notes its last question
    const before = lines(at('asked'));

    // What the command is called with is part of the run: the same again.
    const resumed = await run(...args('killed', 'asked', 40));
    expect(resumed.code).toBe(0);
    const after = lines(at('asked')).slice(before.length);
    expect(after.filter((id) => stored.includes(id))).toEqual([]);
    // What was on its way when the kill came has no answer: it alone is asked again.
    expect(before.length - stored.length).toBeLessThanOrEqual(1);
    expect(new Set(after).size).toBe(after.length);

    cpSync(at('candidates.jsonl'), at('whole-candidates.jsonl'));
    const whole = await run(...args('whole', 'asked', 40));
    expect(whole.code).toBe(0);
    expect(hashFiles(at('killed'))).toEqual(hashFiles(at('whole')));
  });

  it('is not entered while another process works in it, nor with another configuration', async () => {
    const args = [...options, '--seeds', '1', '--out', 'locked'];
    expect((await run(...args)).code).toBe(0);
    const other = await run(...args.slice(0, -4), '--seeds', '2', '--out', 'locked');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('seeds is 0, 1 here, the run was made with 0');
    writeFileSync(at('locked/.lock'), String(process.ppid));
    const locked = await run(...args);
    expect(locked.code).toBe(2);
    expect(locked.stderr).toContain(`process ${process.ppid} is working in this folder`);
  });
});

describe('perturbql attack prepare and score', () => {
  it('take a model that runs elsewhere', async () => {
    const prepared = await run('attack', 'prepare', ...options.slice(1), '--seeds', '1', '--out', 'prepared');
    expect(prepared.stderr).not.toContain('fault in perturbql');
    expect(prepared.code).toBe(0);
    expect(prepared.stdout).toMatch(/^\d+ questions of 8 examples\n/);
    const asked = lines(at('prepared/inputs/questions.jsonl')).map((line) => JSON.parse(line) as { id: string });
    const predictions = asked.map(({ id }) => `${JSON.stringify({ id, sql: 'SELECT 1' })}\n`);
    writeFileSync(at('model.jsonl'), predictions.join(''));
    const scored = await run('attack', 'score', 'prepared', '--predictions', 'model.jsonl');
    expect(scored.stderr).not.toContain('fault in perturbql');
    expect(scored.code).toBe(0);
    expect(scored.stdout).toMatch(/^exact match +0\.0/m);
    expect(existsSync(at('prepared/scores/model.jsonl/report.html'))).toBe(true);
  });
});

describe('wrong options', () => {
  const endpoint = ['--victim', 'endpoint', '--base-url', 'http://localhost:9/v1'];
  it.each<[string, readonly string[], RegExp]>([
    ['no folder', [], /option --out is missing/],
    ['no seeds', ['--out', 'x', '--seeds', '0'], /option --seeds is wrong: a number above 0/],
    ['too many seeds', ['--out', 'x', '--seeds', '5000'], /option --seeds is wrong: a number up to 1000/],
    ['no such victim', ['--out', 'x', '--victim', 'oracle'], /'oracle' is invalid/],
    ['no command', ['--out', 'x', '--victim', 'command'], /victim command needs --command/],
    ['an open quote', ['--out', 'x', '--victim', 'command', '--command', 'a "b'], /a quote in --command is not closed/],
    ['a command that is none', ['--out', 'x', '--victim', 'command', '--command', './no-such'], /can't be started/],
    ['no model', ['--out', 'x', ...endpoint], /victim endpoint needs --model/],
    ['a wrong header', ['--out', 'x', ...endpoint, '--model', 'm', '--header', 'x'], /not of the form name: value/],
    ['no key', ['--out', 'x', ...endpoint, '--model', 'm', '--api-key-env', 'NO_SUCH_KEY'], /NO_SUCH_KEY is not set/],
    [
      'wrong parameters',
      ['--out', 'x', ...endpoint, '--model', 'm', '--parameters', '[]'],
      /--parameters is no object/,
    ],
    ['an option of another victim', ['--out', 'x', '--model', 'm'], /--model is of no use to victim baseline/],
    [
      'a search over a file',
      ['--out', 'x', '--victim', 'file', '--predictions', 'candidates.jsonl', '--strategy', 'greedy'],
      /greedy asks on/,
    ],
    [
      'a budget without a search',
      ['--out', 'x', '--budget', '3'],
      /option --budget is of no use to the strategy random/,
    ],
    ['a wrong rule', ['--out', 'x', '--fail-below', 'rpl'], /--fail-below rpl is not of the form/],
  ])('%s', async (_, more, message) => {
    const { code, stdout, stderr } = await run(...options, ...more);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/\n\s+at |fault in perturbql/);
  });

  it('are told before anything is asked', async () => {
    const { code, stderr } = await run('attack', ...data.options, '--out', 'x');
    expect(code).toBe(2);
    expect(stderr).toMatch(/option --candidates is missing\n {2}fix: Make some with `perturbql candidates`/);
    expect((await run('attack', 'score', 'data', '--predictions', 'candidates.jsonl')).code).toBe(2);
  });
});
