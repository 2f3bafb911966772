import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExampleData, writeSmallData } from './example-data.js';
import { type CliResult, hashFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
let data: ExampleData;

const run = (...args: readonly string[]): Promise<CliResult> =>
  runCli([...args, '--quiet'], { cwd: temp.path, cache: at('cache') });

beforeAll(() => {
  data = writeSmallData(temp.path);
});

afterAll(() => temp.remove());

/** Files whose bytes say how long the work took. */
const TIMED = 'timing.json';

function bytesOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(hashFiles(at(folder))).filter(([name]) => name !== TIMED));
}

const JOBS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['mutate', ['mutate', '--relations', 'PI,PR,FL,TS,CRm', '--no-guard', '--limit', '2']],
  ['suite', ['suite', 'build', '--random-databases', '10']],
  ['compose', ['compose']],
  ['augment', ['augment', '--recipe', 'random']],
  [
    'augment with mutants',
    ['augment', '--recipe', 'random', '--relations', 'PI,CSy', '--columns', 'all', '--sample', 'hard'],
  ],
];

describe.each(JOBS)('%s in shards', (name, command) => {
  it('gives the bytes of a run in one piece', { timeout: 120_000 }, async () => {
    const whole = await run(...command, ...data.options, '--out', `${name}-whole`);
    expect(whole.stderr).toBe('');
    for (const shard of ['2/3', '0/3', '1/3']) {
      const { code, stdout } = await run(...command, ...data.options, '--out', name, '--shard', shard);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`shard ${shard.replace('/', ' of ')} is done`)]);
    }
    expect((await run('missing', name)).stdout).toBe('');
    const merged = await run('merge', name, '--out', `${name}-merged`);
    expect([merged.code, merged.stderr]).toEqual([whole.code, '']);
    expect(bytesOf(`${name}-merged`)).toEqual(bytesOf(`${name}-whole`));
    if (name !== 'augment') return;
    const databases = (folder: string): number => readdirSync(at(folder, 'database')).length;
    const cut = ['0', '1', '2'].map((i) => databases(`augment/shard-${i}-of-3`));
    expect(cut.reduce((sum, count) => sum + count)).toBe(databases('augment-whole'));
  });
});

describe('what judges in shards', () => {
  const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
  const set = ['tables', 'databases'].flatMap((name) => [
    `--${name}`,
    join(EXAMPLES, name === 'tables' ? 'tables.json' : 'database'),
  ]);
  const jobs: readonly (readonly [name: string, args: () => readonly string[], code: number])[] = [
    ['verify', () => ['verify', 'mutants'], 0],
    ['audit', () => ['audit', ...set, '--examples', join(EXAMPLES, 'dev.json')], 0],
    [
      'evaluate',
      () => [
        'evaluate',
        ...set,
        '--gold',
        join(EXAMPLES, 'gold.sql'),
        '--predictions',
        join(EXAMPLES, 'pred.sql'),
        '--verdicts',
        'verdicts.jsonl',
      ],
      0,
    ],
    ['index', () => ['index', 'build', '--from', 'corpus.jsonl', '--jobs', '1'], 0],
  ];

  beforeAll(async () => {
    const mutants = ['mutate', '--relations', 'PI,CRm', '--no-guard', '--limit', '2', '--materialize', 'copy'];
    expect((await run(...mutants, ...data.options, '--out', 'mutants')).code).toBe(0);
    const table = (i: number): object => ({
      id: `t${i}`,
      title: `Rivers of region ${i % 7}`,
      columns: ['river', 'length', `region ${i % 5}`],
      types: ['text', 'number', 'text'],
      rows: [[`Stream ${i}`, String(i), 'north']],
    });
    const lines = Array.from({ length: 40 }, (_, i) => `${JSON.stringify(table(i))}\n`);
    writeFileSync(at('corpus.jsonl'), lines.join(''));
  }, 120_000);

  it.each(jobs)('%s gives the bytes of a run in one piece', { timeout: 120_000 }, async (name, args, code) => {
    const verdicts = (): string => (name === 'evaluate' ? readFileSync(at('verdicts.jsonl'), 'utf8') : '');
    const whole = await run(...args(), '--out', `${name}-whole`);
    expect([whole.code, whole.stderr]).toEqual([code, '']);
    const expected = verdicts();
    for (const shard of ['1/2', '0/2']) {
      const { code: done, stdout, stderr } = await run(...args(), '--out', name, '--shard', shard);
      expect([done, stdout, stderr]).toEqual([0, expect.stringContaining('is done'), '']);
    }
    rmSync(at('verdicts.jsonl'), { force: true });
    const merged = await run('merge', name, '--out', `${name}-merged`);
    expect([merged.code, merged.stderr]).toEqual([code, '']);
    expect(bytesOf(`${name}-merged`)).toEqual(bytesOf(`${name}-whole`));
    expect(verdicts()).toBe(expected);
    if (name === 'index') expect(merged.stdout).toContain('(0 embedded now, 35 before)');
  });

  it('need a folder', async () => {
    const { code, stderr } = await run('verify', 'mutants', '--shard', '0/2');
    expect([code, stderr]).toEqual([2, expect.stringContaining('option --shard needs --out')]);
  });
});

describe('merge and missing', () => {
  it('names what is missing, and refuses to merge without it', async () => {
    rmSync(at('mutate/shard-1-of-3'), { recursive: true });
    expect((await run('missing', 'mutate')).stdout).toBe('1\n');
    const { code, stderr } = await run('merge', 'mutate', '--out', 'gap');
    expect([code, stderr]).toEqual([2, expect.stringContaining('shards are missing: 1 of 3')]);
  });

  it('refuses inputs that have changed since the shards were made', async () => {
    const file = data.options[data.options.indexOf('--examples') + 1] as string;
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('?', ' ?'));
    try {
      const { code, stderr } = await run('merge', 'compose', '--out', 'changed');
      expect([code, stderr]).toEqual([2, expect.stringContaining('examples')]);
    } finally {
      writeFileSync(file, before);
    }
  });

  it('keeps no connection and no header, which may be secret', async () => {
    const args = [
      'candidates',
      '--connection',
      'postgres://me:hunter2@localhost/db',
      '--out',
      'live',
      '--shard',
      '0/2',
    ];
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('option --connection can’t go with --shard')]);
    expect(stderr).not.toContain('hunter2');
  });
});
