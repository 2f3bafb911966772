import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import { type AttackLinking, attackReport, type AttackReport } from '../../../src/measure/attack/attack-report.js';
import { attackLines } from '../../../src/measure/attack/report/attack-document.js';
import { consistency } from '../../../src/measure/consistency/consistency.js';
import { ConfigError } from '../../../src/errors.js';
import { askedColumns } from '../../../src/sql/resolver.js';
import { columnKey } from '../../../src/schema/schema.js';
import { rejectionOf } from '../../error-of.js';
import { writeTinyLinker } from '../../victims/linker/tiny-linker.js';
import {
  DATA,
  DATABASES,
  EXAMPLES,
  inputOf,
  perfectVictim,
  ScriptedVictim,
  temporaryFolder,
} from './attack-fixture.js';

const linker = (): { kind: 'linker'; model: string } => ({
  kind: 'linker',
  model: writeTinyLinker(temporaryFolder(), { threshold: 0.9 }),
});

function linkingOf({ linking = [] }: AttackReport, condition: string): AttackLinking | undefined {
  return linking.find((one) => one.condition === condition);
}

describe('an attack on a schema linker', () => {
  it('is scored by columns alone, and falls where columns are renamed', async () => {
    const input = { ...inputOf(perfectVictim(1), { databases: DATA.databases }), victim: linker() };
    const { report } = await attack(input);
    expect(report.settings.metrics).toEqual({ columns: 'asked-columns@2' });
    expect(new Set(report.scores.map(({ metric }) => metric))).toEqual(new Set(['columns']));
    const [original, renamed] = ['original', 'RPL'].map((condition) => linkingOf(report, condition));
    expect(original?.f1).toBeGreaterThan(renamed?.f1 ?? 1);
    expect(renamed?.drop?.absolute).toBeCloseTo((original?.f1 ?? 0) - (renamed?.f1 ?? 0), 10);
    expect(original?.interval?.low).toBeLessThanOrEqual(original?.f1 ?? 0);
    expect(report.warnings).toContain('the victim answers with columns: exact match and execution do not apply');
    expect(report.byHardness.length).toBeGreaterThan(0);
    expect(attackReport.parse(JSON.parse(readFileSync(join(input.out, 'report.json'), 'utf8')))).toEqual(report);
    const table = attackLines(report);
    expect(table[4]).toMatch(/^column F1 +\d/);
    const page = readFileSync(join(input.out, 'report.html'), 'utf8');
    expect(page).toContain('column F1');
    expect(page).not.toContain('Exact match');
  });

  it('counts what the answers name against the columns of the golds outside of joins', async () => {
    const input = { ...inputOf(perfectVictim(1)), victim: linker(), seeds: [0] };
    const { report } = await attack(input);
    const answers = new Map(
      readFileSync(join(input.out, 'answers.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; columns: { table: number; column: number }[] })
        .map(({ id, columns }) => [id, columns.map(columnKey)]),
    );
    let [matched, total] = [0, 0];
    for (const { id, dbId, query } of EXAMPLES) {
      const gold = askedColumns(query, DATABASES.get(dbId)!).map(columnKey);
      const named = answers.get(`${id}~original`)!;
      matched += named.filter((key) => gold.includes(key)).length;
      total += named.length + gold.length;
    }
    expect(matched).toBeGreaterThan(0);
    expect(linkingOf(report, 'original')?.f1).toBeCloseTo((2 * matched) / total, 12);
  });

  it('stands in one table with victims that answer with SQL, whose columns are counted, too', async () => {
    const { report } = await attack(inputOf(perfectVictim(1), { databases: DATA.databases }));
    expect(linkingOf(report, 'original')).toMatchObject({ precision: 1, recall: 1, f1: 1 });
    const table = attackLines(report).map((line) => line.split(/ {2,}/)[0]);
    expect(table).toEqual(expect.arrayContaining(['column F1', 'precision', 'recall']));
    expect(table.indexOf('column F1')).toBeGreaterThan(table.findIndex((head) => head?.startsWith('exact')));
    expect(report.settings.metrics).not.toHaveProperty('columns');
  });

  it('counts no column of SQL that names what its tables lack', async () => {
    const lost = new ScriptedVictim(() => 'SELECT nothing FROM nowhere', 1);
    const { report } = await attack(inputOf(lost));
    expect(linkingOf(report, 'original')).toMatchObject({ precision: null, recall: 0, f1: 0 });
  });

  it('can be searched for the worst candidates', async () => {
    const input = { ...inputOf(perfectVictim(1)), victim: linker(), seeds: [0] };
    const [{ report: random }, { report: worst }] = [
      await attack(input),
      await attack({ ...input, strategy: 'worst-of-k', budget: 4, out: join(temporaryFolder(), 'worst') }),
    ];
    const accuracy = ({ scores }: AttackReport): number =>
      scores.find(({ condition }) => condition === 'RPL')?.accuracy ?? NaN;
    expect(accuracy(worst)).toBeLessThanOrEqual(accuracy(random));
  });

  it('is refused where queries are needed', async () => {
    const error = await rejectionOf(ConfigError, () =>
      attack({ ...inputOf(perfectVictim(1)), victim: linker(), mutants: '/nowhere' }),
    );
    expect(error.message).toBe('a victim that answers with columns is asked about candidates alone');
    const other = await rejectionOf(ConfigError, () =>
      consistency({ mutants: '/nowhere', victim: linker(), out: '/nowhere' }),
    );
    expect(other.message).toContain('compares queries');
  });
});
