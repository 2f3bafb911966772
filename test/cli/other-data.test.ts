import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_DATA, EXAMPLES } from '../e2e/example-data.js';
import { type CliResult, makeTempFolder, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const at = (...path: string[]): string => join(temp.path, ...path);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });
const RUN_CANDIDATES = ['candidates', ...EXAMPLE_DATA.options, '--recipe', 'w2v', '--out', 'RUN-candidates'];
const CONFIG = {
  dataset: 'sqlite',
  examples: './own/questions.json',
  databases: './own/bees.db',
  gold: './own/gold.sql',
};

beforeAll(async () => {
  mkdirSync(at('own'));
  const bees = new Database(at('own/bees.db'));
  bees.exec(
    "CREATE TABLE hive (hive_id integer PRIMARY KEY, colour text); INSERT INTO hive VALUES (1, 'blue'), (2, 'red')",
  );
  bees.close();
  const query = "SELECT hive_id FROM hive WHERE colour = 'blue'";
  writeFileSync(
    at('own/questions.json'),
    JSON.stringify([{ question: 'Which hives are blue?', query, db_id: 'bees' }]),
  );
  writeFileSync(at('own/gold.sql'), `${query}\tbees\n`);
  writeFileSync(at('own/pred.sql'), `${query}\n`);
  writeFileSync(at('perturbql.config.json'), JSON.stringify(CONFIG));
  const { code, stderr } = await run(...RUN_CANDIDATES);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('the data set of perturbql.config.json is left out: the command names other data\n');
}, 60_000);
afterAll(() => temp.remove());

describe('in a folder whose project file is about other data', () => {
  it('annotate init takes the data set of the run', async () => {
    const { code, stdout, stderr } = await run(
      ...['annotate', 'init', '--run', 'RUN-candidates', '--out', 'project.db', '--annotator', 'Ada', '--kind', 'rpl'],
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('project.db: 73 items');
  });

  it('annotate import takes that of the project', async () => {
    await run('annotate', 'export', '--project', 'project.db', '--format', 'jsonl', '--out', 'lists.jsonl');
    const read = ['annotate', 'import', 'lists.jsonl', '--format', 'jsonl', '--project', 'project.db'];
    const { code, stderr } = await run(...read);
    expect(code, stderr).toBe(0);
    const { stderr: refused } = await run(...read, ...EXAMPLE_DATA.options);
    expect(refused).toContain('the project exists');
  });

  it('stats takes that of the run', async () => {
    const { code, stderr } = await run('stats', '--candidates', 'RUN-candidates');
    expect(code, stderr).toBe(0);
  });

  it('attack score takes the databases of the inputs', async () => {
    const candidates = ['--candidates', 'RUN-candidates', '--seeds', '1', '--out', 'RUN-inputs'];
    const prepared = await run('attack', 'prepare', ...EXAMPLE_DATA.options, ...candidates);
    expect(prepared.code, prepared.stderr).toBe(0);
    writeFileSync(at('few.jsonl'), '{"id": "dev:0~original", "sql": "SELECT 1"}\n');
    const { stdout, stderr } = await run('attack', 'score', 'RUN-inputs', '--predictions', 'few.jsonl');
    expect(stderr).not.toContain('error');
    expect(stdout).toMatch(/^execution +0\.0/m);
  });

  it('evaluate takes what the flags name', async () => {
    const [gold, predictions] = [join(EXAMPLES, 'gold.sql'), join(EXAMPLES, 'pred.sql')];
    const named = ['--tables', EXAMPLE_DATA.tables, '--gold', gold, '--predictions', predictions];
    const { code, stdout, stderr } = await run('evaluate', ...named, '--metrics', 'exact');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('30 queries');
  });
});

describe('an error about an option that the project file gave', () => {
  const [DATASET, EXAMPLES_OF_FILE] = ['"dataset": "sqlite"', '"examples": "./own/questions.json"'];
  const DATABASES = '"databases": "./own/bees.db"';

  it.each([
    [
      ['candidates', '--tables', 'tables.json', '--out', 'RUN'],
      [DATASET, EXAMPLES_OF_FILE, DATABASES],
    ],
    [
      ['attack', '--candidates', 'RUN-candidates', '--victim', 'baseline', '--out', 'RUN'],
      [DATASET, EXAMPLES_OF_FILE, DATABASES],
    ],
    [['evaluate', '--predictions', 'own/questions.json'], [EXAMPLES_OF_FILE]],
    [
      ['audit', '--examples', join(EXAMPLES, 'dev.json')],
      ['"dataset": "sqlite"', '"databases": "./own/bees.db"'],
    ],
  ])('names the file: %j', async (args, named) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    const lines = stderr.trimEnd().split('\n').slice(-3);
    expect(lines[0]).toMatch(/^error: /);
    expect(lines[1]).toBe(`  from perturbql.config.json: ${named.join(', ')}`);
    expect(lines[2]).toMatch(/^ {2}fix: /);
  });

  it.each([
    [['evaluate', '--predictions', 'missing.sql'], 'missing.sql'],
    [['stats', '--candidates', 'missing'], 'missing'],
  ])('does not name it where something else is at fault: %j', async (args, named) => {
    const { stderr } = await run(...args);
    expect(stderr).toContain(named);
    expect(stderr).not.toContain('perturbql.config.json');
  });
});

describe('gold queries in a file, about SQLite files', () => {
  const FILES = ['--gold', 'own/gold.sql', '--predictions', 'own/pred.sql', '--databases', 'own/bees.db'];

  it('are scored without a tables.json', async () => {
    const { code, stdout, stderr } = await run('evaluate', '--dataset', 'sqlite', ...FILES);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^exact set match, .*: 1\.000/m);
    expect(stdout).toMatch(/^execution accuracy, .*: 1\.000/m);
  });

  it('are scored by their schemas alone', async () => {
    const { stdout, stderr } = await run('evaluate', '--dataset', 'sqlite', ...FILES, '--metrics', 'columns');
    expect(stdout).toContain('columns and tables used');
    expect(stderr).toMatch(/^nothing is executed on own\/bees\.db: columns only reads schemas there/m);
  });

  it('that have no schema there are named', async () => {
    const gold = ['--gold', join(EXAMPLES, 'gold.sql'), '--predictions', join(EXAMPLES, 'pred.sql')];
    const { code, stderr } = await run('evaluate', '--dataset', 'sqlite', ...gold, '--databases', 'own/bees.db');
    expect(code).toBe(2);
    expect(stderr).toContain('own/bees.db: db_id "community_garden" of gold query gold:0 (line 1) has no schema there');
  });

  it('are said to be possible where --tables is missing', async () => {
    writeFileSync(at('empty.json'), '{}');
    const { stderr } = await run('evaluate', '--config', 'empty.json', ...FILES);
    expect(stderr).toMatch(/option --tables is missing\n {2}fix: .*give --dataset sqlite and --databases instead\.$/m);
  });
});
