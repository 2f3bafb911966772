import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack, type AttackOutcome, previewAttack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { attackReport, type AttackReport, type AttackScore } from '../../../src/measure/attack/attack-report.js';
import { attackCases } from '../../../src/measure/attack/report/attack-cases.js';
import { failedAnswer, readAnswer } from '../../../src/victims/victim.js';
import { ConfigError, InputFormatError, RunFolderError, VictimError } from '../../../src/errors.js';
import { mentionedColumns, resolveColumns } from '../../../src/sql/resolver.js';
import { columnAt } from '../../../src/schema/schema.js';
import { EXAMPLES as PACKAGED_EXAMPLES } from '../../e2e/example-data.js';
import {
  allergicVictim,
  candidatesFor,
  DATA,
  DATABASES,
  EXAMPLES,
  goldOn,
  inputOf,
  perfectVictim,
  ScriptedVictim,
  stubbornVictim,
  temporaryFolder,
  writeCandidates,
} from './attack-fixture.js';

const { databases } = DATA;

/** What of a perturbed schema a scripted model sees. */
interface Seen {
  readonly renamed: boolean;
  readonly added: boolean;
}

function scoreOf({ scores }: AttackReport, metric: string, condition: string): AttackScore {
  return scores.find((score) => score.metric === metric && score.condition === condition)!;
}

function accuracies({ scores }: AttackReport): Record<string, number> {
  return Object.fromEntries(scores.map(({ metric, condition, accuracy }) => [`${metric} ${condition}`, accuracy]));
}

const reportIn = (out: string): string => readFileSync(join(out, 'report.json'), 'utf8');

describe('a model that is right on all tables', () => {
  it('loses nothing, by either metric', async () => {
    const victim = perfectVictim(4);
    const input = inputOf(victim, { databases });
    const { report, open, fresh } = await attack(input);
    expect({ open, fresh }).toEqual({ open: 0, fresh: true });
    expect(new Set(Object.values(accuracies(report)))).toEqual(new Set([1]));
    expect(Object.keys(accuracies(report))).toHaveLength(6);
    for (const { std, bySeed, drop, condition } of report.scores) {
      expect(bySeed).toEqual(condition === 'original' ? [1] : [1, 1]);
      expect(std).toBe(condition === 'original' ? null : 0);
      expect(drop?.absolute ?? 0).toBe(0);
    }
    expect(report.settings.databases).toMatch(/^[0-9a-f]{64}$/);
    expect(report.settings.metrics).toEqual({
      exact: 'exact-values-ignored@3',
      execution: expect.any(String) as string,
    });
    expect(attackReport.parse(JSON.parse(reportIn(input.out)))).toEqual(report);
    expect(readFileSync(join(input.out, 'report.html'), 'utf8')).toContain('<!doctype html>');
    expect(existsSync(join(input.out, '.scratch'))).toBe(false);
  });

  it('is asked each distinct question once, with sample values of all columns', async () => {
    const victim = perfectVictim(3);
    const { report } = await attack(inputOf(victim, { databases }));
    expect(new Set(victim.asked).size).toBe(victim.asked.length);
    expect(report.usage.questions).toBe(victim.asked.length);
    const forms = victim.asked.filter((id) => !/^dev:\d+~(?:original|(?:RPL|ADD)~[01])$/.test(id));
    expect(forms).toEqual([]);
    const keys = [...victim.questions].map(([id, { schema }]) => `${id.split('~')[0]!} ${JSON.stringify(schema)}`);
    expect(new Set(keys).size).toBe(keys.length);
    const added = victim.questions.get('dev:0~ADD~0')!;
    const [table] = added.schema.tables;
    const at = table!.columns.findIndex(({ name }) => /^(?:former|second) home country/.test(name));
    expect(added.samples![0]![at]!.length).toBeGreaterThan(0);
  });

  it('sees every column that the gold mentions perturbed, and no other', async () => {
    const { report } = await attack(inputOf(perfectVictim()));
    for (const { id, dbId, gold, perturbed } of report.cases) {
      const database = DATABASES.get(dbId)!;
      const mentioned = mentionedColumns(resolveColumns(gold, database)).map(
        (ref) => `${database.tables[ref.table]!.name}.${columnAt(database, ref).originalName}`,
      );
      for (const { kind, changes } of perturbed) {
        const changed = new Set(changes.map(({ table, originalName }) => `${table}.${originalName}`));
        if (kind === 'ADD') expect([id, changed]).toEqual([id, new Set(mentioned)]);
        // A key's new name is also that of the keys linked to it.
        else for (const column of mentioned) expect(changed).toContain(column);
      }
    }
  });
});

