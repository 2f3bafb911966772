import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { attack, previewAttack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { attackReport, type AttackReport } from '../../../src/measure/attack/attack-report.js';
import { drawMutants } from '../../../src/measure/mutants/draw-mutants.js';
import { prepareAttack, scoreAttack } from '../../../src/measure/attack/prepare-attack.js';
import { parseFailBelow, thresholdFailures } from '../../../src/measure/attack/report/fail-below.js';
import { attackLines } from '../../../src/measure/attack/report/attack-document.js';
import { ConfigError } from '../../../src/errors.js';
import { mutate } from '../../../src/variants/mutate/mutate.js';
import { MutantSet } from '../../../src/variants/mutate/mutant-set.js';
import { seedSubject } from '../../../src/measure/mutants/subject-store.js';
import {
  goldOf,
  MUTANTS,
  PATHS,
  ScriptedVictim,
  temporaryFolder,
  writeMutants,
} from '../consistency/mutants-fixture.js';
import { EXAMPLES } from '../../variants/relations/cases.js';

const QUERIES = new Map([...EXAMPLES.examples()].map(({ id, query }) => [`${id}~original`, query]));
const NAMES = 'SELECT full_name FROM gardener';

/** Right but where it is told otherwise. */
function victimOf(answers: Readonly<Record<string, string>> = {}): ScriptedVictim {
  return new ScriptedVictim(({ id }) => answers[id] ?? QUERIES.get(id));
}

/** An attack with the fixture's mutants; the data set is read from their run. */
function inputOf(victim: ScriptedVictim, more: Partial<AttackInput> = {}): AttackInput {
  const folder = temporaryFolder();
  const mutants = more.mutants ?? writeMutants(join(folder, 'mutants'));
  return { candidates: null, mutants, out: join(folder, 'out'), victim: { kind: 'own', victim }, ...more };
}

/** Right answers on original tables and on mutants, in percent, by relation and level. */
function accuracies({ mutants }: AttackReport, metric = 'execution'): Record<string, string> {
  const own = mutants!.scores.filter((score) => score.metric === metric);
  return Object.fromEntries(
    own.map(({ relation, level, original, accuracy }) => [
      [relation, ...(level === null ? [] : [level])].join(' '),
      `${Math.round(100 * original)} → ${Math.round(100 * accuracy)}`,
    ]),
  );
}

describe('an attack with mutants alone', () => {
  it('asks all examples, then the mutants that seeds draw, each once, and reports by kind', async () => {
    const victim = victimOf({ 'dev:3~FL.0': 'SELECT plot_name FROM plot' });
    const input = inputOf(victim);
    const { report, open } = await attack(input);
    expect(open).toBe(0);
    const ids = victim.asked.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 30).every((id) => id.endsWith('~original'))).toBe(true);
    // Five seeds draw one of the two prefixes, or the one, or the other.
    expect(ids.slice(30).sort()).toEqual(expect.arrayContaining(['dev:0~CRm.0', 'dev:3~FL.0', 'dev:12~TS.0']));
    expect(accuracies(report)).toEqual({
      all: '100 → 83',
      PI: '100 → 100',
      PS: '100 → 100',
      FL: '100 → 0',
      TS: '100 → 100',
      CRm: '100 → 100',
      composed: '100 → 100',
    });
    expect(report.mutants?.paired.find(({ relation }) => relation === 'FL')).toMatchObject({
      touched: true,
      metric: 'execution',
      questions: 1,
      broken: 1,
      mended: 0,
    });
    expect(report.mutants?.failures).toMatchObject([{ id: 'dev:3~FL.0', before: { execution: 'correct' } }]);
    expect(report.mutants?.failures[0]?.after.predicted).toBe('SELECT plot_name FROM plot');
    expect(report.warnings).toEqual([]);
    expect(attackReport.parse(JSON.parse(readFileSync(join(input.out, 'report.json'), 'utf8')))).toEqual(report);
    const lines = readFileSync(join(input.out, 'mutant-cases.jsonl'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(30);
    const page = readFileSync(join(input.out, 'report.html'), 'utf8');
    for (const part of ['fewer than 5 questions: no interval', 'interval by bootstrap over questions'])
      expect(page).toContain(part);
    for (const part of ['id="mutants"', 'id="paired"', 'id="cases"', 'falls from 100.0']) expect(page).toContain(part);
    const [failure] = report.mutants!.failures;
    expect(failure?.after.rows?.gold.differing.length).toBeGreaterThan(0);
    expect(attackLines(report).join('\n')).toMatch(/FL \(Flattening\) +1 \([^)]*\) +100\.0% +0\.0% +-100\.0/);
    expect((await previewAttack(input)).join('\n')).toMatch(/[67] mutants of 6 kinds, drawn with 5 seeds/);
  });

  it('keeps rules about kinds', async () => {
    const { report } = await attack(inputOf(victimOf({ 'dev:3~FL.0': NAMES })));
    const rules = parseFailBelow(['execution.FL=50', 'execution.ts=50', 'execution.all=90', 'execution.CAb=1']);
    expect(thresholdFailures(report, rules).map(({ message }) => message)).toEqual([
      'execution accuracy under FL is 0.0%, below 50%',
      'execution accuracy on all mutants is 83.3%, below 90%',
      'execution accuracy under CAb was not measured, 1% are asked for',
    ]);
  });

  it('scores a mutant that nothing answers on saying so', async () => {
    const mutants = MUTANTS.filter(({ id }) => id === 'dev:0~CRm.0' || id === 'dev:3~FL.0').map((mutant) => ({
      ...mutant,
      relations: ['NCR'],
      query: null,
      expectation: 'unanswerable' as const,
    }));
    const folder = writeMutants(join(temporaryFolder(), 'run'), { mutants });
    const victim = victimOf({ 'dev:0~CRm.0': 'unanswerable', 'dev:3~FL.0': NAMES });
    const { report } = await attack(inputOf(victim, { mutants: folder }));
    expect(accuracies(report)).toMatchObject({ NCR: '100 → 50' });
  });

  it('tells by exact match where the run has no databases, and says so', async () => {
    const folder = writeMutants(join(temporaryFolder(), 'run'), { databases: false });
    const { report } = await attack(inputOf(victimOf({ 'dev:12~TS.0': NAMES }), { mutants: folder, ...PATHS }));
    expect(accuracies(report, 'exact')).toMatchObject({ TS: '100 → 0', CRm: '100 → 100' });
    expect(Object.keys(accuracies(report))).toEqual(['all', 'PI', 'PS']);
    expect(report.warnings.join()).toContain('4 mutants are not executed');
  });

  it('leaves mutants without a gold query out, and those of examples that are left out', async () => {
    const mutants = MUTANTS.map((mutant) => (mutant.seed === 'dev:12' ? { ...mutant, query: null } : mutant));
    const folder = writeMutants(join(temporaryFolder(), 'run'), { mutants });
    const { report } = await attack(inputOf(victimOf(), { mutants: folder }));
    expect(report.mutants?.scores.map(({ relation }) => relation)).not.toContain('TS');
    expect(report.warnings).toEqual(['the mutants of 1 examples are not asked, as these are left out or have no gold']);
  });

  it('is refused where there is nothing to ask, and with greedy, which has nothing to change', async () => {
    await expect(attack({ ...inputOf(victimOf()), mutants: null })).rejects.toThrow(ConfigError);
    for (const strategy of ['greedy', 'importance'] as const) {
      await expect(attack(inputOf(victimOf(), { strategy }))).rejects.toThrow(`${strategy} changes candidates`);
    }
  });

  it('has the built-in parser answer a mutant as if its example were not known', async () => {
    const input = { ...inputOf(victimOf(), { seeds: [0] }), victim: { kind: 'baseline' as const, train: null } };
    await attack(input);
    const lines = readFileSync(join(input.out, 'mutant-cases.jsonl'), 'utf8').trim().split('\n');
    const shuffledTables = lines.find((line) => line.includes('dev:12~TS.0'))!;
    const { exact } = JSON.parse(shuffledTables) as { exact: readonly [string, string] };
    expect(exact[1]).toBe(exact[0]);
  });
});

