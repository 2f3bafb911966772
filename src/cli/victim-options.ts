import { z } from 'zod';
import { refuseUseless } from '../options/given-options.js';
import { choice, inGroup, optionsOf } from '../options/option-field.js';
import type { SharedGiven } from '../victims/victim-kind.js';
import { entryOf, type VictimChoice, type VictimKind, VICTIMS } from '../victims/victims.js';

type AllOf<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;
type KindOptions = AllOf<(typeof VICTIMS)[number]['options']>;

/** The options of all kinds; one that several have comes with the last of them. */
function kindOptions(): KindOptions {
  const fields = new Map<string, z.ZodType>();
  for (const [name, field] of VICTIMS.flatMap(({ options }) => Object.entries(options))) {
    fields.delete(name);
    fields.set(name, field);
  }
  return Object.fromEntries(fields) as KindOptions;
}

/** Which model is asked, and how. */
export const VICTIM_OPTIONS = {
  ...inGroup('Model', {
    victim: choice(
      VICTIMS.map(({ kind }) => kind),
      'kind',
      'the model under attack',
    ).default('baseline'),
  }),
  ...kindOptions(),
};

type VictimOptions = z.infer<z.ZodObject<typeof VICTIM_OPTIONS>> & SharedGiven;

/** Refuses flags that are for other victims; those with a default are not asked. */
function requireUse(flags: ReadonlySet<string>, victim: VictimKind): void {
  for (const { name, default: usual } of optionsOf(z.object(kindOptions()))) {
    const kinds = VICTIMS.filter(({ options }) => name in options).map(({ kind }) => kind);
    if (usual !== undefined || kinds.includes(victim)) continue;
    refuseUseless([name], flags, `victim ${victim}`, `--victim ${kinds.join(' or ')}`);
  }
}

/**
 * The victim that the options choose; `flags`: those given on the command line.
 * @throws ConfigError when one is missing, wrong, or for another victim
 */
export function victimOf(options: VictimOptions, flags: ReadonlySet<string>): VictimChoice {
  requireUse(flags, options.victim);
  return entryOf(options.victim).choose(options, flags);
}
