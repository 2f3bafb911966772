import type { ColumnChange } from '../../perturb/draw-perturbation.js';
import { columnAt, type Database } from '../../schema/schema.js';
import type { AttackCase, PerturbedCase, ReportedChange } from '../attack-report.js';
import { outcomeOf, type ScoredAnswer, type ScoredExample, type ScoredVariant } from './scored-example.js';

function reportChange(database: Database, { ref, decision, originalName }: ColumnChange): ReportedChange {
  const column = columnAt(database, ref);
  return {
    table: database.tables[ref.table]!.name,
    column: column.name,
    candidate: decision.candidate,
    originalName: column.originalName,
    newName: originalName,
  };
}

function reportAnswer(scored: ScoredAnswer): AttackCase['original'] {
  const { sql, failure, cleaned } = scored.answer;
  return {
    predicted: sql,
    failure: failure?.kind ?? null,
    cleaned: [...cleaned],
    exact: outcomeOf(scored, 'exact'),
    execution: outcomeOf(scored, 'execution'),
  };
}

function reportVariant(variant: ScoredVariant, { group, turn }: ScoredExample): PerturbedCase {
  const { kind, seed, tables, queries } = variant;
  return {
    ...reportAnswer(variant),
    kind,
    seed,
    changes: tables.changes.map((change) => reportChange(group.database, change)),
    gold: tables.queries[turn]!.sql,
    queries,
  };
}

/** An example as the report shows it. */
export function reportCase(scored: ScoredExample): AttackCase {
  const { example, original, variants } = scored;
  return {
    id: example.id,
    dbId: example.dbId,
    question: example.question,
    hardness: original.judgement.exact.hardness,
    gold: example.query,
    original: reportAnswer(original),
    perturbed: variants.map((variant) => reportVariant(variant, scored)),
  };
}
