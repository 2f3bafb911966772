import type { Clause, ClauseCondition, ClauseValue } from './clause.js';

type Change = (value: ClauseValue) => ClauseValue;

function mapValue(value: ClauseValue, change: Change): ClauseValue {
  const inner = (child: ClauseValue): ClauseValue => mapValue(child, change);
  switch (value.kind) {
    case 'call':
      return change({ ...value, args: value.args.map(inner) });
    case 'arithmetic':
      return change({ ...value, left: inner(value.left), right: inner(value.right) });
    case 'cast':
      return change({ ...value, operand: inner(value.operand) });
    case 'case':
      return change({
        ...value,
        branches: value.branches.map(({ when, then }) => ({
          when: when.map((condition) => mapCondition(condition, change)),
          then: inner(then),
        })),
        otherwise: value.otherwise === null ? null : inner(value.otherwise),
      });
    default:
      return change(value);
  }
}

function mapCondition(condition: ClauseCondition, change: Change): ClauseCondition {
  const { test } = condition;
  if (test.kind === 'any') {
    return { ...condition, test: { ...test, conditions: test.conditions.map((part) => mapCondition(part, change)) } };
  }
  const left = test.left === null ? null : mapValue(test.left, change);
  return { ...condition, test: { ...test, left, right: test.right.map((value) => mapValue(value, change)) } };
}

/** A clause with its values changed, inner ones first; nested queries are left as they are. */
export function mapValues(clause: Clause, change: Change): Clause {
  switch (clause.kind) {
    case 'select':
    case 'group':
    case 'order':
      return { ...clause, value: mapValue(clause.value, change) };
    case 'condition':
      return mapCondition(clause, change);
    default:
      return clause;
  }
}
