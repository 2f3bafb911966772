import type { ColumnChange } from '../../perturb/draw-perturbation.js';
import { columnAt, type Database } from '../../schema/schema.js';
import type { AttackCase, PerturbedCase, ReportedChange } from '../attack-report.js';
import { hardnessOf, outcomeOf, type ScoredAnswer, type ScoredExample, type ScoredVariant } from './scored-example.js';

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
  const { sql, failure, cleaned, columns, raw } = scored.answer;
  return {
    predicted: columns === undefined ? sql : raw,
    failure: failure?.kind ?? null,
    cleaned: [...cleaned],
    exact: outcomeOf(scored, 'exact'),
    execution: outcomeOf(scored, 'execution'),
    ...(scored.judgement.columns == null ? {} : { columns: outcomeOf(scored, 'columns') }),
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
  const { example, group, original, variants } = scored;
  return {
    id: example.id,
    ...(group.id === example.id ? {} : { interaction: group.id }),
    dbId: example.dbId,
    question: example.question,
    hardness: hardnessOf(scored),
    gold: example.query,
    original: reportAnswer(original),
    perturbed: variants.map((variant) => reportVariant(variant, scored)),
  };
}
