import type { TableResult, TableTask } from '../pipeline.js';
import { countNoun } from '../report/figures.js';
import { namesAnEntity, singularTableName } from '../tpe/table-name-tpe.js';

/** Tables named in the warning. */
const MOST_NAMED = 5;

/** A warning about the tables whose names, which say nothing, had to stand for the primary entity; none where all have one. */
export function describeNameless(
  tasks: readonly TableTask[],
  results: readonly Pick<TableResult, 'id' | 'primaryEntity'>[],
): readonly string[] {
  const entities = new Map(results.map(({ id, primaryEntity }) => [id, primaryEntity]));
  const ids = tasks
    .filter(({ id, target: { table } }) => {
      return entities.get(id) === singularTableName(table.name) && !namesAnEntity(table.name);
    })
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const named = [...ids.slice(0, MOST_NAMED), ...(ids.length > MOST_NAMED ? ['…'] : [])].join(', ');
  const who = `the primary entity of ${countNoun(ids.length, 'table')} is not known (${named})`;
  return [`${who}: the table’s name stands for it; name it in the file of tpe.annotations`];
}