describe('a model that knows the original names alone', () => {
  it('falls under RPL, not under ADD, and the report says why', async () => {
    const { report } = await attack(inputOf(stubbornVictim(), { databases }));
    const rpl = scoreOf(report, 'exact', 'RPL');
    expect(scoreOf(report, 'exact', 'original').accuracy).toBe(1);
    expect(scoreOf(report, 'exact', 'ADD').accuracy).toBeGreaterThan(0.9);
    const unmentioned = report.cases.filter(({ perturbed }) => perturbed.every(({ changes }) => changes.length === 0));
    expect(rpl.accuracy).toBeCloseTo(unmentioned.length / EXAMPLES.length, 10);
    expect(rpl.drop!.absolute).toBeCloseTo(1 - rpl.accuracy, 10);
    expect(rpl.drop!.relative).toBeCloseTo(1 - rpl.accuracy, 10);
    const fallen = 2 * (EXAMPLES.length - unmentioned.length);
    expect(rpl.drop!.mcnemar).toMatchObject({ onlyFirst: fallen, onlySecond: 0 });
    expect(rpl.drop!.interval!.low).toBeGreaterThan(0);
    const { correct, ...wrong } = rpl.outcomes;
    expect(correct).toBe(2 * unmentioned.length);
    expect(Object.values(wrong).reduce((sum, n) => sum + n, 0)).toBe(fallen);
    expect(scoreOf(report, 'execution', 'RPL').outcomes.failing).toBeGreaterThan(0);
    const renamed = report.columns.filter(({ kind }) => kind === 'RPL');
    expect(renamed.every(({ cases, broken }) => cases === broken)).toBe(true);
    expect(renamed[0]!.broken).toBe(Math.max(...renamed.map(({ broken }) => broken)));
    expect(report.byHardness.map(({ key }) => key).slice(0, 4)).toEqual(['easy', 'medium', 'hard', 'extra']);
    expect(report.byDatabase.filter(({ metric }) => metric === 'exact').map(({ examples }) => examples)).toEqual([
      4, 4, 4,
    ]);
    expect(report.byComponent.map(({ key }) => key)).toContain('where');
  });
});

describe('a gold query that keeps its star', () => {
  it('has more columns under ADD than an answer that names the old ones', async () => {
    const folder = temporaryFolder();
    const examples = join(folder, 'dev.json');
    const query = "SELECT * FROM gardener WHERE home_country = 'Portugal'";
    writeFileSync(
      examples,
      JSON.stringify([{ db_id: 'community_garden', question: 'Who comes from Portugal?', query }]),
    );
    const { columns } = DATABASES.get('community_garden')!.tables.find(
      ({ originalName }) => originalName === 'gardener',
    )!;
    const names = columns.map(({ originalName }) => originalName).join(', ');
    const victim = new ScriptedVictim(() => query.replace('*', names));
    const { report } = await attack(inputOf(victim, { databases, examples, keepStar: true, seeds: [0] }));
    const [one] = report.cases;
    const [, added] = one!.perturbed;
    expect([one!.original.execution, added!.gold, added!.execution]).toEqual(['correct', query, 'wrong']);
  });
});

