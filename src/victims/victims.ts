import { mustGet } from '../present.js';
import { BASELINE } from './kinds/baseline-kind.js';
import { COMMAND } from './kinds/command-kind.js';
import { ENDPOINT } from './kinds/endpoint-kind.js';
import { FILE } from './kinds/file-kind.js';
import { LINKER } from './kinds/linker-kind.js';
import type { Victim } from './victim.js';
import type { VictimKindEntry, VictimTraits } from './victim-kind.js';

/**
 * The kinds of victims that the command line can make, in the order of its help. A new one is its file and a line here.
 */
export const VICTIMS = [BASELINE, COMMAND, ENDPOINT, FILE, LINKER] as const satisfies readonly VictimKindEntry[];

type Entry = (typeof VICTIMS)[number];
export type VictimKind = Entry['kind'];

/** The model that is asked; `own`: a victim of the caller's own, who disposes of it. */
export type VictimChoice = ReturnType<Entry['choose']> | { readonly kind: 'own'; readonly victim: Victim };

/** The assumed traits of a victim of the caller's own. */
const OWN_TRAITS: VictimTraits = { answers: 'sql', withContext: true, isAskedOn: true, perSecond: null };

/** The entry of a kind. */
export function entryOf<K extends VictimKind>(kind: K): Extract<Entry, { readonly kind: K }> {
  return mustGet(
    VICTIMS.find((entry): entry is Extract<Entry, { readonly kind: K }> => entry.kind === kind),
    `the kind ${kind} in VICTIMS`,
  );
}

/** Returns the traits of a choice's victim. */
export function traitsOf({ kind }: VictimChoice): VictimTraits {
  return kind === 'own' ? OWN_TRAITS : entryOf(kind).traits;
}

/** Checks whether a victim learns from the examples that it is asked about. */
export function learnsFromAsked(choice: VictimChoice): boolean {
  if (choice.kind === 'own') return false;
  const entry: VictimKindEntry = entryOf(choice.kind);
  return entry.learnsFromAsked?.(choice) ?? false;
}
