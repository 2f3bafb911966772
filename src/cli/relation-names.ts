import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { MUTATING_IDS, type MutatingId, RELATION_GROUPS } from '../variants/relations/relations.js';
import { described } from '../options/option-field.js';

const GROUPS = Object.keys(RELATION_GROUPS);

/** A list of relations; `lead` and `tail` say what it is for. */
export const relationsField = (lead: string, note: string, tail: string) =>
  described(z.array(z.string()), {
    value: 'ids',
    description: `${lead}, separated by commas: ${MUTATING_IDS.join(', ')} ${note}, ${GROUPS.join(', ')} for those of the papers${tail}`,
    separator: ',',
  }).exactOptional();

/** "PI,CRm" in any letter case, in the registry's order, "mt-teql" and "dr-spider" for those of a paper; "none" where only the user's own are wanted. @throws ConfigError where there is none of a name */
export function relationsOf(given: readonly string[]): readonly MutatingId[] {
  const isNone = given.join() === 'none';
  const names = isNone ? [] : given.flatMap((name): readonly string[] => RELATION_GROUPS[name.toLowerCase()] ?? [name]);
  const known = new Map(MUTATING_IDS.map((id) => [id.toLowerCase(), id]));
  const unknown = names.find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) {
    throw new ConfigError(`there is no relation "${unknown}"`, {
      fix: `Known: ${MUTATING_IDS.join(', ')}, ${GROUPS.join(', ')}, or none.`,
    });
  }
  const wanted = new Set(names.map((name) => known.get(name.toLowerCase())));
  return MUTATING_IDS.filter((id) => wanted.has(id));
}
