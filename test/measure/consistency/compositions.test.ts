import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consistency, previewConsistency } from '../../../src/measure/consistency/consistency.js';
import type { ConsistencyInput } from '../../../src/measure/consistency/consistency-options.js';
import { consistencyReport, type ConsistencyReport } from '../../../src/measure/consistency/consistency-report.js';
import { consistencyLines } from '../../../src/measure/consistency/report/consistency-document.js';
import { ruleFailures } from '../../../src/measure/consistency/fail-above.js';
import { InputFormatError, RunFolderError } from '../../../src/errors.js';
import { type Fold, idsInFold } from '../../../src/variants/mutate/sampling/fold.js';
import { mustGet } from '../../../src/present.js';
import { composedCases } from '../../../src/measure/compositions/recomposition-section.js';
import { failedAnswer, readAnswer, type Victim } from '../../../src/victims/victim.js';
import {
  COMPOSITIONS,
  PATHS,
  ScriptedVictim,
  temporaryFolder,
  writeComposed,
  WRONG,
} from '../compositions/composed-fixture.js';
import { EXAMPLES } from '../../variants/relations/cases.js';
import { writeMutants } from './mutants-fixture.js';

function inputOf(victim: Victim, more: Partial<ConsistencyInput> = {}): ConsistencyInput {
  const folder = temporaryFolder();
  const compositions = more.compositions ?? writeComposed(join(folder, 'composed'));
  return { ...PATHS, mutants: null, compositions, out: join(folder, 'out'), victim: { kind: 'own', victim }, ...more };
}

async function composedOf(
  answers: ConstructorParameters<typeof ScriptedVictim>[0],
  more: Partial<ConsistencyInput> = {},
): Promise<NonNullable<ConsistencyReport['compositions']>> {
  const { report } = await consistency(inputOf(new ScriptedVictim(answers), more));
  return mustGet(report.compositions, 'compositions');
}

