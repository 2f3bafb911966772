import type { SketchCore, SketchPart } from './sketch.js';

const CLAUSE_WORDS = new Set(['SELECT', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT']);
const SET_WORDS = new Set(['UNION', 'INTERSECT', 'EXCEPT']);
/** Said by others of their kind. */
const SILENT = new Set(['(', ')', 'BY', 'ASC', ',', '=', 'AND']);
const MAX_COUNT = 4;

function countTrait(name: string, count: number): string {
  return `${name}=${Math.min(count, MAX_COUNT)}`;
}

/** The trait of a query whose largest FROM has so many tables. */
export function tablesTrait(count: number): string {
  return countTrait('tables', count);
}

/** Returns a trait's topic: a clause of the outermost SELECT, what is nested in it or next to it, or the tables. */
export function traitTopic(trait: string): 'select' | 'where' | 'group' | 'order' | 'nested' | 'tables' {
  if (trait.startsWith('tables=')) return 'tables';
  const topic = /^0:(select|where|group|having|order|limit)/.exec(trait)?.[1];
  if (topic === 'having') return 'group';
  if (topic === 'limit') return 'order';
  return topic === 'select' || topic === 'where' || topic === 'group' || topic === 'order' ? topic : 'nested';
}

/** Returns the traits of a structure: words by SELECT and clause, numbers of columns, conditions and tables. */
export function sketchTraits(parts: readonly SketchPart[], cores: readonly SketchCore[]): readonly string[] {
  const traits = new Set<string>();
  const counts = new Map<string, number>();
  const add = (name: string): Map<string, number> => counts.set(name, (counts.get(name) ?? 0) + 1);
  let [clause, level] = ['select', -1];
  for (const part of parts) {
    if (part.kind === 'column' || part.kind === 'value') add(`${Math.min(level, 1)}:${clause}:${part.kind}`);
    if (part.kind !== 'text') continue;
    if (part.text === 'SELECT') level += 1;
    if (SET_WORDS.has(part.text)) traits.add(part.text);
    else if (CLAUSE_WORDS.has(part.text)) traits.add(`${Math.min(level, 1)}:${(clause = part.text.toLowerCase())}`);
    else if (!SILENT.has(part.text)) traits.add(`${Math.min(level, 1)}:${clause}:${part.text}`);
  }
  for (const [name, count] of counts) traits.add(countTrait(name, count));
  traits.add(tablesTrait(Math.max(...cores.map(({ tables }) => tables.length))));
  return [...traits];
}