describe('an answer that turned wrong by execution', () => {
  const NAMES = 'SELECT full_name FROM gardener';

  it.each([
    ['RPL', ({ renamed }: Seen) => (renamed ? 'SELECT 1' : null)],
    ['ADD', ({ added }: Seen) => (added ? NAMES : null)],
  ] as const)('is a case under %s that holds the rows in which the results differ', async (kind, wrongOn) => {
    const victim = new ScriptedVictim(({ schema }, id) => {
      const columns = schema.tables.flatMap((table) => table.columns.map(({ name }) => name));
      const seen = {
        renamed: columns.some((name) => / (?:label|entry)$/.test(name)),
        added: columns.some((name) => /^(?:former|second) /.test(name)),
      };
      return (id === 'dev:0' ? wrongOn(seen) : null) ?? goldOn(id, schema);
    });
    const { report } = await attack(inputOf(victim, { databases, seeds: [0] }));
    const one = report.cases.find(({ id }) => id === 'dev:0')!;
    expect(one.original.execution).toBe('correct');
    const turned = one.perturbed.find((variant) => variant.kind === kind)!;
    expect(turned.execution).toBe('wrong');
    expect(turned.rows?.predicted.differing.length).toBeGreaterThan(0);
    expect(turned.rows?.gold.count).toBeGreaterThan(0);
    const other = one.perturbed.find((variant) => variant.kind !== kind)!;
    expect([other.execution, other.rows]).toEqual(['correct', undefined]);
    const shown = attackCases(report, []).cases.find(({ id }) => id === `dev:0/${kind}/0`)!;
    expect(shown.status).toBe('broken');
    expect(shown.given?.map(({ differing }) => differing)).toEqual([
      turned.rows?.gold.differing,
      turned.rows?.predicted.differing,
    ]);
  });
});

describe('examples that mention no column with a candidate', () => {
  it('keep their tables, are asked once, and are scored', async () => {
    const only = candidatesFor(2, (_, table, column) => table === 'gardener' && column === 'home country');
    const victim = stubbornVictim();
    const { report } = await attack(inputOf(victim, { candidates: writeCandidates(temporaryFolder(), only) }));
    const changed = report.cases.filter(({ perturbed }) => perturbed.some(({ changes }) => changes.length > 0));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(EXAMPLES.length);
    const kept = EXAMPLES.length - changed.length;
    expect(report.warnings.join()).toContain(
      `${kept} of ${EXAMPLES.length} examples under RPL and ${kept} under ADD keep their tables`,
    );
    expect(victim.asked.length).toBeLessThanOrEqual(EXAMPLES.length + 4 * changed.length);
    expect(scoreOf(report, 'exact', 'RPL').accuracy).toBeCloseTo(kept / EXAMPLES.length, 10);
    expect(report.dataset.examples).toBe(EXAMPLES.length);
  });
});

describe('seeds that ask for more tables than there are names for', () => {
  it('are told of', async () => {
    const one = writeCandidates(temporaryFolder(), candidatesFor(1));
    const { report } = await attack(inputOf(stubbornVictim(), { candidates: one, seeds: [0, 1, 2] }));
    const changed = report.cases.filter(({ perturbed }) => perturbed.some(({ changes }) => changes.length > 0));
    expect(report.warnings.join()).toContain(
      `${changed.length} of ${EXAMPLES.length} examples under RPL and ${changed.length} under ADD get fewer different names than their 3 seeds ask for`,
    );
    const { report: single } = await attack(inputOf(stubbornVictim(), { candidates: one, seeds: [0] }));
    expect(single.warnings.join()).not.toContain('fewer different names');
  });
});

describe('an attack with the hardest candidates', () => {
  const far = candidatesFor(1).map((one, i) => ({ ...one, candidate: `zzq${i}` }));
  const candidates = (): string => writeCandidates(temporaryFolder(), [...candidatesFor(1), ...far]);

  it('draws new names far from the old ones, and additions near to them', async () => {
    const { report } = await attack(inputOf(perfectVictim(), { candidates: candidates(), sample: 'hard' }));
    expect(report.settings.sample).toBe('hard');
    const changes = report.cases.flatMap(({ perturbed }) =>
      perturbed.flatMap(({ kind, changes: made }) =>
        made.map(({ candidate }) => ({ kind, far: /^zzq/.test(candidate) })),
      ),
    );
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.filter(({ kind, far: isFar }) => isFar !== (kind === 'RPL'))).toEqual([]);
  });

  it('has other words in its fingerprint, which a random one has not', async () => {
    const input = inputOf(perfectVictim());
    await attack(input);
    const { settings } = JSON.parse(readFileSync(join(input.out, 'run.json'), 'utf8')) as { settings: object };
    expect(settings).not.toHaveProperty('sample');
    await expect(attack({ ...input, sample: 'hard' })).rejects.toThrow(RunFolderError);
  });
});

