import type { AnnotationItem, ItemContext, NameCheck } from '../annotation.js';
import { columnNameKey, spacedName } from '../../schema/name-identity.js';
import type { NameAids, NameQuestion } from './name-aids.js';
import { spellingHint } from './spelling.js';

type Problem = NameCheck['problems'][number];
type NamedColumn = Pick<ItemContext['columns'][number], 'name' | 'originalName'>;

function isNamed({ name, originalName }: NamedColumn, key: string): boolean {
  return columnNameKey(name) === key || columnNameKey(originalName) === key;
}

/** Other columns of the item's table. */
function otherColumns(item: AnnotationItem, context: ItemContext): ItemContext['columns'] {
  return context.columns.filter(({ originalName }) => originalName !== item.columnOriginal);
}

/** Clashes that comparing names finds: names that differ by case, punctuation or number are one. */
function findClash(name: string, item: AnnotationItem, context: ItemContext): Problem | null {
  const key = columnNameKey(name);
  if (key === '') return { kind: 'empty', column: null };
  if (isNamed({ name: item.column, originalName: item.columnOriginal }, key))
    return { kind: 'same-as-target', column: item.column };
  const existing = otherColumns(item, context).find((column) => isNamed(column, key));
  if (existing !== undefined) return { kind: 'existing-column', column: existing.name };
  const isListed = item.candidates.some((candidate) => columnNameKey(candidate.name) === key);
  return isListed ? { kind: 'listed', column: null } : null;
}

function questionOf(name: string, item: AnnotationItem, context: ItemContext): NameQuestion {
  const target = { name: item.column, type: item.type };
  return { name: spacedName(name), target, others: otherColumns(item, context), entity: context.entity ?? '' };
}

/** Looks at a name that an annotator wrote for a column; the judge is only asked about names that don't clash already. */
export async function checkName(
  name: string,
  item: AnnotationItem,
  context: ItemContext,
  aids: NameAids,
): Promise<NameCheck> {
  const clash = findClash(name, item, context);
  const spelling = aids.words === null ? null : spellingHint(name.trim(), aids.words);
  const verdict = clash === null ? await aids.judge(questionOf(name, item, context)) : null;
  const takenFor = verdict === null || verdict === 'later' ? null : verdict.takenFor;
  const problems: readonly (Problem | null)[] = [
    clash,
    takenFor === null ? null : { kind: 'equivalent-to-other', column: takenFor },
    spelling?.hasUnknownWord === true ? { kind: 'spelling', column: null } : null,
  ];
  return {
    name,
    problems: problems.filter((problem) => problem !== null),
    suggestions: spelling?.suggestions ?? [],
    judged: verdict === null ? 'no' : verdict === 'later' ? 'later' : 'yes',
  };
}
