import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import { writeMutants } from '../consistency/mutants-fixture.js';
import {
  candidatesFor,
  DATA,
  goldOn,
  inputOf,
  ScriptedVictim,
  temporaryFolder,
  writeCandidates,
} from './attack-fixture.js';

const FIRST = { utterance: 'Which gardeners are there?', query: 'SELECT gardener_id FROM gardener' };
const SECOND = {
  utterance: 'Only those from Portugal.',
  query: "SELECT gardener_id FROM gardener WHERE home_country = 'Portugal'",
};
const SILENT = { utterance: 'Thanks!', query: '' };

function writeInteractions(): string {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'dev.json');
  writeFileSync(file, JSON.stringify([{ database_id: 'community_garden', interaction: [FIRST, SILENT, SECOND] }]));
  return file;
}

/** Answers turns by what their own words ask. */
function turnVictim(): ScriptedVictim {
  return new ScriptedVictim(({ question, schema }) => {
    const names = schema.tables.flatMap(({ columns }) => columns.map(({ originalName }) => originalName));
    const id = names.find((name) => /^gardener_id/.test(name))!;
    const country = names.find((name) => /^home_country/.test(name))!;
    const base = `SELECT ${id} FROM gardener`;
    return question.includes('Portugal') ? `${base} WHERE ${country} = 'Portugal'` : base;
  });
}

function interactionInput(victim: ScriptedVictim, more: Partial<AttackInput> = {}): AttackInput {
  const candidates = writeCandidates(temporaryFolder(), candidatesFor(3));
  return inputOf(victim, { dataset: 'sparc', examples: writeInteractions(), candidates, seeds: [0, 1, 2], ...more });
}

describe('the turns of an interaction', () => {
  it('share their perturbed tables, and come with the turns before them', async () => {
    const victim = turnVictim();
    const { report } = await attack(interactionInput(victim));
    expect(report.dataset).toMatchObject({ format: 'sparc', examples: 2 });
    const [first, second] = report.cases;
    expect([first!.id, second!.id]).toEqual(['dev:0.0', 'dev:0.2']);
    expect(first!.perturbed.map(({ changes }) => changes)).toEqual(second!.perturbed.map(({ changes }) => changes));
    expect(first!.perturbed[0]!.changes.map(({ column }) => column)).toContain('home country');
    expect(victim.questions.get('dev:0.0~original')!.question).toBe(FIRST.utterance);
    expect(victim.questions.get('dev:0.2~original')!.question).toBe(
      [FIRST, SILENT, SECOND].map(({ utterance }) => utterance).join('\n'),
    );
    expect(new Set(report.scores.map(({ accuracy }) => accuracy))).toEqual(new Set([1]));
  });

  it('are counted where their own gold query names no renamed column', async () => {
    const decisions = candidatesFor(3, (_, table, column) => table === 'gardener' && column === 'home country');
    const candidates = writeCandidates(temporaryFolder(), decisions);
    const { report } = await attack(interactionInput(turnVictim(), { candidates, seeds: [0] }));
    expect(report.warnings.join()).toContain('1 of 2 examples keep their gold query under RPL');
  });

  it('come with the turns before them where a mutant rewords one', async () => {
    const victim = turnVictim();
    const mutants = writeMutants(temporaryFolder(), {
      databases: false,
      mutants: [
        {
          id: 'dev:0.2~PI.0',
          seed: 'dev:0.2',
          relations: ['PI'],
          expectation: 'same-query',
          fluency: null,
          db_id: 'community_garden',
          origin: 'community_garden',
          query: SECOND.query,
          details: [],
          question: 'Tell me only those from Portugal.',
        },
      ],
    });
    const { report } = await attack(interactionInput(victim, { mutants }));
    expect(report.mutants?.scores[0]).toMatchObject({ relation: 'all', original: 1, accuracy: 1 });
    expect(victim.questions.get('dev:0.2~PI.0')!.question).toBe(
      [FIRST.utterance, SILENT.utterance, 'Tell me only those from Portugal.'].join('\n'),
    );
  });

  it('are searched together: the tables that break most of them', async () => {
    const victim = new ScriptedVictim(({ question, schema }) => {
      const names = schema.tables.flatMap(({ columns }) => columns.map(({ name }) => name));
      if (names.includes('home country figure')) return 'SELECT 1';
      const { query } = question.includes('Portugal') ? SECOND : FIRST;
      return query === ''
        ? null
        : renamedGold(
            query,
            schema.tables.flatMap(({ columns }) => columns),
          );
    });
    const { report } = await attack(interactionInput(victim, { strategy: 'greedy', budget: 20, seeds: [0] }));
    for (const { perturbed } of report.cases) {
      const rpl = perturbed.find(({ kind }) => kind === 'RPL')!;
      expect(rpl.exact).not.toBe('correct');
      expect(rpl.changes.map(({ candidate }) => candidate)).toContain('home country figure');
    }
  });
});

function renamedGold(query: string, columns: readonly { readonly originalName: string }[]): string {
  const nameOf = (stem: string): string =>
    columns.find(({ originalName }) => originalName.startsWith(stem))?.originalName ?? stem;
  return query.replaceAll('gardener_id', nameOf('gardener_id')).replaceAll('home_country', nameOf('home_country'));
}

describe('questions that stand alone', () => {
  it('are asked as they are', async () => {
    const victim = new ScriptedVictim(({ schema }, exampleId) => goldOn(exampleId, schema));
    await attack(inputOf(victim, { seeds: [0] }));
    const { question } = victim.questions.get('dev:0~original')!;
    expect(question).toBe('How many gardeners come from Portugal?');
    expect(DATA.examples).toContain('dev.json');
  });
});
