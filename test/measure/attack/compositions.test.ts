import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { attack, previewAttack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { attackReport } from '../../../src/measure/attack/attack-report.js';
import { prepareAttack, scoreAttack } from '../../../src/measure/attack/prepare-attack.js';
import { attackLines } from '../../../src/measure/attack/report/attack-document.js';
import { ConfigError } from '../../../src/errors.js';
import type { Victim } from '../../../src/victims/victim.js';
import {
  COMPOSITIONS,
  goldOf,
  PATHS,
  ScriptedVictim,
  temporaryFolder,
  writeComposed,
  WRONG,
} from '../compositions/composed-fixture.js';

function inputOf(victim: Victim, more: Partial<AttackInput> = {}): AttackInput {
  const folder = temporaryFolder();
  const compositions = more.compositions ?? writeComposed(join(folder, 'composed'));
  return {
    ...PATHS,
    candidates: null,
    compositions,
    out: join(folder, 'out'),
    victim: { kind: 'own', victim },
    ...more,
  };
}

describe('an attack with composed questions alone', () => {
  it('asks all examples and the compositions, each once, and says how far the model falls', async () => {
    const victim = new ScriptedVictim({ 'dev:0~AND(dev:9)': WRONG });
    const input = inputOf(victim);
    const { report, open } = await attack(input);
    expect(open).toBe(0);
    const ids = victim.asked.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => id.endsWith('~original'))).toHaveLength(report.dataset.examples);
    expect(ids.slice(-4)).toEqual(COMPOSITIONS.map(({ id }) => id));
    expect(report.scores.map(({ metric, condition, accuracy }) => [metric, condition, accuracy])).toEqual([
      ['exact', 'original', 1],
      ['execution', 'original', 1],
    ]);
    expect(report.compositions?.all.exact).toMatchObject({ cases: 4, parents: 1, children: 0.75, broken: 1 });
    expect(report.compositions?.all.execution?.drop.mean).toBe(0.25);
    expect(report.warnings).toEqual([]);
    expect(attackReport.parse(JSON.parse(readFileSync(join(input.out, 'report.json'), 'utf8')))).toEqual(report);
    expect(attackLines(report)[3]?.trim()).toBe('Original');
    expect(attackLines(report).join('\n')).toMatch(/CG-APP, appended +3 \(of 6\) +100\.0% +66\.7% +-33\.3 /);
    const page = readFileSync(join(input.out, 'report.html'), 'utf8');
    expect(page).toContain('id="composed"');
    expect(page).not.toContain('id="columns"');
    expect(page).toContain('fewer than 5 bases: no interval');
    expect(page).toContain('by bootstrap over bases, the compositions of one together');
    expect(attackLines(report).join('\n')).toContain('intervals by bootstrap over bases');
    expect(page).toContain('1 of 4 composed questions is wrong though both of their parts are answered right');
    expect(await previewAttack(input)).toContain('4 composed questions (SUB 1, APP 3) of 6 parents');
  });

  it('asks a parent once though its example is not answered yet', async () => {
    const scripted = new ScriptedVictim();
    const victim: Victim = {
      id: 'wide',
      fingerprint: 'wide-1',
      concurrency: 64,
      answer: async (question) => {
        await setImmediate();
        return scripted.answer(question);
      },
    };
    const { open } = await attack(inputOf(victim));
    const ids = scripted.asked.map(({ id }) => id);
    expect([open, new Set(ids).size]).toEqual([0, ids.length]);
  });

  it('is refused where there is nothing to ask', async () => {
    const input = { ...inputOf(new ScriptedVictim()), compositions: null };
    await expect(attack(input)).rejects.toThrow(ConfigError);
  });

  it('says the same of predictions for prepared inputs, which have sub-sentences where they are asked for', async () => {
    const { tables, examples, compositions = null } = inputOf(new ScriptedVictim());
    const out = join(temporaryFolder(), 'prepared');
    const given = {
      candidates: null,
      tables: tables ?? null,
      examples: examples ?? null,
      compositions,
      out,
      segments: true,
    };
    const prepared = await prepareAttack(given);
    const questions = readFileSync(join(out, 'inputs', 'questions.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { id: string; question: string; condition: string; segments: { text: string }[] },
      );
    expect(questions).toHaveLength(prepared.questions);
    for (const { question, segments } of questions) {
      expect(segments.map(({ text }) => text).join('')).toBe(question);
    }
    expect(questions.some(({ segments }) => segments.length > 1)).toBe(true);
    expect(questions.filter(({ condition }) => condition === 'APP')).toHaveLength(3);
    const predictions = join(temporaryFolder(), 'predictions.jsonl');
    const lines = questions.map(({ id }) =>
      JSON.stringify({ id, sql: id === 'dev:1~AND(dev:6)' ? WRONG : goldOf(id) }),
    );
    writeFileSync(predictions, lines.join('\n'));
    const { report } = await scoreAttack({ run: out, predictions });
    expect(report.compositions?.all.exact).toMatchObject({ cases: 4, broken: 1 });
    expect(report.compositions?.all.execution).toBeNull();
  });
});
