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
export async function modelSettings(given: Given, { file, settings }: ProjectConfig): Promise<ModelSettings> {
  const { applyAssignments, parseSettings } = await import('../recipes/settings.js');
  const { set = [], jobs, device = 'cpu', cache, index, fullScores, opaque } = given;
  const assigned = applyAssignments(settings, [
    ...(index === undefined ? [] : [`retriever.index=${JSON.stringify(index)}`]),
    ...(fullScores === true ? ['nli.fullScores=true'] : []),
    ...(opaque === 'describe' ? ['naturalness.opaque-column=false'] : []),
    ...set,
  ]);
  return { settings: parseSettings(assigned, file), jobs, device, cacheFolder: cache };
}
