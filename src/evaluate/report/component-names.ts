import type { ExactComponent } from '../exact/components.js';

/** The meanings of component names in Spider's script. */
export const COMPONENT_NAMES: Readonly<Record<ExactComponent, string>> = {
  select: 'SELECT',
  'select(no AGG)': 'SELECT, without aggregates',
  where: 'WHERE',
  'where(no OP)': 'WHERE, without operators',
  'group(no Having)': 'GROUP BY, without HAVING',
  group: 'GROUP BY and HAVING',
  order: 'ORDER BY and LIMIT',
  'and/or': 'AND, OR',
  IUEN: 'INTERSECT, UNION, EXCEPT',
  keywords: 'Keywords',
};
