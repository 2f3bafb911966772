import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command } from '../../src/cli/augment-command.js';
import { ConfigError } from '../../src/errors.js';
import { acceptedDecision, writeSmallData } from '../e2e/example-data.js';
import { makeTempFolder } from '../e2e/run-cli.js';
import { rejectionOf } from '../error-of.js';
import { runOf } from './run-of.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());
const run = runOf(command);

const COLUMNS = ['full name', 'home country'];

/** The changes of each variant of "How many gardeners come from Portugal?", which asks of the country alone. */
async function variantsOf(
  options: Readonly<Record<string, unknown>>,
): Promise<readonly [kind: string, count: number][]> {
  const out = join(temp.path, `run-${JSON.stringify(options).length}`);
  const { tables, examples } = writeSmallData(temp.path, [0]);
  const candidates = join(temp.path, 'candidates.jsonl');
  const decisions = COLUMNS.flatMap((column) =>
    (['RPL', 'ADD'] as const).map((bucket) =>
      acceptedDecision({ db_id: 'community_garden', table: 'gardener', column, bucket, candidate: `other ${column}` }),
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
    const asBuilt = join(temp.path, 'without-settings.json');
    writeFileSync(asBuilt, '{}');
    const variants = await variantsOf({ config: asBuilt });
    expect(variants.find(([kind]) => kind === 'RPL')).toEqual(['RPL', COLUMNS.length]);
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
