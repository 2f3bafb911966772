import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EXAMPLE_DATA } from '../e2e/example-data.js';
import { makeTempFolder, runCli } from '../e2e/run-cli.js';
import { RAW_TEXT } from '../raw-text.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const { tables, examples, options: DATA } = EXAMPLE_DATA;
const OUT = ['--out', 'out'];
const ASKING = ['candidates', ...DATA, ...OUT, '--recipe', 'llm', '--model', 'm'];
const CANDIDATES = ['candidates', ...DATA, ...OUT];

/** A refusal says place or option, cause and fix in words, and in none but our own. */
async function expectOwnWords(args: readonly string[], place: string): Promise<void> {
  const { code, stderr } = await runCli(args, { cwd: temp.path });
  expect(stderr).not.toMatch(RAW_TEXT);
  expect(stderr).toContain(place);
  expect(stderr).toMatch(/\n {2}fix: \S/);
  expect(code).toBe(2);
}

/** Commands by the file that they read. */
const DOORS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  'tables.json': (file) => ['candidates', '--tables', file, '--examples', examples, '--strict', ...OUT],
  'dev.json': (file) => ['candidates', '--tables', tables, '--examples', file, '--strict', ...OUT],
  'perturbql.json': (file) => [...CANDIDATES, '--config', file],
  'readings.jsonl': (file) => [...CANDIDATES, '--readings', file],
  'candidates.jsonl': (file) => ['augment', ...DATA, '--candidates', file, ...OUT],
  'predictions.jsonl': (file) => ['evaluate', '--gold', examples, '--tables', tables, '--predictions', file],
  'gold.json': (file) => ['audit', '--examples', file, '--tables', tables, '--strict'],
  'questions.jsonl': (file) => ['split', '--questions', file, '--tables', tables],
  'pairs.jsonl': (file) => ['score', '--pairs', file],
  'annotations.jsonl': (file) => ['annotate', 'import', file, '--format', 'jsonl', '--project', 'p.sqlite', ...DATA],
  'run/run.json': (file) => ['verify', dirname(file)],
  'suite/run.json': (file) => ['suite', 'info', dirname(file)],
  'index/manifest.json': (file) => ['index', 'info', dirname(file)],
  'judge/manifest.json': (file) => [
    'score',
    '--pairs',
    join(temp.path, 'pairs.jsonl'),
    '--set',
    `nli.model=${dirname(file)}`,
  ],
};

writeFileSync(join(temp.path, 'pairs.jsonl'), '{"a": "age", "b": "years"}\n');

const CONTENTS: Readonly<Record<string, string>> = {
  'a comma too many': '[\n{"id": "a",, }]\n',
  'an end too soon': '[{"id": "a", ',
  'a word': 'hello\n',
  'a text': '"text"\n',
  'a number': '7\n',
  'a list of another record': '[{"id": 7, "db_id": 3, "table": [], "nli": 4, "limit": {}}]\n',
  'another record': '{"id": 7, "db_id": 3, "table": [], "nli": 4, "limit": {}, "task": 5}\n',
};

describe.each(Object.entries(DOORS))('a file %s', (name, args) => {
  it.each(Object.entries(CONTENTS))('with %s is refused in words', async (what, content) => {
    const file = join(temp.path, what.replaceAll(' ', '-'), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    await expectOwnWords(args(file), dirname(name) === '.' ? file : dirname(file));
  });

  it('that is not there, or is a folder, is refused in words', async () => {
    const [absent, folder] = ['absent', 'folder'].map((parent) => join(temp.path, parent, name));
    mkdirSync(folder!, { recursive: true });
    await expectOwnWords(args(absent!), dirname(absent!));
    await expectOwnWords(args(folder!), dirname(folder!));
  });
});

describe('a value that is not what an option takes', () => {
  it.each<[string, readonly string[]]>([
    ['--jobs', [...CANDIDATES, '--jobs', 'many']],
    ['--seed', [...CANDIDATES, '--seed', '1.5']],
    ['--out', ['candidates', ...DATA, '--out', '']],
    ['nli.rplMin', [...CANDIDATES, '--set', 'nli.rplMin=high']],
    ['nli.rplMin', [...CANDIDATES, '--set', 'nli.rplMin=7']],
    ['nli.rplMin', [...CANDIDATES, '--set', 'nli.rplMin=[1]']],
    ['naturalness.x', [...CANDIDATES, '--set', 'naturalness.x=1']],
    ['nli', [...CANDIDATES, '--set', 'nli=1']],
    ['--metrics', ['evaluate', '--gold', examples, '--tables', tables, '--predictions', examples, '--metrics', 'bleu']],
    ['--parameters', [...ASKING, '--base-url', 'http://localhost:1', '--parameters', '{']],
    ['--parameters', [...ASKING, '--base-url', 'http://localhost:1', '--parameters', '7']],
    ['the base URL', [...ASKING, '--base-url', 'nowhere']],
    ['--temperature', [...ASKING, '--base-url', 'http://localhost:1', '--temperature', 'warm']],
    ['--prices', [...ASKING, '--base-url', 'http://localhost:1', '--prices', '1']],
  ])('%s is refused in words', async (option, args) => {
    await expectOwnWords(args, option);
  });
});
