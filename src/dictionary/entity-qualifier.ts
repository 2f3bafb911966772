import { isFixed, splitName } from './column-words.js';
import type { Inflector } from './inflection.js';

/** Attributes that any entity has: alone in a table they are the entity's own, so that its noun may come before them. */
const GENERIC_ATTRIBUTES = new Set(
  'id name title type status code number date description details category location address age size price'.split(' '),
);
/** Attributes that say too little without the entity's noun. */
const OPAQUE_ATTRIBUTES = new Set(['id', 'code', 'number']);
/** Last words of table names that name no entity. */
const NO_ENTITY = new Set('data info information list table record detail details index log set'.split(' '));
const MAX_ENTITY_WORDS = 2;

/** The noun that a table is named after, in the singular; null when its name is none, or too long to come before another. */
function entityNoun(tableName: string, inflector: Inflector): readonly string[] | null {
  const words = splitName(tableName);
  if (words.length === 0 || words.length > MAX_ENTITY_WORDS || words.some(isFixed)) return null;
  const base = inflector.nounForm(words.join(' '))?.base.split(' ') ?? null;
  return NO_ENTITY.has(base?.at(-1) ?? '') ? null : base;
}

/**
 * The name with the table's entity put before it, or taken away: "name" of table "museums" and "museum name",
 * "order quantity" of table "orders" and "quantity" (ADVETA §2.2: columns collocate with the primary entity).
 */
export function qualifyByEntity(
  words: readonly string[],
  tableName: string,
  inflector: Inflector,
): readonly (readonly string[])[] {
  const entity = entityNoun(tableName, inflector);
  const last = words.at(-1);
  if (entity === null || last === undefined) return [];
  if (words.length === 1) return GENERIC_ATTRIBUTES.has(last) && !entity.includes(last) ? [[...entity, last]] : [];
  const rest = words.slice(entity.length);
  const isQualified = rest.length === 1 && entity.every((word, i) => words[i] === word);
  return isQualified && !OPAQUE_ATTRIBUTES.has(last) && !isFixed(last) ? [rest] : [];
}
