import { ConfigError } from '../errors.js';
import type { Device } from '../inference/device.js';
import type { OpaqueChoice } from '../perturb/column-choice.js';
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

/** What jobs with models are told of the machine, and their settings. */
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
 * What a job with models is told. Who reads identifiers is the affair of `perturbql identifiers`: what it writes, others
 * follow, and what the configuration file says for it makes no other run.
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
