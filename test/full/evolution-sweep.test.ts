import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mostRefused, refusedShare } from '../../bench/mutate/evolution-sweep.js';
import { writeEvolutionWorld } from '../../bench/mutate/evolution-worlds.js';
import { mutate } from '../../src/variants/mutate/mutate.js';
import { EVOLUTION_IDS } from '../../src/variants/relations/relations.js';

// `npm run check:full` sets PERTURBQL_FULL: all of Spider dev. Without it, three databases.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const DATA = '../shared/data';
const SUBSET = { only: ['concert_singer', 'car_1', 'student_transcripts_tracking'] };

const folder = mkdtempSync(join(tmpdir(), 'perturbql-evolution-sweep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const there = existsSync(`${DATA}/spider`);
const title = there ? 'kinds of evolution' : `kinds of evolution (skipped: ${DATA}/spider is not there)`;

describe.skipIf(!there)(title, () => {
  it('give every gold its rows where columns have adversarial names, and refuse few', async () => {
    const input = join(folder, 'input');
    mkdirSync(input);
    const request = { data: DATA, set: 'dev', naming: 'adversarial', seed: 0, ...(FULL ? {} : SUBSET) } as const;
    const options = { out: join(folder, 'run'), cacheFolder: join(folder, 'cache'), guard: false } as const;
    const world = writeEvolutionWorld(input, request);
    const { report } = await mutate({ ...world, ...options, relations: EVOLUTION_IDS, limit: 2, materialize: 'copy' });
    const { unwritten, verification } = report.databases!;
    expect(unwritten).toEqual([]);
    expect(verification.items.filter(({ verdict }) => verdict !== 'tie')).toEqual([]);
    const shares = Object.entries(report.relations).map(([id, relation]) => [id, refusedShare(relation)] as const);
    expect(shares.filter(([id, share]) => share > mostRefused(id))).toEqual([]);
  }, 3_600_000);
});