describe('accuracy by difficulty', () => {
  it('counts every perturbed example once a seed, in parts from easy to hard', async () => {
    const victim = allergicVictim('zzq');
    const names = candidatesFor(2).map((one, i) =>
      one.bucket === 'RPL' && i % 2 === 0 ? { ...one, candidate: `zzq ${one.candidate.split(' ').at(-1)!}` } : one,
    );
    const { report } = await attack(inputOf(victim, { candidates: writeCandidates(temporaryFolder(), names) }));
    const parts = report.byDifficulty!.filter(({ kind, metric }) => kind === 'RPL' && metric === 'exact');
    const changed = report.cases.flatMap(({ perturbed }) =>
      perturbed.filter(({ kind, changes }) => kind === 'RPL' && changes.length > 0),
    );
    expect(parts.reduce((sum, { cases }) => sum + cases, 0)).toBe(changed.length);
    for (const [i, { from, to, accuracy }] of parts.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      if (i > 0) expect(from).toBeGreaterThan(parts[i - 1]!.to);
      expect(accuracy).toMatchObject({ original: 1, ADD: null });
    }
    const [easiest, hardest] = [parts[0]!, parts.at(-1)!];
    expect(hardest.accuracy.RPL).toBeLessThan(easiest.accuracy.RPL!);
  });
});

describe('the same answers', () => {
  it('give the same report, whatever the concurrency', async () => {
    const candidates = writeCandidates(temporaryFolder());
    const run = async (concurrency: number): Promise<string> => {
      const input = inputOf(stubbornVictim(concurrency), { candidates, databases });
      await attack(input);
      return ['report.json', 'report.html', 'answers.jsonl', 'run.json']
        .map((name) => readFileSync(join(input.out, name), 'utf8'))
        .join();
    };
    expect(await run(7)).toBe(await run(1));
  });
});

/** Fails for good when so many were asked. */
function mortalVictim(lifetime: number): ScriptedVictim {
  let left = lifetime;
  return new ScriptedVictim(({ schema }, exampleId) => {
    if (left-- === 0) throw new VictimError('it is gone', { fix: 'Call it back.' });
    return goldOn(exampleId, schema);
  });
}

describe('a run', () => {
  it('that was cut off loses nothing and asks nothing twice', async () => {
    const input = inputOf(mortalVictim(20));
    await expect(attack(input)).rejects.toThrow(VictimError);
    expect(existsSync(join(input.out, 'report.json'))).toBe(false);
    const second = perfectVictim();
    const { report } = await attack({ ...input, victim: { kind: 'own', victim: second } });
    const whole = inputOf(perfectVictim(), { candidates: input.candidates });
    await attack(whole);
    expect(reportIn(input.out)).toBe(reportIn(whole.out));
    expect(second.asked.length).toBe(report.usage.questions - 20);
  });

  it('asks again what failed transiently, and nothing else', async () => {
    const timedOut = new Set(['dev:3~original', 'dev:0~RPL~0']);
    const first = new ScriptedVictim(({ id, schema }, exampleId) =>
      timedOut.has(id) ? failedAnswer(id, 'timeout', 'no answer') : goldOn(exampleId, schema),
    );
    const input = inputOf(first);
    const before = await attack(input);
    expect(before.open).toBe(2);
    expect(before.report.usage.failures.original).toEqual({ timeout: 1 });
    expect(before.report.usage.failures.RPL?.['timeout']).toBeGreaterThanOrEqual(1);
    expect(before.report.warnings.join()).toContain('2 questions have no answer because of transient failures');
    expect(scoreOf(before.report, 'exact', 'original').outcomes.empty).toBe(1);
    const second = perfectVictim();
    const after = await attack({ ...input, victim: { kind: 'own', victim: second } });
    expect(new Set(second.asked)).toEqual(timedOut);
    expect([after.open, after.fresh]).toEqual([0, true]);
    expect(scoreOf(after.report, 'exact', 'RPL').accuracy).toBe(1);
  });

  it('that has finished is left as it is', async () => {
    const input = inputOf(perfectVictim());
    const { report } = await attack(input);
    const before = reportIn(input.out);
    const again = stubbornVictim();
    const outcome: AttackOutcome = await attack({ ...input, victim: { kind: 'own', victim: again } });
    expect(outcome).toEqual({ report, open: 0, fresh: false });
    expect(again.asked).toEqual([]);
    expect(reportIn(input.out)).toBe(before);
  });

  it('refuses another configuration in its folder, with the difference', async () => {
    const input = inputOf(perfectVictim());
    await attack(input);
    await expect(attack({ ...input, seeds: [0] })).rejects.toThrow(/seeds is 0 here, the run was made with 0, 1/);
    await expect(attack({ ...input, databases })).rejects.toThrow(RunFolderError);
    const other = writeCandidates(temporaryFolder(), candidatesFor(1));
    await expect(attack({ ...input, candidates: other })).rejects.toThrow(/candidates changed since the run was made/);
  });

  it('counts what was cleaned from answers, and failures by condition', async () => {
    const victim = new ScriptedVictim(({ id, schema }, exampleId) =>
      id.includes('~RPL~') ? 'I have no idea.' : readAnswer(id, `\`\`\`sql\n${goldOn(exampleId, schema)};\n\`\`\``),
    );
    const { report, open } = await attack(inputOf(victim));
    expect(open).toBe(0);
    const fenced = victim.asked.filter((id) => !id.includes('~RPL~')).length;
    expect(report.usage.cleaned).toMatchObject({ 'code-fence': fenced });
    expect(Object.keys(report.usage.failures)).toEqual(['RPL']);
    expect(scoreOf(report, 'exact', 'ADD').accuracy).toBe(1);
    expect(report.cases[0]!.original.cleaned).toContain('code-fence');
  });

  it('stops when it is aborted', async () => {
    const stop = new AbortController();
    const victim = new ScriptedVictim(({ schema }, exampleId) => {
      if (victim.asked.length === 5) stop.abort(new Error('enough'));
      return goldOn(exampleId, schema);
    });
    const host = { signal: stop.signal, progress: () => undefined, note: () => undefined };
    const input = inputOf(victim);
    await expect(attack(input, host)).rejects.toThrow('enough');
    expect(victim.asked.length).toBe(5);
    expect(existsSync(join(input.out, '.lock'))).toBe(false);
  });
});

