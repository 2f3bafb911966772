import type { Database } from '../../schema/schema.js';
import type { CaseColumn, CaseTable } from './case.js';

type Tables = ReadonlyMap<string, readonly string[]>;

/** The columns of each table, then each foreign key as a table without columns. */
function tablesOf({ tables, foreignKeys }: Database): Tables {
  const nameAt = ({ table, column }: (typeof foreignKeys)[number]['from']): string =>
    `${tables[table]?.originalName ?? ''}.${tables[table]?.columns[column]?.originalName ?? ''}`;
  return new Map<string, readonly string[]>([
    ...tables.map((one) => [one.originalName, one.columns.map((column) => column.originalName)] as const),
    ...foreignKeys.map(({ from, to }) => [`foreign key ${nameAt(from)} → ${nameAt(to)}`, []] as const),
  ]);
}

const key = (columns: readonly string[] | undefined): string => JSON.stringify(columns ?? null);

/** The tables of one schema that the other has not just so; the columns of a table that it has at all are compared. */
function changedOf(own: Tables, other: Tables, change: 'added' | 'removed'): readonly CaseTable[] {
  return [...own].flatMap(([name, columns]) => {
    const twin = other.get(name);
    if (key(twin) === key(columns)) return [];
    const marked = (column: string): CaseColumn => ({ name: column, change: twin?.includes(column) ? null : change });
    return [{ name, columns: columns.map(marked) }];
  });
}

/** Returns the differences between two schemas, as tables of each; all names if only the order of tables differs. */
export function schemaChanges(
  before: Database,
  after: Database,
): readonly [before: readonly CaseTable[], after: readonly CaseTable[]] {
  const [first, second] = [tablesOf(before), tablesOf(after)];
  const changed = [changedOf(first, second, 'removed'), changedOf(second, first, 'added')] as const;
  const isSame = changed[0].length + changed[1].length === 0;
  if (!isSame || key([...first.keys()]) === key([...second.keys()])) return changed;
  const names = (tables: Tables): CaseTable[] => [...tables.keys()].map((name) => ({ name, columns: [] }));
  return [names(first), names(second)];
}
