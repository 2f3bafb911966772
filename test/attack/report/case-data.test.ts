import { describe, expect, it } from 'vitest';
import { packCases } from '../../../src/attack/report/case-data.js';
import type { CaseData } from '../../../src/attack/report/packed-cases.js';
import { syntheticDatabases, syntheticReport } from './synthetic-report.js';

const report = syntheticReport({ examples: 40, databases: 5 });
const METRICS = ['exact', 'execution'] as const;

/** The cases as the page's script reads them. */
function unpack({ strings, changes, cases, outcomes, failures }: CaseData): unknown[] {
  const text = (at: number): string => strings[at]!;
  const at = (list: readonly string[], index: number): string | null => list[index] ?? null;
  const answer = ([predicted, failure, exact, execution, ...cleaned]: CaseData['cases'][number][5]): object => ({
    predicted: at(strings, predicted),
    failure: at(failures, failure),
    cleaned: cleaned.map(text),
    exact: at(outcomes, exact),
    execution: at(outcomes, execution),
  });
  return cases.map(([id, db, question, hardness, gold, original, perturbed]) => ({
    id: text(id),
    dbId: text(db),
    question: text(question),
    hardness: text(hardness),
    gold: text(gold),
    original: answer(original),
    perturbed: perturbed.map(([kind, seed, gold, queries, own, variant]) => ({
      ...answer(variant),
      kind: ['RPL', 'ADD'][kind],
      seed,
      changes: own.map((change) => {
        const [table, column, candidate, originalName, newName] = changes[change]!.map(text);
        return { table, column, candidate, originalName, newName };
      }),
      gold: text(gold),
      queries,
    })),
  }));
}

describe('packCases', () => {
  const data = packCases(report, syntheticDatabases(), METRICS);

  it('loses nothing of the cases, and holds each text and change once', () => {
    expect(unpack(data)).toEqual(report.cases);
    expect(new Set(data.strings).size).toBe(data.strings.length);
    expect(new Set(data.changes.map(String)).size).toBe(data.changes.length);
    expect(JSON.stringify(data).length).toBeLessThan(JSON.stringify(report.cases).length / 3);
  });

  it('holds the columns of changed tables where the databases are given', () => {
    const [, , columns] = data.tables[0]!;
    expect(columns.map((column) => data.strings[column])).toContain('home_town');
    expect(packCases(report, [], METRICS).tables).toEqual([]);
  });

  it('keeps whole examples up to a limit, spread over the run and in its order', () => {
    const part = packCases(report, [], METRICS, 20_000);
    const ids = unpack(part).map((one) => (one as { id: string }).id);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids.length).toBeLessThan(40);
    const all = report.cases.map(({ id }) => id);
    expect(ids).toEqual(all.filter((id) => ids.includes(id)));
    expect(ids).not.toEqual(all.slice(0, ids.length));
    expect(part.examples).toBe(40);
    expect(packCases(report, [], METRICS, 20_000)).toEqual(part);
  });
});
