import { chainOf, joinConditions } from '../../../src/variants/relations/schema/join-chain.js';
import { itemAt } from '../../../src/present.js';
import { columnKey, type ColumnRef, type ForeignKey } from '../../../src/schema/schema.js';
import type { Expression } from '../../../src/sql/ast.js';
import { conjunctsOf, unparenthesized } from '../../../src/sql/ast-walk.js';
import { foldName } from '../../../src/sql/dialect.js';
import { baseOf } from '../../../src/sql/scope.js';
import { type GoldStage, useOn } from './underivable.js';

/** Pairs of columns that the gold compares where it joins. */
function joinedBy(stage: GoldStage): readonly (readonly [ColumnRef, ColumnRef])[] {
  const { bound } = useOn(stage);
  const refs = new Map(
    bound.names.flatMap(({ token, found }) => {
      const ref = found?.target.kind === 'column' ? baseOf(found.target.column) : null;
      return ref === null ? [] : [[token.span.start, ref] as const];
    }),
  );
  const refOf = (expression: Expression): ColumnRef | undefined => {
    const bare = unparenthesized(expression);
    return bare.kind === 'column' ? refs.get(bare.column.span.start) : undefined;
  };
  return bound.cores.flatMap(({ node }) => {
    const conditions = [...joinsOf(node.from), ...conjunctsOf(node.where)];
    return conditions.flatMap((condition) => {
      const bare = unparenthesized(condition);
      if (bare.kind !== 'binary' || !['=', '=='].includes(bare.operator)) return [];
      const [left, right] = [refOf(bare.left), refOf(bare.right)];
      return left === undefined || right === undefined ? [] : [[left, right] as const];
    });
  });
}

function joinsOf(from: Parameters<typeof chainOf>[0] | null): readonly Expression[] {
  try {
    return from === null ? [] : chainOf(from).flatMap(joinConditions);
  } catch (error) {
    if (error instanceof RangeError) return []; // a nested join
    throw error;
  }
}

/**
 * Columns along which two tables become one: foreign keys between them, else two keys to the same column, what the gold
 * joins them by, a key that the other has a column of its name for. The first of a pair refers to the second.
 */
export function linksBetween(stage: GoldStage, a: number, b: number): readonly ForeignKey[] {
  const { foreignKeys, tables, primaryKeys } = stage.database;
  const direct = foreignKeys.filter(({ from, to }) => from.table === a && to.table === b);
  const back = foreignKeys.filter(({ from, to }) => from.table === b && to.table === a);
  if (direct.length + back.length > 0) return [...direct, ...back];
  const isKey = (ref: ColumnRef): boolean => primaryKeys.some((key) => columnKey(key) === columnKey(ref));
  const joined = joinedBy(stage).flatMap(([left, right]): ForeignKey[] => {
    const isPair = left.table !== right.table && [a, b].includes(left.table) && [a, b].includes(right.table);
    return !isPair ? [] : isKey(right) ? [{ from: left, to: right }] : [{ from: right, to: left }];
  });
  const shared = foreignKeys.flatMap((own) =>
    foreignKeys.flatMap((other) => {
      const isShared = columnKey(own.to) === columnKey(other.to);
      return isShared && own.from.table === a && other.from.table === b ? [{ from: own.from, to: other.from }] : [];
    }),
  );
  if (joined.length + shared.length > 0) return [...joined, ...shared];
  return itemAt(tables, a).columns.flatMap((column, c) => {
    const to = itemAt(tables, b).columns.findIndex(
      ({ originalName }) => foldName(originalName) === foldName(column.originalName),
    );
    const ref = { table: b, column: to };
    return to >= 0 && isKey(ref) ? [{ from: { table: a, column: c }, to: ref }] : [];
  });
}