describe('a search of mutants', () => {
  it('goes on until one breaks the model, within the budget', async () => {
    const wrong = { 'dev:0~PI.1': NAMES };
    const search = { strategy: 'worst-of-k' as const, seeds: [0, 1, 2] };
    const { report } = await attack(inputOf(victimOf(wrong), search));
    expect(accuracies(report)).toMatchObject({ PI: '100 → 0', TS: '100 → 100' });
    const victim = victimOf(wrong);
    const input = inputOf(victim, { ...search, budget: 1 });
    const first = await attack(input);
    const drawn = await attack(inputOf(victimOf(wrong), { seeds: search.seeds }));
    expect(accuracies(first.report)).toEqual(accuracies(drawn.report));
    expect(readFileSync(join(input.out, 'mutant-cases.jsonl'), 'utf8')).not.toMatch(/"queries":[^1]/);
  });
});

describe('the draw of mutants', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-draws-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = new MutantSet(writeMutants(join(folder, 'run'), { databases: false }));
  const groups = [...EXAMPLES.examples()].map((example) => ({
    example,
    seed: seedSubject(example),
    mutants: run.records.filter(({ seed }) => seed === example.id),
  }));

  it('gives each example, kind and seed all of its mutants in some order, whatever the other seeds are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 6 }), (seeds) => {
        const draws = drawMutants(groups, seeds);
        expect(draws).toHaveLength(6 * seeds.length);
        for (const { order, seed, group, relation } of draws) {
          const alone = drawMutants([group], [seed]).find((one) => one.relation === relation)!;
          expect(order).toEqual(alone.order);
          expect(new Set(order.map(({ id }) => id)).size).toBe(order.length);
        }
      }),
    );
  });
});

