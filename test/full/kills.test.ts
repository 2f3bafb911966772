import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { candidatesFor } from '../measure/attack/attack-fixture.js';
import { EXAMPLES, writeSmallData } from '../e2e/example-data.js';
import { PROJECT, runCli } from '../e2e/run-cli.js';
import { KillLoop, type WritingCommand } from './kill-loop.js';

// `npm run check:full` sets PERTURBQL_FULL: every command that writes, 200 kills in all.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const HOUR = 3_600_000;

const temp = mkdtempSync(join(tmpdir(), 'perturbql-kills-'));
const at = (...parts: string[]): string => join(temp, ...parts);

const small = writeSmallData(at('small')).options;
const few = writeSmallData(at('few'), [0, 2, 10, 14, 20, 21]).options;
const whole = ['--tables', join(EXAMPLES, 'tables.json'), '--examples', join(EXAMPLES, 'dev.json')];
const databases = ['--databases', join(EXAMPLES, 'database')];
const LIGHT = ['--relations', 'PI,PR,FL,TS,CRm', '--no-guard', '--limit', '2', '--materialize'];
const TRAIN = ['--train', join(EXAMPLES, 'train.json')];

/** What the commands take that others wrote. */
const RUN = at('run');
const MUTANTS = at('mutants');
const SUITE = at('suite');
const PROJECT_FILE = at('project.db');

const exported = (format: string, kind: readonly string[], out: string): WritingCommand => ({
  name: `annotate export --format ${format}`,
  args: ['annotate', 'export', '--project', PROJECT_FILE, '--format', format, ...kind, '--out', out],
  kept: out,
});

/** Commands that write, with how often each is killed. */
const COMMANDS: readonly (readonly [WritingCommand, number])[] = [
  [{ name: 'candidates', args: ['candidates', ...small, '--recipe', 'w2v', '--out', 'out'] }, 18],
  [{ name: 'augment', args: ['augment', ...small, '--recipe', 'w2v', '--out', 'out'] }, 24],
  [
    { name: 'augment, views', args: ['augment', ...few, '--recipe', 'w2v', '--materialize', 'views', '--out', 'out'] },
    10,
  ],
  [{ name: 'mutate', args: ['mutate', ...few, ...LIGHT, '--out', 'out'] }, 24],
  [{ name: 'compose', args: ['compose', ...whole, ...databases, '--out', 'out'] }, 20],
  [
    {
      name: 'suite build',
      args: ['suite', 'build', ...few, '--random-databases', '8', '--out', 'out'],
      ownBytes: /timing\.json$/,
    },
    20,
  ],
  [{ name: 'suite transfer', args: ['suite', 'transfer', SUITE, '--run', RUN, '--out', 'out'] }, 8],
  [{ name: 'suite unpack', args: ['suite', 'unpack', SUITE, '--out', 'out'], kept: 'out' }, 4],
  [{ name: 'attack', args: ['attack', ...small, '--candidates', RUN, '--seeds', '2', ...TRAIN, '--out', 'out'] }, 18],
  [
    {
      name: 'attack prepare',
      args: ['attack', 'prepare', ...few, '--candidates', RUN, '--seeds', '1', '--materialize', 'copy', '--out', 'out'],
    },
    8,
  ],
  [{ name: 'consistency', args: ['consistency', '--mutants', MUTANTS, ...TRAIN, '--out', 'out'] }, 18],
  [
    {
      name: 'annotate init',
      args: ['annotate', 'init', '--run', RUN, '--out', 'project.db'],
      kept: 'project.db',
      ownBytes: /^project\.db$/,
      then: ['annotate', 'export', '--project', 'project.db', '--format', 'jsonl', '--out', 'content.jsonl'],
    },
    8,
  ],
  [exported('adveta', ['--kind', 'rpl'], 'rpl.json'), 2],
  [exported('jsonl', [], 'all.jsonl'), 2],
  [exported('csv', [], 'all.csv'), 2],
  [exported('label-studio', [], 'studio'), 2],
  [exported('argilla', [], 'argilla'), 2],
  [{ name: 'index build', args: ['index', 'build', '--from', at('corpus'), '--out', 'out'] }, 14],
  [
    {
      name: 'audit --repair',
      args: ['audit', ...whole, ...databases, '--out', 'out', '--repair', 'repaired'],
      kept: 'repaired',
    },
    12,
  ],
  [
    {
      name: 'models pull',
      args: [
        'models',
        'pull',
        join(PROJECT, 'test/fixtures/models/tiny-roberta-nli'),
        '--task',
        'nli',
        '--name',
        'tiny',
      ],
      env: { PERTURBQL_CACHE: '{cwd}/cache' },
    },
    10,
  ],
];

/** In `npm test`, those whose kills no other test sends. */
const SUBSET: readonly (readonly [WritingCommand, number])[] = COMMANDS.filter(([{ name }]) =>
  ['compose', 'audit --repair'].includes(name),
).map(([command]) => [command, 2]);

async function prepare(...args: string[]): Promise<void> {
  const { code, stderr } = await runCli(args, { cwd: temp });
  expect(code, stderr).toBe(0);
}

beforeAll(async () => {
  if (!FULL) return;
  mkdirSync(at('corpus'));
  const tables = candidatesFor(1).map(({ table, column }, i) => {
    return { id: `t${i}`, title: `${table} ${i}`, columns: [column, 'owner', `place ${i}`] };
  });
  writeFileSync(at('corpus', 'tables.jsonl'), tables.map((table) => JSON.stringify(table)).join('\n'));
  await prepare('augment', ...small, '--recipe', 'w2v', '--out', RUN);
  await prepare('mutate', ...few, ...LIGHT, '--out', MUTANTS);
  await prepare('suite', 'build', ...small, '--random-databases', '8', '--out', SUITE);
  await prepare('annotate', 'init', '--run', RUN, '--out', PROJECT_FILE);
}, HOUR);
afterAll(() => rmSync(temp, { recursive: true, force: true }));

describe('a command that is killed again and again', () => {
  it.each((FULL ? COMMANDS : SUBSET).map(([command, kills]) => ({ ...command, kills })))(
    '$name ends with the bytes of a run that nothing disturbed',
    async ({ kills, ...command }) => {
      const folder = mkdtempSync(join(temp, 'loop-'));
      const found = await new KillLoop(folder, command).run(kills);
      const counts = `${found.kills} kills, ${found.finished} runs finished after them, ${found.faults.length} otherwise`;
      process.stdout.write(`${found.name}: ${counts}\n`);
      expect(found.faults).toEqual([]);
      expect(found.kills).toBeGreaterThanOrEqual(kills);
    },
    HOUR,
  );
});
