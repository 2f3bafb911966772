import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeBlocks } from '../docs/markdown-pages.js';
import { EXAMPLES } from '../e2e/example-data.js';
import { type CliResult, makeTempFolder, runCli } from '../e2e/run-cli.js';

let temp: ReturnType<typeof makeTempFolder>;
beforeEach(() => {
  temp = makeTempFolder();
});
afterEach(() => temp.remove());

const at = (...path: string[]): string => join(temp.path, ...path);
const init = (args: readonly string[], stdin = ''): Promise<CliResult> =>
  runCli(['init', ...args], { cwd: temp.path, stdin, env: { npm_command: 'exec' } });
const config = (): Record<string, unknown> =>
  JSON.parse(readFileSync(at('perturbql.config.json'), 'utf8')) as Record<string, unknown>;

function copyExamples(folder: string, ...more: string[]): void {
  for (const name of ['tables.json', 'dev.json', ...more])
    cpSync(join(EXAMPLES, name), at(folder, name), { recursive: true });
}

describe('init', () => {
  it('writes what it found, by paths that hold in the folder', async () => {
    copyExamples('data', 'database', 'gold.sql');
    const { code, stdout } = await init(['--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('spider: ./data/dev.json (30 questions, 3 databases)');
    expect(stdout).toContain(`Wrote ${realpathSync(at('perturbql.config.json'))} for ./data/dev.json`);
    expect(config()).toEqual({
      dataset: 'spider',
      tables: './data/tables.json',
      examples: './data/dev.json',
      databases: './data/database',
      gold: './data/gold.sql',
      recipe: 'cta',
      seed: 0,
    });
  });

  it('suggests commands of README.md', async () => {
    copyExamples('data', 'database');
    const { stdout } = await init(['--yes']);
    const suggested = [...stdout.matchAll(/^ {2}(?:npx )?(perturbql .*?) {2,}\S/gm)].map(([, command]) => command!);
    const shown = codeBlocks('README.md', 'sh').join('').replaceAll('npx perturbql', 'perturbql').split('\n');
    expect(suggested.filter((command) => !shown.includes(command))).toEqual([]);
    expect(suggested.length).toBe(4);
  });

  it('names the training questions for a training set', async () => {
    copyExamples('data', 'database', 'train.json');
    const { stdout } = await init(['--yes']);
    expect(stdout).toMatch(/perturbql augment --examples \.\/data\/train\.json --out RUN-train +a training set/);
  });

  /** A folder with a SQLite file and files of so many questions. */
  function writeLibrary(folder: string, files: Readonly<Record<string, number>>): void {
    mkdirSync(at(folder));
    cpSync(join(EXAMPLES, 'database/planetarium/planetarium.sqlite'), at(folder, 'library.sqlite'));
    const record = { question: 'How many domes are there?', query: 'SELECT count(*) FROM Dome', db_id: 'library' };
    for (const [name, count] of Object.entries(files))
      writeFileSync(at(folder, name), JSON.stringify(Array.from({ length: count }, () => record)));
  }

  it('names the training questions next to a SQLite file for a training set', async () => {
    writeLibrary('data', { 'dev.json': 3, 'train.json': 2 });
    const { stdout } = await init(['--yes', 'data']);
    expect(stdout).toContain('sqlite: ./data/dev.json (3 questions, 1 database; to learn from: ./data/train.json)');
    expect(stdout).toMatch(/augment --examples \.\/data\/train\.json --out RUN-train +a training set of the training/);
    expect(stdout).not.toContain('a training set of these questions');
    expect(stdout).toContain('it would learn from 2 training questions, and');
    expect(config()).toMatchObject({ dataset: 'sqlite', examples: './data/dev.json', train: './data/train.json' });
  });

  it.each([
    ['dev.json', 'variants of these questions, which are to test on, not to train on'],
    ['test.json', 'variants of these questions, which are to test on, not to train on'],
    ['train.json', 'a training set of these questions'],
    ['questions.json', 'a training set of these questions'],
  ])('says of %s alone what augment makes of it', async (name, does) => {
    writeLibrary('data', { [name]: 3 });
    expect((await init(['--yes', 'data'])).stdout).toMatch(new RegExp(`augment --out RUN +${does}$`, 'm'));
  });

  it.each([
    [1, 'answer the one question with none to learn from, and'],
    [2, 'answer each of the 2 questions from the other one, and'],
    [3, 'answer each of the 3 questions from the 2 others, and'],
  ])('says what the built-in parser has to answer %i questions from', async (count, how) => {
    writeLibrary('data', { 'questions.json': count });
    expect((await init(['--yes', 'data'])).stdout).toContain(`it would ${how} below 40`);
  });

  it('follows a link to databases, and says how many have rows', async () => {
    copyExamples('elsewhere', 'database');
    copyExamples('data');
    symlinkSync(at('elsewhere/database'), at('data/database'));
    for (const id of ['planetarium', 'pottery_studio']) rmSync(at('elsewhere/database', id), { recursive: true });
    const { code, stdout } = await init(['--yes', 'data']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/30 questions, 3 databases, 1 of them with rows\)/);
    expect(config()['databases']).toBe('./data/database');
  });

  it('names the built-in parser only where it can learn enough, else says from how many questions it would', async () => {
    copyExamples('data', 'train.json');
    const taught = await init(['--yes']);
    expect(taught.stdout).toMatch(
      /attack --candidates RUN-candidates --out RUN-baseline +how far the built-in parser falls/,
    );
    expect(taught.stdout).not.toContain('tell nothing');
    expect(config()['victim']).toBe('baseline');
    rmSync(at('perturbql.config.json'));
    rmSync(at('data/train.json'));
    const few = await init(['--yes']);
    expect(few.stdout).not.toContain('RUN-baseline');
    expect(few.stdout).toMatch(
      /answer each of the 30 questions from the 29 others, and below 40 its figures tell nothing\.$/m,
    );
    expect(config()['victim']).toBeUndefined();
  });

  it('names the file of schemas that can’t be read, its place, and what to do about it', async () => {
    copyExamples('data');
    writeFileSync(at('data/tables.json'), readFileSync(at('data/tables.json'), 'utf8').slice(0, 900));
    const { code, stderr } = await init(['--yes']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/data\/tables\.json:\d+: this is not JSON/);
    expect(stderr).toMatch(/fix: Fix what is named above/);
    expect(stderr).not.toContain('Name the folder of your data');
  });

  it('names the schemas of a file that can’t be used, and goes on with the others', async () => {
    copyExamples('data');
    const [first, ...others] = JSON.parse(readFileSync(at('data/tables.json'), 'utf8')) as Record<string, unknown>[];
    writeFileSync(at('data/tables.json'), JSON.stringify([{ ...first, column_names: null }, ...others]));
    const { code, stdout, stderr } = await init(['--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('2 databases');
    expect(stderr).toMatch(/^warning: .* \(tables\.json, record 0\) was left out: field "column_names" is wrong/);
  });

  it('is read by the other commands', async () => {
    expect((await init(['--example'])).code).toBe(0);
    const options = ['--tables', join(EXAMPLES, 'tables.json'), '--examples', join(EXAMPLES, 'dev.json')];
    const { code, stderr } = await runCli(['candidates', ...options, '--out', 'RUN', '--dry-run', '--quiet'], {
      cwd: temp.path,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('leaves out the files of another data set that a command names, and says it', async () => {
    copyExamples('data', 'database', 'pred.sql', 'gold.sql');
    expect((await init(['--example'])).code).toBe(0);
    const options = ['--tables', 'data/tables.json', '--examples', 'data/dev.json', '--out', 'RUN', '--dry-run'];
    const { code, stdout, stderr } = await runCli(['augment', ...options], { cwd: temp.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('is left out') as string });
    // The project file has databases, the command none.
    expect(stdout).not.toContain('databases (copy)');
  });

  it('writes a file that audit reads, with the predictions that evaluate reads', async () => {
    copyExamples('data', 'database', 'gold.sql', 'pred.sql');
    expect((await init(['--yes'])).code).toBe(0);
    expect(config()['predictions']).toBe('./data/pred.sql');
    const audited = await runCli(['audit'], { cwd: temp.path });
    expect(audited.stdout, audited.stderr).toContain('0 examples in doubt');
  });

  it('never replaces a file', async () => {
    writeFileSync(at('perturbql.config.json'), '{"seed": 7}');
    const { code, stderr } = await init(['--example']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is a project file already')]);
    expect(config()).toEqual({ seed: 7 });
  });

  it.each([
    ['2\n', './b/dev.json'],
    ['3\nx\n2\n', './b/dev.json'],
    ['\n', './a/dev.json'],
    ['', './a/dev.json'],
  ])('asks which of several data sets is meant: %j', async (stdin, examples) => {
    copyExamples('a');
    copyExamples('b');
    expect((await init([], stdin)).code).toBe(0);
    expect(config()['examples']).toBe(examples);
  });

  it('asks for another folder where there is nothing', async () => {
    mkdirSync(at('empty'));
    copyExamples('full');
    expect((await init(['empty'], 'full\n')).code).toBe(0);
    expect(config()['examples']).toBe('./full/dev.json');
  });

  it.each([
    [['--yes'], /no data set was found below \.\n {2}fix: Name the folder of your data/],
    [[], /no data set was found/],
    [['missing'], /missing does not exist/],
  ])('%j without data is refused', async (args, message) => {
    const { code, stderr } = await init(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(at('perturbql.config.json'))).toBe(false);
  });
});
