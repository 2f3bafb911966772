import { elementAt, present } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { foldName } from '../../sql/dialect.js';
import type { OutputSchema } from '../output-set.js';

interface Named {
  readonly table: number;
  /** What the column is called now, in the same kind of name: identifier or natural words. */
  readonly now: string;
}

/** The columns that a text in backquotes may stand for, by identifier or, where none has that, by natural name. */
function columnsNamed(text: string, before: Database, { schema, columns }: OutputSchema): readonly Named[] {
  const matching = (kind: 'originalName' | 'name'): Named[] =>
    before.tables.flatMap(({ columns: own }, table) =>
      own.flatMap((column, position) => {
        if (foldName(column[kind]) !== foldName(text)) return [];
        const after = elementAt(elementAt(schema.tables, table).columns, elementAt(columns, table).indexOf(position));
        const isKept = after.originalName === column.originalName;
        return [{ table, now: isKept ? text : after[kind] }];
      }),
    );
  const byIdentifier = matching('originalName');
  return byIdentifier.length > 0 ? byIdentifier : matching('name');
}

function tablesOf(query: string, database: Database): ReadonlySet<number> {
  return new Set(bindQuery(query, database).tables.flatMap(({ table }) => (table === null ? [] : [table])));
}

/** The table named before the dot in front of an offset, if one is. */
function qualifierAt(evidence: string, offset: number, database: Database): number {
  const name = /(?:`([^`]+)`|([\p{L}\p{N}_]+))\.$/u.exec(evidence.slice(0, offset));
  const folded = foldName(name?.[1] ?? name?.[2] ?? '');
  return database.tables.findIndex((table) => foldName(table.originalName) === folded);
}

/**
 * BIRD's evidence for a renamed schema: a name in backquotes that stands for a renamed column becomes the new name, for
 * otherwise the hint would name a column that is not there; all other words stay. Of columns of one name those of the
 * table before the dot count, else those of the query's tables; a name that stays ambiguous stays as it is.
 * @throws SqlRewriteError when the original's query can't be resolved
 */
export function rewriteEvidence(evidence: string, query: string, before: Database, after: OutputSchema): string {
  let used: ReadonlySet<number> | null = null;
  return evidence.replace(/`([^`]+)`/g, (quoted, name: string, offset: number) => {
    const named = columnsNamed(name, before, after);
    if (named.every(({ now }) => now === name)) return quoted;
    const qualifier = qualifierAt(evidence, offset, before);
    used ??= tablesOf(query, before);
    const inQuery = named.filter(({ table }) => present(used, 'used').has(table));
    const meant = qualifier >= 0 ? named.filter(({ table }) => table === qualifier) : inQuery;
    const names = new Set((meant.length > 0 ? meant : named).map(({ now }) => now));
    return names.size === 1 ? `\`${elementAt([...names], 0).replaceAll('`', '``')}\`` : quoted;
  });
}
