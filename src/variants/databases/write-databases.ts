import { existsSync } from 'node:fs';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { copyDurably } from '../../run/durable-file.js';
import { embeddedIndexFolder } from '../../recipes/stage-resources.js';
import type { RunHost } from '../../run/run-host.js';
import type { PerturbedDataset } from '../augment/perturbed-dataset.js';
import type { CandidatesRun } from '../candidates/candidates-run.js';
import { loadSourceValues } from './source-values.js';
import type { MaterializeMode } from './database-change.js';
import { databasePath } from './write-variants.js';
import { renderBytes, writePerturbedDatabases } from './perturbed-databases.js';

/**
 * Writes the databases of a run; false where there are none to write. Variants whose database can't be changed so are
 * left out.
 * @throws as `writePerturbedDatabases`
 */
export async function writeDatabases(
  run: CandidatesRun,
  output: PerturbedDataset,
  mode: MaterializeMode,
  host: RunHost,
): Promise<boolean> {
  const { dataset, options } = run;
  if (mode === 'none') return false;
  if (![...dataset.databases.keys()].some((id) => dataset.hasRows(id))) {
    host.note('warning: no databases are written, as the input has no rows for any; nothing is verified');
    return false;
  }
  const origins = Array.from(output.perturbed(), ({ changes }) => changes.map(({ decision }) => decision.origin));
  const values = await loadSourceValues(options.settings.retriever.index ?? embeddedIndexFolder(), origins.flat());
  const schemas = Array.from(output.perturbedAlone.schemas, (schema) => ({ changes: [], ...schema }));
  const { databases, out, seed } = options;
  const sourceValues = ({ origin }: CandidateDecision): readonly string[] => values.of(origin);
  const copies = mutatedCopies(output, out);
  const notes = { after: ` (${mode})`, copied: copies.map(({ from }) => from) };
  const request = { dataset, schemas, mode, databases, out, seed, sourceValues };
  for (const { id, reason } of writePerturbedDatabases(request, notes, host)) output.leaveOut(id, reason);
  for (const { from, to } of copies) copyDurably(from, to);
  return true;
}

interface DatabaseCopy {
  readonly from: string;
  readonly to: string;
}

/** The databases of mutants' own schemas that are not there yet. */
function mutatedCopies(output: PerturbedDataset, out: string): readonly DatabaseCopy[] {
  return output.mutated.flatMap(({ schema: { id } }) => {
    const [from, to] = [output.mutatedFile(id), databasePath(out, id)];
    return from === null || existsSync(to) ? [] : [{ from, to }];
  });
}

/** Describes the maximum size of a run's databases in a line, before anything is drawn: two variants per example. */
export function describeDatabases({ dataset }: CandidatesRun, mode: MaterializeMode): readonly string[] {
  if (mode === 'none') return [];
  const sizes = new Map<string, number | null>();
  let [files, bytes, unknown] = [0, 0, false];
  for (const { dbId } of dataset.examples()) {
    const known = sizes.has(dbId);
    if (!known) sizes.set(dbId, dataset.sqliteBytes?.(dbId) ?? null);
    const size = sizes.get(dbId) ?? null;
    if (size === null) unknown = true;
    files += known ? 2 : 3;
    bytes += (size ?? 0) * (known ? 2 : 3);
  }
  const size = bytes === 0 ? '' : `, ${unknown ? 'more than ' : ''}${renderBytes(bytes)}`;
  return [`databases (${mode}): at most ${files}${size}`];
}
