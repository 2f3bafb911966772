import type { Expression, FunctionCall, Select } from '../../../sql/ast.js';
import type { BoundQuery } from '../../../sql/bound-query.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { Span } from '../../../sql/tokenizer.js';
import { type TreeNode, visitNodes } from '../../../sql/visit-nodes.js';
import type { MutationCase, NotApplicable, Relation } from '../relation.js';
import { goldUse, type GoldUse } from '../schema/gold-use.js';
import { type Rewording, utteranceRelation } from '../utterance/utterance-relation.js';

/** The input of a relation that changes the query. */
export interface QueryCase extends Pick<MutationCase, 'database' | 'mutated'> {
  readonly question: string;
  readonly gold: GoldUse;
}

/** The parts of a relation that changes gold query and question together. */
interface QueryRelationSpec {
  readonly id: string;
  /** Raised when others come out. */
  readonly version: number;
  readonly dialect: SqlDialect;
  readonly readsGoldFor: string;
  /** Every change of a case, with its query, in a fixed order, or why there is none. */
  readonly change: (one: QueryCase) => readonly Rewording[] | NotApplicable;
}

/** A relation that changes the gold in one place, and the words of the question for it; the schema stays. */
export function queryRelation({ id, version, dialect, readsGoldFor, change }: QueryRelationSpec): Relation {
  return utteranceRelation({
    id,
    version,
    readsGoldFor,
    reword: ({ example: { question, query }, database, mutated }) => {
      const gold = query === null ? null : goldUse(query, database, dialect);
      return gold === null ? { reason: 'gold-unreadable' } : change({ question, gold, database, mutated });
    },
  });
}

/** Checks whether a minimum or maximum is called anywhere in a tree. */
export function callsExtreme(tree: Select | Expression): boolean {
  return nodesOf(tree).some((node) => {
    if (node.kind !== 'function') return false;
    return /^(?:min|max)$/i.test((node as unknown as FunctionCall).name.name);
  });
}

/** All nodes of a query's tree, or of a part of it. */
export function nodesOf(select: Select | Expression): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  visitNodes(select, [], (node) => nodes.push(node));
  return nodes;
}

/** Checks whether an expression is a number of rows. */
export function countsRows(expression: Expression): boolean {
  return expression.kind === 'function' && expression.name.name.toLowerCase() === 'count';
}

/**
 * Checks whether the SELECT that an expression is in reads several tables: what has no row in one of them is not in its
 * groups.
 */
export function readsSeveralTables({ cores }: BoundQuery, { span }: { readonly span: Span }): boolean {
  const around = cores.filter(({ node }) => node.span.start <= span.start && node.span.end >= span.end);
  return around.some(({ sources }) => sources.length > 1);
}
