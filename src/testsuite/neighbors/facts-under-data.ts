import type { RowConstraint } from '../../rows/constraints/row-constraint.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { refNamed } from '../../sql/schema-names.js';
import type { ColumnFacts } from './column-facts.js';

function refsOf(database: Database, table: string, columns: readonly string[]): readonly ColumnRef[] | null {
  const refs = columns.flatMap((name) => refNamed(database, table, name) ?? []);
  return refs.length < columns.length ? null : refs;
}

/** Facts together with what the constraints of a suite add: proofs by them hold on databases that keep these. */
export function factsUnderData(
  facts: ColumnFacts,
  constraints: readonly RowConstraint[],
  database: Database,
): ColumnFacts {
  const [integer, notNull] = [new Set(facts.integer), new Set(facts.notNull)];
  const [keys, references] = [[...facts.keys], [...facts.references]];
  for (const constraint of constraints) {
    const { kind, table, columns } = constraint;
    const refs = refsOf(database, table, columns);
    if (refs === null) continue;
    if (kind === 'not-null') for (const ref of refs) notNull.add(columnKey(ref));
    else if (kind === 'values' && constraint.storage === 'integer') for (const ref of refs) integer.add(columnKey(ref));
    else if (kind === 'unique') keys.push(refs);
    else if (kind === 'reference' && constraint.exceptions === 0) {
      const to = refsOf(database, constraint.parent, constraint.parentColumns);
      if (to !== null) references.push({ from: refs, to });
    }
  }
  return { ...facts, integer, notNull, keys, references };
}