describe('an input', () => {
  const bad: readonly [string, Partial<AttackInput>, new (...args: never[]) => Error, RegExp][] = [
    ['no candidates', { candidates: '' }, ConfigError, /option candidates is missing/],
    ['candidates that are not there', { candidates: 'nowhere' }, ConfigError, /nowhere does not exist/],
    ['no tables', { tables: null }, ConfigError, /needs --tables/],
    ['databases that are not there', { databases: 'nowhere' }, InputFormatError, /no databases at this path/],
    ['no seeds', { seeds: [] }, ConfigError, /seeds are no list/],
    ['a seed twice', { seeds: [1, 1] }, ConfigError, /seeds are no list/],
    ['a budget of nothing', { budget: 0 }, ConfigError, /budget is no whole number/],
    ['no folder', { out: '' }, ConfigError, /option out is missing/],
    ['a time limit that no timer can hold', { timeoutMs: 3e9 }, ConfigError, /the time limit of a query/],
    [
      'predictions that are not there',
      { victim: { kind: 'file', predictions: 'nowhere' } },
      InputFormatError,
      /no file of predictions/,
    ],
    [
      'a search over predictions',
      { victim: { kind: 'file', predictions: 'package.json' }, strategy: 'greedy' },
      ConfigError,
      /greedy asks on by what the model answers/,
    ],
    ['an empty command', { victim: { kind: 'command', settings: { command: [] } } }, ConfigError, /command is empty/],
  ];

  it.each(bad)('with %s is refused', async (_, more, kind, message) => {
    const attacked = attack(inputOf(perfectVictim(), more));
    await expect(attacked).rejects.toThrow(message);
    await expect(attacked).rejects.toBeInstanceOf(kind);
  });
});

describe('the built-in parser', () => {
  const few = /could learn from 11 questions, and below 40 its figures tell nothing/;
  const attackWith = (train: string | null): AttackInput => ({
    ...inputOf(perfectVictim()),
    seeds: [0],
    victim: { kind: 'baseline', train },
  });

  it('is said to have too few questions to learn from, before it is asked and in the report', async () => {
    const input = attackWith(null);
    expect((await previewAttack(input)).join('\n')).toMatch(new RegExp(`warning: the built-in parser ${few.source}`));
    const { report } = await attack(input);
    expect(report.warnings.join('\n')).toMatch(few);
  });

  it('is said nothing of where it has enough', async () => {
    const lines = await previewAttack(attackWith(join(PACKAGED_EXAMPLES, 'train.json')));
    expect(lines.join('\n')).not.toContain('tell nothing');
  });
});
