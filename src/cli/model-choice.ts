import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../errors.js';
import { bytesOf, embeddedModels, pulledModels } from '../inference/hub/model-inventory.js';
import { SETTING_OF } from '../inference/hub/pull-choices.js';
import type { ModelTask } from '../inference/model-manifest.js';
import { resolveModel } from '../inference/models-folder.js';
import type { Settings } from '../recipes/settings.js';
import { embeddedVectorsPath } from '../reranker/embedded-vectors.js';
import { FIXED_MODELS, type FixedModel } from './fixed-models.js';

/** A model on this disk, as `models list` shows it. */
export interface ListedModel {
  readonly name: string;
  readonly task: ModelTask | ReturnType<FixedModel['manifest']>['task'];
  readonly origin: 'embedded' | 'pulled';
  readonly revision: string | null;
  readonly license: string;
  readonly bytes: number;
  readonly folder: string;
  readonly inUse: boolean;
}

/** A model that a setting chooses. */
export interface ChoosableModel extends ListedModel {
  readonly task: ModelTask;
}

/** Returns the model that the settings choose for a task: a name or path, or null for the embedded one. */
export function chosenFor(task: ModelTask, settings: Settings): string | null {
  const setting = SETTING_OF[task];
  if (setting === null) return null;
  const [group, key] = setting.split('.') as ['nli' | 'retriever' | 'masked' | 'reranker', string];
  return (settings[group] as Record<string, unknown>)[key] as string | null;
}

/** Checks whether a choice means a folder: by its path, or by the name that it was pulled under. */
function means(choice: string | null, folder: string): boolean {
  return choice !== null && resolveModel(choice) === resolve(folder);
}

/** License of the embedded vectors, by the manifest next to them. */
function vectorsLicense(path: string): string {
  const manifest = JSON.parse(readFileSync(join(dirname(path), 'manifest.json'), 'utf8')) as {
    readonly license: { readonly expression: string };
  };
  return manifest.license.expression;
}

/** A model that no other can stand in for. @throws ModelFileError when its manifest is none */
function listFixedModel({ folder, manifest }: FixedModel): ListedModel {
  const read = manifest();
  const { name, task, revision, license } = read;
  return { name, task, origin: 'embedded', revision, license, bytes: bytesOf(read), folder: folder(), inUse: true };
}

function embeddedVectors(settings: Settings): ChoosableModel {
  const path = embeddedVectorsPath();
  const name = basename(path, '.pqv');
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const inUse = settings.reranker.vectors === null;
  const license = vectorsLicense(path);
  return { name, task: 'vectors', origin: 'embedded', revision: null, license, bytes, folder: path, inUse };
}

/** Every model on this disk that can be chosen, the embedded ones first. */
export function choosableModels(settings: Settings): readonly ChoosableModel[] {
  const stored = [...embeddedModels(), ...pulledModels().models].map(({ origin, folder, manifest }): ChoosableModel => {
    const { name, task, revision, license } = manifest;
    const choice = chosenFor(task, settings);
    const inUse = origin === 'embedded' ? choice === null || means(choice, folder) : means(choice, folder);
    return { name, task, origin, revision, license, bytes: bytesOf(manifest), folder, inUse };
  });
  const embedded = stored.filter(({ origin }) => origin === 'embedded');
  return [...embedded, embeddedVectors(settings), ...stored.filter(({ origin }) => origin === 'pulled')];
}

/** Every model on this disk, the embedded ones first. */
export function listModels(settings: Settings): readonly ListedModel[] {
  const models = choosableModels(settings);
  const from = (place: ListedModel['origin']): readonly ListedModel[] =>
    models.filter(({ origin }) => origin === place);
  return [...from('embedded'), ...FIXED_MODELS.map(listFixedModel), ...from('pulled')];
}

/** The error for a name that no model has. @throws ConfigError always */
export function refuseName(name: string, known: readonly string[]): never {
  throw new ConfigError(`there is no model "${name}" here`, {
    fix: `Known: ${known.join(', ')}. \`perturbql models pull\` fetches others.`,
  });
}
