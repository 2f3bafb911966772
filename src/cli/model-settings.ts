import { ConfigError } from '../errors.js';
import type { Device } from '../inference/device.js';
import type { OpaqueChoice } from '../variants/augment/variant-plan.js';
import type { Settings } from '../recipes/settings.js';
import type { ProjectConfig } from './command.js';

interface Given {
  readonly set?: readonly string[];
  readonly jobs?: number;
  readonly device?: Device;
  readonly cache?: string;
  readonly index?: string;
  readonly fullScores?: boolean;
  readonly opaque?: OpaqueChoice;
}

/** The machine and the settings for jobs with models. */
export interface ModelSettings {
  readonly settings: Settings;
  readonly jobs: number | undefined;
  readonly device: Device;
  readonly cacheFolder: string | undefined;
}

/**
 * Settings of the configuration file, with single ones changed by options.
 * @throws ConfigError naming the setting that is unknown or wrong
 */
export async function settingsOf(given: Given, { file, settings }: ProjectConfig): Promise<Settings> {
  const { applyAssignments, parseSettings } = await import('../recipes/settings.js');
  const { set = [], index, fullScores, opaque } = given;
  const assigned = applyAssignments(settings, [
    ...(index === undefined ? [] : [`retriever.index=${JSON.stringify(index)}`]),
    ...(fullScores === true ? ['nli.fullScores=true'] : []),
    ...(opaque === 'describe' ? ['naturalness.opaque-column=false'] : []),
    ...set,
  ]);
  return parseSettings(assigned, file);
}

/**
 * Returns the machine and settings for a job with models. Reading identifiers is up to `perturbql identifiers`: others
 * follow its output, and the configuration file's setting for it makes no other run.
 * @throws ConfigError naming the setting that is unknown, wrong or of no use
 */
export async function modelSettings(given: Given, config: ProjectConfig): Promise<ModelSettings> {
  const { set = [], jobs, device = 'cpu', cache } = given;
  const settings = await settingsOf(given, config);
  if (set.some((assignment) => assignment.startsWith('identifiers.'))) {
    throw new ConfigError('setting identifiers.id is of no use to this command, which asks nobody about identifiers', {
      fix: 'Ask with `perturbql identifiers --set identifiers.id=llm --json > readings.jsonl`, and give --readings readings.jsonl.',
    });
  }
  return { settings: { ...settings, identifiers: { id: null } }, jobs, device, cacheFolder: cache };
}
