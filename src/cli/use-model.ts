import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';
import { SETTING_OF } from '../inference/hub/pull-choices.js';
import type { ModelTask } from '../inference/model-manifest.js';
import { readModelManifest } from '../inference/model-store.js';
import { findPulledFolder } from '../inference/models-folder.js';
import type { Settings } from '../recipes/settings.js';
import { writeDurably } from '../run/durable-file.js';
import { choosableModels, chosenFor, refuseName } from './model-choice.js';
import { nameOf, FIXED_MODELS } from './fixed-models.js';

const configSchema = z.record(z.string(), z.unknown());

/** The model that a name refers to. */
interface Choice {
  readonly task: ModelTask;
  /** The new value of the setting; null for the embedded one. */
  readonly value: string | null;
}

/** The choice that a name or a model folder means. */
function toChoice(name: string, models: ReturnType<typeof choosableModels>): Choice {
  const listed = models.find((model) => model.name === name);
  if (listed !== undefined) return { task: listed.task, value: listed.origin === 'embedded' ? null : name };
  const pulled = findPulledFolder(name);
  if (pulled !== null) return { task: readModelManifest(pulled).task, value: name };
  if (existsSync(name)) return { task: readModelManifest(name).task, value: resolve(name) };
  const known = models.map((model) => model.name);
  const only = FIXED_MODELS.find((model) => nameOf(model) === name);
  if (only !== undefined) {
    throw new ConfigError(`${name} is the one ${only.what}: there is no choice`, {
      fix: `Choose among ${known.join(', ')}; \`perturbql ${only.user}\` takes ${name} directly.`,
    });
  }
  return refuseName(name, known);
}

/** The configuration with one setting changed; a group that is left empty goes. */
function withSetting(
  config: Readonly<Record<string, unknown>>,
  setting: string,
  value: string | null,
): Record<string, unknown> {
  const [group, key] = setting.split('.') as [string, string];
  const values = { ...((config[group] ?? {}) as Record<string, unknown>), [key]: value };
  if (value === null) delete values[key];
  const changed: Record<string, unknown> = { ...config, [group]: values };
  if (Object.keys(values).length === 0) delete changed[group];
  return changed;
}

/** Returns further consequences of choosing a model. */
function consequences({ task, value }: Choice, settings: Settings): readonly string[] {
  if (task === 'vectors') return [];
  if (task === 'nli') {
    const { rplMin, addMax } = settings.nli;
    const own =
      rplMin === null && addMax === null
        ? 'its own calibrated thresholds, else the paper’s'
        : 'the thresholds that you set';
    return [`  decisions take ${own}; scores of other judges stay in the cache and are not taken for this one’s`];
  }
  if (value === null) return [];
  return ['  an index belongs to its encoder: perturbql index build --from <corpus> --out <dir>, then --index <dir>'];
}

/**
 * Writes the choice of a model into a configuration file, and says what it changes.
 * @throws ConfigError where there is no such model
 */
export function useModel(name: string, file: string, settings: Settings): readonly string[] {
  const choice = toChoice(name, choosableModels(settings));
  const setting = SETTING_OF[choice.task];
  if (setting === null) {
    throw new ConfigError(`${name} is a schema linker: no setting chooses one`, {
      fix: `Ask it with \`perturbql attack … --victim linker --linker ${name}\`.`,
    });
  }
  const before = chosenFor(choice.task, settings);
  const where = { file, id: 'configuration' };
  const config = existsSync(file)
    ? checkRecord(configSchema, parseJson(loadText(file), file), where, 'Write a JSON object.')
    : {};
  if (before === choice.value) return [`${setting} is ${JSON.stringify(before)} already (${file})`];
  writeDurably(file, `${JSON.stringify(withSetting(config, setting, choice.value), null, 2)}\n`);
  return [
    `${setting}: ${JSON.stringify(before)} → ${JSON.stringify(choice.value)} (${file})`,
    ...consequences(choice, settings),
  ];
}
