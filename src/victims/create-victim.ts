import { predictionsFingerprint } from './file-victim.js';
import { withAnnotations } from './kinds/annotated-tables.js';
import type { MadeVictim, VictimKindEntry, VictimTraits, VictimWorld } from './victim-kind.js';
import { entryOf, traitsOf, type VictimChoice } from './victims.js';

/** A victim that can be asked, or the file of its predictions, and what is known of it. */
export type ChosenVictim = MadeVictim & VictimTraits & { readonly id: string; readonly fingerprint: string };

/** The warning about a victim; none where there is nothing to say. */
export function warningOf({ warning }: Pick<MadeVictim, 'warning'>): readonly string[] {
  return warning === undefined ? [] : [warning];
}

async function make(choice: VictimChoice, world: VictimWorld): Promise<MadeVictim> {
  if (choice.kind === 'own') return { victim: choice.victim, description: choice.victim.id };
  const entry: VictimKindEntry = entryOf(choice.kind);
  const made = await entry.create(choice, world);
  return 'annotatedTables' in choice ? withAnnotations(made, choice) : made;
}

/**
 * Makes the victim that was chosen; nothing is started, fitted or called yet.
 * @throws ConfigError when a setting is wrong
 * @throws InputFormatError when a file of examples or predictions is not what it should be
 */
export async function createVictim(choice: VictimChoice, world: VictimWorld): Promise<ChosenVictim> {
  const made = await make(choice, world);
  const named =
    made.victim === null ? { id: choice.kind, fingerprint: predictionsFingerprint(made.predictions) } : made.victim;
  return { ...made, ...traitsOf(choice), id: named.id, fingerprint: named.fingerprint };
}
