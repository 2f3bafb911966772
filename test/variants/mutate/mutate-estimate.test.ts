import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { estimateMutate } from '../../../src/variants/mutate/mutate-estimate.js';
import { closeMutateInputs, openMutateInputs } from '../../../src/variants/mutate/mutate-inputs.js';
import { type MutateInput, withMutateDefaults } from '../../../src/variants/mutate/mutate-options.js';
import { mutate, previewMutants } from '../../../src/variants/mutate/mutate.js';
import { KEEPING_IDS } from '../../../src/variants/relations/relations.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** Without models: no guard, and no relation that decides on names. */
function inputFor(more: Partial<MutateInput> = {}): MutateInput {
  return {
    tables: inExamples('tables.json'),
    examples: inExamples('dev.json'),
    databases: inExamples('database'),
    relations: KEEPING_IDS.filter((id) => !['CI', 'TAd', 'PS'].includes(id)),
    guard: false,
    out: join(mkdtempSync(join(tmpdir(), 'mutate-')), 'run'),
    ...more,
  };
}

async function estimated(input: MutateInput): Promise<ReturnType<typeof estimateMutate>> {
  const options = withMutateDefaults(input);
  const inputs = await openMutateInputs(options, NOOP_HOST);
  await closeMutateInputs(inputs);
  return estimateMutate(inputs, options);
}

function expectNear(estimate: number, count: number): void {
  expect(estimate / count).toBeGreaterThan(1 / 1.5);
  expect(estimate / count).toBeLessThan(1.5);
}

test.each([10, 2])('tells about how many mutants and schemas a limit of %d gives', async (limit) => {
  const input = inputFor({ limit });
  const { mutants, schemas } = await estimated(input);
  const { report } = await mutate(input);
  expectNear(mutants, report.total.cases);
  expectNear(schemas, report.total.schemas);
});

test('says it before the work, and in a dry run', async () => {
  const input = inputFor({ relations: ['TS'], limit: 1 });
  const notes: string[] = [];
  await mutate(input, { ...NOOP_HOST, note: (line) => notes.push(line) });
  expect(notes).toEqual([expect.stringMatching(/^about 30 mutants, about \d+ s of CPU time$/)]);
  expect((await previewMutants(input)).slice(2)).toEqual(notes);
});

test('counts deciding on names cold and warm, and databases where they are written', async () => {
  const [plain, copies, scripts, names, given] = await Promise.all([
    estimated(inputFor({ relations: ['TS'] })),
    estimated(inputFor({ relations: ['TS'], materialize: 'copy' })),
    estimated(inputFor({ relations: ['TS'], materialize: 'migrations' })),
    estimated(inputFor({ relations: ['TS', 'CI'] })),
    estimated(inputFor({ relations: ['TS', 'CI'], graph: 'http://localhost:1/' })),
  ]);
  expect(plain.seconds).toBe(plain.warmSeconds);
  expect(copies.seconds).toBeGreaterThan(scripts.seconds);
  expect(scripts.seconds).toBeGreaterThan(plain.seconds);
  expect(names.seconds).toBeGreaterThan(names.warmSeconds + 5);
  expect(given.seconds).toBe(given.warmSeconds);
  const line = (await previewMutants(inputFor({ relations: ['TS'], materialize: 'views' }))).at(-1);
  expect(line).toMatch(/^about \d+ mutants, \d+ scripts to write, about \d+ s of CPU time$/);
});
