import { basename, join } from 'node:path';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { attackInputs, type AttackOutcome } from './attack.js';
import type { ScoringOptions } from '../../victims/scoring-options.js';
import { type AttackPlanOptions, withAttackDefaults } from './attack-options.js';
import { loadPrepared } from './prepare-attack.js';

export interface ScoreOptions extends Partial<ScoringOptions> {
  /** Folder that `prepareAttack` wrote. */
  readonly run: string;
  /** JSON lines `{"id": …, "sql": …}` for its questions. */
  readonly predictions: string;
  /** Folder of the report; default: `scores/` and the file name of the predictions within the run. */
  readonly out?: string;
  /** In place of those that the inputs were made with. */
  readonly changed?: Partial<Pick<AttackPlanOptions, 'databases' | 'connection'>>;
}

/** Where the report of predictions goes unless told otherwise. */
export function scoreFolder(run: string, predictions: string): string {
  return join(run, 'scores', basename(predictions));
}

/**
 * Scores the predictions that a model made for prepared inputs, and writes the report of an attack.
 * @throws RunFolderError, InputFormatError or ConfigError: see each class
 */
export async function scoreAttack(
  { run, predictions, out = scoreFolder(run, predictions), changed, ...scoring }: ScoreOptions,
  host: RunHost = NOOP_HOST,
): Promise<AttackOutcome> {
  const { options, inputs } = await loadPrepared(run, changed);
  const victim = { kind: 'file', predictions } as const;
  return attackInputs(withAttackDefaults({ ...options, ...scoring, victim, out }), inputs, host);
}
