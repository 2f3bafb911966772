import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import type { AttackReport } from '../../../src/measure/attack/attack-report.js';
import { attackDocument } from '../../../src/measure/attack/report/attack-document.js';
import { compareDocument } from '../../../src/measure/compare/compare-document.js';
import { compareRuns } from '../../../src/measure/compare/compare-runs.js';
import { inputOf, ScriptedVictim, temporaryFolder } from './attack-fixture.js';

const GOLD = [
  'SELECT full_name FROM gardener WHERE home_country IS NULL',
  "SELECT full_name FROM gardener WHERE home_country = 'Portugal'",
];

async function reportOf(): Promise<AttackReport> {
  const examples = join(temporaryFolder(), 'dev.json');
  const records = GOLD.map((query) => ({ db_id: 'community_garden', question: query, query }));
  writeFileSync(examples, JSON.stringify(records));
  const victim = new ScriptedVictim(({ question }) => question);
  const { report } = await attack(inputOf(victim, { examples, seeds: [0] }));
  return report;
}

describe('gold that Spider’s evaluator can’t read', () => {
  it('has a row by hardness, so that rows add up, and the page says why', async () => {
    const report = await reportOf();
    const rows = report.byHardness.filter(({ metric }) => metric === 'exact');
    expect(rows.map(({ key, examples }) => [key, examples])).toEqual([
      ['easy', 1],
      ['unknown', 1],
    ]);
    const chapter = attackDocument(report).chapters.find(({ id }) => id === 'hardness')!;
    expect(chapter.note).toContain('Unknown: gold queries that Spider’s published evaluator can’t read');
  });

  it('has rows of a comparison, too', async () => {
    const report = await reportOf();
    const runs = ['A', 'B'].map((name) => ({ name, report }));
    const comparison = compareRuns(runs);
    const originals = comparison.byHardness.filter(({ condition }) => condition === 'original');
    expect(originals.map(({ hardness, examples }) => [hardness, examples])).toEqual([
      ['easy', 1],
      ['unknown', 1],
    ]);
    const chapter = compareDocument(comparison, runs, '1').chapters.find(({ id }) => id === 'hardness')!;
    expect(chapter.note).toContain('Unknown: ');
  });
});