describe('mutants of every kind, with their databases', () => {
  it('are right by execution where the answer is their gold, changed values and all', async () => {
    const out = join(temporaryFolder(), 'run');
    const relations = ['TRn', 'CAb', 'TRm', 'CSp', 'CTy', 'TSp', 'TPa', 'TMe', 'FKR', 'NCR', 'NTR'] as const;
    await mutate({ ...PATHS, relations, limit: 1, guard: false, materialize: 'copy', out });
    const { records } = new MutantSet(out);
    const gold = new Map(records.map(({ id, query }) => [id, query ?? 'null']));
    const victim = new ScriptedVictim(({ id }) => gold.get(id) ?? QUERIES.get(id) ?? null);
    const { report } = await attack(inputOf(victim, { mutants: out, seeds: [0] }));
    const wrong = report.mutants!.scores.filter(({ metric, accuracy }) => metric === 'execution' && accuracy < 1);
    expect(wrong).toEqual([]);
    const kinds = new Set(report.mutants!.scores.map(({ relation }) => relation));
    expect([...kinds]).toEqual(['all', ...relations]);
    expect(report.mutants!.scores.some(({ relation, level }) => relation === 'CAb' && level !== null)).toBe(true);
  });
});

describe('prepared inputs with mutants', () => {
  it('have a line for each mutant that is drawn, and predictions for them give the report of an attack', async () => {
    const input = inputOf(victimOf());
    const out = join(temporaryFolder(), 'prepared');
    const prepared = await prepareAttack({ candidates: null, mutants: input.mutants ?? null, out });
    const questions = readFileSync(join(out, 'inputs', 'questions.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; example: string; condition: string; folder_db_id: string });
    expect(questions).toHaveLength(prepared.questions);
    expect(questions.find(({ id }) => id === 'dev:3~FL.0')).toMatchObject({
      example: 'dev:3',
      condition: 'FL',
      folder_db_id: 'garden_flat',
    });
    const predictions = join(temporaryFolder(), 'predictions.jsonl');
    const answerTo = (id: string): string => (id === 'dev:12~TS.0' ? NAMES : (QUERIES.get(id) ?? goldOf(id)));
    writeFileSync(predictions, questions.map(({ id }) => JSON.stringify({ id, sql: answerTo(id) })).join('\n'));
    const { report } = await scoreAttack({ run: out, predictions });
    const { report: asked } = await attack(inputOf(victimOf({ 'dev:12~TS.0': NAMES })));
    expect(report.mutants?.scores).toEqual(asked.mutants?.scores);
    expect(accuracies(report)).toMatchObject({ TS: '100 → 0' });
  });
});