describe('composed questions', () => {
  it('lose nothing where the model is right on all, by either metric', async () => {
    const input = inputOf(new ScriptedVictim());
    const { report, open, fresh } = await consistency(input);
    expect({ open, fresh, mutants: report.mutants }).toEqual({ open: 0, fresh: true, mutants: null });
    const composed = mustGet(report.compositions, 'compositions');
    expect(composed.all).toMatchObject({ cases: 4, parents: 6, open: 0 });
    for (const metric of ['exact', 'execution'] as const) {
      expect(composed.all[metric]).toMatchObject({ cases: 4, parents: 1, children: 1, bothRight: 4, broken: 0 });
      expect(composed.all[metric]?.drop).toMatchObject({ mean: 0, low: null, high: null });
    }
    expect(composed.accuracy).toEqual({ exact: 1, execution: 1 });
    expect(Object.keys(composed.kinds)).toEqual(['SUB', 'APP']);
    expect(composed.hardness.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
      ...['SUB easy', 'APP medium', 'APP extra'],
    ]);
    expect(composed.failures).toEqual([]);
    expect(report.warnings).toEqual([]);
    expect(consistencyReport.parse(JSON.parse(readFileSync(join(input.out, 'report.json'), 'utf8')))).toEqual(report);
    expect(readFileSync(join(input.out, 'recompositions.jsonl'), 'utf8').trim().split('\n')).toHaveLength(4);
    expect(existsSync(join(input.out, 'cases.jsonl'))).toBe(false);
    expect((await consistency(input)).fresh).toBe(false);
  });

  it('are asked after their parents, each question once', async () => {
    const victim = new ScriptedVictim();
    await consistency(inputOf(victim));
    const ids = victim.asked.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids)).toEqual(
      new Set(['dev:0', 'dev:1', 'dev:6', 'dev:7', 'dev:9', ...COMPOSITIONS.map(({ id }) => id)]),
    );
    expect(ids.indexOf('dev:9')).toBeLessThan(ids.indexOf('dev:0~AND(dev:9)'));
    const child = mustGet(
      victim.asked.find(({ id }) => id === 'dev:0~AND(dev:9)'),
      'child',
    );
    expect(child).toMatchObject({ dbId: 'community_garden', question: COMPOSITIONS[1]?.question });
    expect(child.databaseFile).toContain('community_garden.sqlite');
    expect(child.samples?.[0]?.length).toBeGreaterThan(0);
  });

  it('count as broken where both parents are right and they are wrong, by rule', async () => {
    const { kinds, all, failures } = await composedOf({ 'dev:0~AND(dev:9)': WRONG, 'dev:6': WRONG });
    expect(kinds.SUB?.exact).toMatchObject({ cases: 1, parents: 1, children: 1, bothRight: 1, broken: 0 });
    expect(kinds.APP?.exact).toMatchObject({ cases: 3, bothRight: 2, broken: 1, mended: 1 });
    expect(kinds.APP?.exact?.parents).toBeCloseTo(5 / 6, 12);
    expect(kinds.APP?.exact?.children).toBeCloseTo(2 / 3, 12);
    expect(kinds.APP?.exact?.drop.mean).toBeCloseTo(1 / 6, 12);
    expect(kinds.APP?.exact?.rate?.mean).toBe(0.5);
    expect(all.execution).toMatchObject({ broken: 1, mended: 1 });
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({
      kind: 'APP',
      hardness: 'medium',
      child: { id: 'dev:0~AND(dev:9)', predicted: WRONG, execution: 'wrong' },
      parents: [{ id: 'dev:0' }, { id: 'dev:9' }],
    });
  });

  it('show the rows of the gold query and of a wrong answer where both give any', async () => {
    const { failures } = await composedOf({ 'dev:0~AND(dev:9)': WRONG, 'dev:0~SUB(dev:9)': 'SELECT nothing' });
    const wrong = mustGet(
      failures.find(({ child }) => child.id === 'dev:0~AND(dev:9)'),
      'wrong',
    );
    const rows = mustGet(wrong.rows, 'rows');
    expect(rows.gold.count).not.toBe(rows.predicted.count);
    expect(rows.predicted.differing).not.toEqual([]);
    const [{ given = [] } = {}] = composedCases({ ...(await composedOf({})), failures: [wrong] });
    expect(given.map(({ label }) => label)).toEqual([
      'Rows of the gold query, on its database',
      'Rows of the answer, on its database',
    ]);
    expect(failures.find(({ child }) => child.id === 'dev:0~SUB(dev:9)')).not.toHaveProperty('rows');
  });

  it('tell a composition’s base that is itself composed from its element', async () => {
    const { kinds } = await composedOf({ 'dev:0~SUB(dev:9)': WRONG });
    expect(kinds.SUB?.exact).toMatchObject({ bothRight: 1, broken: 1 });
    expect(kinds.APP?.exact).toMatchObject({ bothRight: 2, broken: 0, mended: 1 });
  });

  it('count in no figure while an answer is open', async () => {
    const { all } = await composedOf({ 'dev:9': failedAnswer('dev:9', 'timeout', 'too late') });
    expect(all).toMatchObject({ cases: 4, open: 2 });
    expect(all.exact?.cases).toBe(2);
  });

  it('come with mutants in one run', async () => {
    const folder = temporaryFolder();
    const input = inputOf(new ScriptedVictim(), { mutants: writeMutants(join(folder, 'mutants')) });
    const answering: Victim = {
      id: 'right',
      fingerprint: 'right-1',
      concurrency: 1,
      answer: ({ id }) => Promise.resolve(readAnswer(id, 'SELECT 1')),
    };
    const { report } = await consistency({ ...input, victim: { kind: 'own', victim: answering } });
    expect(report.all.cases).toBe(7);
    expect(report.compositions?.all.cases).toBe(4);
    const lines = consistencyLines(report).join('\n');
    expect(lines).toMatch(/kinds? of failures?: see/);
    expect(lines).toMatch(/Composed questions\nExact match on composed questions\n/);
    const page = readFileSync(join(input.out, 'report.html'), 'utf8');
    expect(page).toContain('id="relations"');
    expect(page).toContain('id="composed"');
  });

  it('can be read with nothing but the run and its databases', async () => {
    const { databases } = PATHS;
    const input = inputOf(new ScriptedVictim(), { tables: null, examples: null, databases });
    const { report } = await consistency(input);
    expect(report.compositions?.all.execution).toMatchObject({ cases: 4, children: 1 });
    expect(await previewConsistency(input)).toEqual([
      'victim: scripted',
      '4 composed questions (SUB 1, APP 3) of 6 parents',
    ]);
  });

  it('are asked of a fold where all that they were made of are in it', async () => {
    const folds = Array.from({ length: 50 }, (_, seed) => ({ index: 1, of: 2, seed }));
    const idsOf = (fold: Fold): ReadonlySet<string> => idsInFold(EXAMPLES.examples(), fold);
    const fold = mustGet(
      folds.find((one) => ['dev:0', 'dev:9'].every((id) => idsOf(one).has(id)) && !idsOf(one).has('dev:6')),
      'fold',
    );
    const { all } = await composedOf({}, { fold });
    // The one of dev:1 and dev:6 is out; that of dev:7 by where this is.
    expect(all.cases).toBe(idsOf(fold).has('dev:7') ? 3 : 2);
  });

  it('are answered by the built-in parser as if neither parent were known', async () => {
    const input = inputOf(new ScriptedVictim(), { victim: { kind: 'baseline', train: null } });
    const { report } = await consistency(input);
    expect(report.compositions?.all.cases).toBe(4);
  });

  it('show failures and the paper’s drop on the page', async () => {
    const input = inputOf(new ScriptedVictim({ 'dev:0~AND(dev:9)': WRONG }));
    const { report } = await consistency(input);
    const page = readFileSync(join(input.out, 'report.html'), 'utf8');
    expect(page).toContain('1 of 4 composed questions is wrong though both of their parts are answered right');
    expect(page).toContain('How many gardeners come from Portugal and are volunteers?');
    expect(page).not.toContain('id="relations"');
    expect(ruleFailures(report, [{ relation: 'APP', percent: 20 }])).toEqual(['the rate of APP is 33.33%, above 20%']);
    expect(ruleFailures(report, [{ relation: 'SUB', percent: 20 }])).toEqual([]);
  });
});

