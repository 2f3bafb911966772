import { existsSync, statSync } from 'node:fs';
import { copyDurably } from '../../run/durable-file.js';
import { embeddedIndexFolder } from '../../recipes/stage-resources.js';
import { countNoun } from '../../report/figures.js';
import type { RunHost } from '../../run/run-host.js';
import type { PerturbedDataset } from '../augment/perturbed-dataset.js';
import type { CandidatesRun } from '../candidates/candidates-run.js';
import { loadSourceValues } from './source-values.js';
import type { MaterializeMode } from './materialize-mode.js';
import { databasePath } from './write-variants.js';
import { PerturbedDatabases, renderAtMost, renderBytes } from './perturbed-databases.js';

/**
 * Writes the databases of a run, after saying what they need; null where there are none to write.
 * Variants whose database can't be changed so are left out.
 * @throws ConfigError when the disk has too little room; InputFormatError when an original can't be read
 */
export async function writeDatabases(
  run: CandidatesRun,
  output: PerturbedDataset,
  mode: MaterializeMode,
  host: RunHost,
): Promise<PerturbedDatabases | null> {
  const { dataset, options } = run;
  if (mode === 'none') return null;
  if (![...dataset.databases.keys()].some((id) => dataset.hasRows(id))) {
    host.note('warning: no databases are written, as the input has no rows for any; nothing is verified');
    return null;
  }
  const origins = Array.from(output.perturbed(), ({ changes }) => changes.map(({ decision }) => decision.origin));
  const values = await loadSourceValues(options.settings.retriever.index ?? embeddedIndexFolder(), origins.flat());
  const databases = new PerturbedDatabases({
    dataset,
    schemas: Array.from(output.perturbedAlone.schemas, (schema) => ({ changes: [], ...schema })),
    mode,
    databases: options.databases,
    out: options.out,
    seed: options.seed,
    sourceValues: ({ origin }) => values.of(origin),
  });
  const own = databases.estimate();
  const copies = mutatedCopies(output, options.out);
  const files = own.files + copies.length;
  const bytes = copies.reduce((sum, { from }) => sum + statSync(from).size, own.bytes);
  host.note(`writing ${countNoun(files, 'database')} (${mode})${renderAtMost(bytes)}`);
  databases.checkSpace(bytes);
  for (const { id, reason } of databases.write(host)) {
    output.leaveOut(id, reason);
  }
  for (const { from, to } of copies) copyDurably(from, to);
  return databases;
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
