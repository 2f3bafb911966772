import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command } from '../../src/cli/augment-command.js';
import { ConfigError } from '../../src/errors.js';
import type { AugmentReport } from '../../src/variants/report/augment-report.js';
import { acceptedDecision, writeSmallData } from '../e2e/example-data.js';
import { makeTempFolder } from '../e2e/run-cli.js';
import { rejectionOf } from '../error-of.js';
import { runOf } from './run-of.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());
const run = runOf(command);

const COLUMNS = [
  ['gardener', 'full name'],
  ['gardener', 'home country'],
  ['plot', 'plot name'],
] as const;

const outOf = (options: Readonly<Record<string, unknown>>): string =>
  join(temp.path, `run-${Object.keys(options).join('-')}`);

/** The changes of each variant of "How many gardeners come from Portugal?", which asks of the country alone. */
async function variantsOf(
  options: Readonly<Record<string, unknown>>,
): Promise<readonly [kind: string, count: number][]> {
  const out = outOf(options);
  const { tables, examples } = writeSmallData(temp.path, [0]);
  const candidates = join(temp.path, 'candidates.jsonl');
  const decisions = COLUMNS.flatMap(([table, column]) =>
    (['RPL', 'ADD'] as const).map((bucket) =>
      acceptedDecision({ db_id: 'community_garden', table, column, bucket, candidate: `other ${column}` }),
    ),
  );
  writeFileSync(candidates, decisions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const config = join(temp.path, 'perturbql.config.json');
  writeFileSync(config, JSON.stringify({ columns: 'all', sample: 'hard', variants: ['rpl:2', 'add:1'] }));
  await run({ config, tables, examples, candidates, materialize: 'none', verify: false, out, ...options });
  return readFileSync(join(out, 'provenance.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; changes?: unknown[] })
    .map(({ kind, changes = [] }) => [kind, changes.length]);
}

describe('augment', () => {
  it('perturbs whole tables unless it is told otherwise: an odd name must not tell what the gold uses', async () => {
    const config = join(temp.path, 'without-settings.json');
    writeFileSync(config, '{}');
    const variants = await variantsOf({ config });
    expect(variants.find(([kind]) => kind === 'RPL')).toEqual(['RPL', COLUMNS.length]);
  });

  it('shows the changes of tables that the gold names, those of its columns first', async () => {
    await variantsOf({});
    const { samples } = JSON.parse(readFileSync(join(outOf({}), 'report.json'), 'utf8')) as AugmentReport;
    const [sample] = samples.RPL;
    expect(sample?.changes.map(({ table, column }) => [table, column])).toEqual([COLUMNS[1], COLUMNS[0]]);
    expect(sample?.elsewhere).toBe(1);
    const page = readFileSync(join(outOf({}), 'report.html'), 'utf8');
    expect(page.replaceAll(/\s+/g, ' ')).toContain('1 column of other tables is changed, too.');
    expect(page).not.toContain('other plot name');
  });
});

describe('augment --paper', () => {
  it('makes one variant of each kind, of mentioned columns, whatever the configuration file says', async () => {
    expect(await variantsOf({})).toHaveLength(4);
    expect(await variantsOf({ paper: true })).toEqual([
      ['original', 0],
      ['RPL', 1],
      ['ADD', 1],
    ]);
  });

  it.each(['columns', 'sample', 'variants'])('is refused with --%s', async (name) => {
    const given = { columns: 'all', sample: 'hard', variants: ['rpl:2'] };
    const { message } = await rejectionOf(ConfigError, () =>
      run({ out: join(temp.path, 'refused'), tables: 't', paper: true, [name]: given[name as keyof typeof given] }),
    );
    expect(message).toBe(`option --${name} is of no use to --paper`);
  });
});

describe('augment --dry-run', () => {
  it('refuses candidates that are not there, as the run would', async () => {
    const { tables, examples } = writeSmallData(temp.path, [0]);
    const candidates = join(temp.path, 'none.jsonl');
    const { message } = await rejectionOf(ConfigError, () =>
      run({ out: join(temp.path, 'dry'), tables, examples, candidates, dryRun: true }),
    );
    expect(message).toContain(`${candidates} does not exist`);
  });
});