describe('a run that can’t be used', () => {
  const failing = (compositions: string, more: Partial<ConsistencyInput> = {}): Promise<unknown> =>
    consistency(inputOf(new ScriptedVictim(), { compositions, ...more })).catch((error: unknown) => error);

  it('is refused where another command wrote it, or it is not finished', async () => {
    const folder = temporaryFolder();
    const other = writeComposed(join(folder, 'other'), { manifest: { command: 'mutate' } });
    expect(await failing(other)).toBeInstanceOf(RunFolderError);
    expect(await failing(other)).toMatchObject({ message: 'this is a run of mutate' });
    const begun = writeComposed(join(folder, 'begun'), { manifest: { complete: false } });
    expect(await failing(begun)).toMatchObject({ message: 'the compositions are not finished' });
    expect(await failing(join(folder, 'none'))).toBeInstanceOf(RunFolderError);
  });

  it('is refused where a parent is no example, or asks another database', async () => {
    const folder = temporaryFolder();
    const [first] = COMPOSITIONS;
    const write = (name: string, parents: readonly string[]): string =>
      writeComposed(join(folder, name), { compositions: [{ ...first, parents }] });
    expect(await failing(write('absent', ['dev:0', 'dev:99']))).toMatchObject({
      code: 'INPUT_FORMAT',
      message: 'its parent dev:99 is no example',
      where: { id: 'dev:0~SUB(dev:9)' },
    });
    expect(await failing(write('foreign', ['dev:0', 'dev:12']))).toMatchObject({
      message: 'its parent dev:12 asks pottery_studio, not community_garden',
    });
  });

  it('leaves out what appends to a substitution that was not kept', async () => {
    const folder = temporaryFolder();
    const compositions = writeComposed(join(folder, 'drawn'), { compositions: COMPOSITIONS.slice(1) });
    const { all, orphans } = await composedOf({}, { compositions });
    expect({ cases: all.cases, orphans }).toEqual({ cases: 2, orphans: 1 });
    const deep = writeComposed(join(folder, 'deep'), { compositions: COMPOSITIONS.slice(3) });
    expect(await failing(deep)).toMatchObject({ message: 'every composition appends to one that was not kept' });
  });

  it('is refused where a line is wrong, an id occurs twice, or there is none', async () => {
    const folder = temporaryFolder();
    const [first] = COMPOSITIONS;
    const twice = writeComposed(join(folder, 'twice'), { compositions: [first, first].map((one) => ({ ...one })) });
    expect(await failing(twice)).toMatchObject({ message: 'the id occurs twice, first in line 1' });
    const empty = writeComposed(join(folder, 'empty'), { compositions: [] });
    expect(await failing(empty)).toMatchObject({ message: 'there are no compositions' });
    const broken = writeComposed(join(folder, 'broken'));
    writeFileSync(join(broken, 'compositions.jsonl'), '{"id": "a"}\n');
    expect(await failing(broken)).toBeInstanceOf(InputFormatError);
  });

  it('is missing where there are no mutants either', async () => {
    const input = { ...inputOf(new ScriptedVictim()), compositions: null };
    await expect(consistency(input)).rejects.toThrow(/option mutants is missing/);
  });
});
