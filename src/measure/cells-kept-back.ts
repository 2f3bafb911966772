import { ConfigError } from '../errors.js';
import type { MutantSet } from '../metamorphic/mutant-set.js';
import { QUOTING_IDS } from '../metamorphic/relations.js';
import type { MadeVictim } from '../victims/victim-kind.js';

/** @throws ConfigError where no cell may reach a victim, and mutants have some in their questions */
export function refuseQuotedCells(
  { withoutCells }: Pick<MadeVictim, 'withoutCells'>,
  mutants: Pick<MutantSet, 'records' | 'folder'> | null,
): void {
  if (withoutCells !== true || mutants === null) return;
  const quoting = mutants.records.find(({ relations }) => relations.some((id) => QUOTING_IDS.includes(id)));
  if (quoting === undefined) return;
  throw new ConfigError(`questions of ${quoting.relations.join('+')} quote cells of the database`, {
    where: { file: mutants.folder, id: quoting.id },
    fix: `Add --send-values where these may leave this machine, or make mutants without ${QUOTING_IDS.join(' and ')}.`,
  });
}
