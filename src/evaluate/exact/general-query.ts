import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { SQLITE, type SqlDialect } from '../../sql/dialect.js';
import { nodesOf, type TreeNode } from '../../sql/visit-nodes.js';
import type { ValueRule } from './form-comparison.js';
import { generalFormOf } from './general-form.js';
import type { QueryForm } from './query-form.js';
import { repairQuery } from './query-structure.js';

/** A query of any shape in its normal form, with the words that count as its keywords. */
export interface GeneralQuery {
  readonly form: QueryForm;
  readonly keywords: readonly string[];
}

/** The replacement for a query that can't be read. */
export const NO_GENERAL_QUERY: GeneralQuery = {
  form: {
    tables: [],
    select: [],
    selectUnits: [],
    where: [],
    whereUnits: [],
    groupBy: [],
    whole: '',
    joins: '',
    distinct: '',
    whereGroups: '',
    having: '',
    order: '',
    halves: '',
  },
  keywords: [],
};

interface AnyNode extends TreeNode {
  readonly operator?: unknown;
  readonly negated?: unknown;
  readonly direction?: unknown;
  readonly where?: unknown;
  readonly groupBy?: readonly unknown[];
  readonly having?: unknown;
}

/** The keywords that a node stands for by itself. */
function wordsOf(node: AnyNode): readonly string[] {
  const { kind, operator, negated, direction, where, groupBy = [], having } = node;
  const not = negated === true || operator === 'NOT' ? ['not'] : [];
  switch (kind) {
    case 'core':
      return [where == null ? '' : 'where', groupBy.length === 0 ? '' : 'group', having == null ? '' : 'having'];
    case 'ordering':
      return ['order', direction === 'DESC' ? 'desc' : 'asc'];
    case 'term':
      return typeof operator === 'string' ? [operator.toLowerCase().replace(' all', '')] : [];
    case 'binary':
      return operator === 'OR' ? ['or'] : [];
    case 'in':
    case 'like':
      return [kind, ...not];
    case 'limit':
      return [kind];
    default:
      return not;
  }
}

function readOnce(sql: string, database: Database, values: ValueRule, dialect: SqlDialect): GeneralQuery | null {
  try {
    const query = bindQuery(sql, database, dialect);
    const words = new Set(nodesOf(query.select).flatMap(wordsOf).filter(Boolean));
    return { form: generalFormOf(query, database, values), keywords: [...words].sort() };
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return null; // the latter: no stack left
    throw error;
  }
}

/** The query in its general form, repaired as `readStructure` repairs it; null where it can't be parsed or bound. */
export function readGeneralQuery(
  sql: string,
  database: Database,
  values: ValueRule,
  dialect: SqlDialect = SQLITE,
): GeneralQuery | null {
  const read = readOnce(sql, database, values, dialect);
  const repaired = read === null ? repairQuery(sql) : sql;
  return repaired === sql ? read : readOnce(repaired, database, values, dialect);
}
