import { formatCount } from '../counts.js';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ModelFileError } from '../errors.js';
import { sha256Of, streamSha256 } from '../run/sha256.js';
import { type ModelManifest, type ModelTask, modelManifestSchema, type NetworkTask } from './model-manifest.js';
import { isPulledFolder, nameOfFolder, resolveModel } from './models-folder.js';
import { packagePath } from '../package-path.js';
import { mustGet } from '../present.js';
import { faultSentence, shapeFault } from '../shape-fault.js';

/** Networks that ship with the package. */
type EmbeddedTask = Exclude<NetworkTask, 'fill-mask' | 'schema-linker'>;

const EMBEDDED_FOLDERS: Readonly<Record<EmbeddedTask, string>> = { 'table-context-encoder': 'encoder', nli: 'nli' };
const REINSTALL = 'Install perturbql again (`npm ci`), or name another model folder.';

/** A model on disk whose manifest has been read; `checkModelFiles` proves the rest. */
export interface LocatedModel<M extends ModelManifest = ModelManifest> {
  readonly folder: string;
  readonly manifest: M;
  /** sha256 of the weights: of the one file that holds them, else of the hashes of all. */
  readonly sha256: string;
  /** Hash of all that decides what the model answers: weights, tokenizer, labels, pooling, longest input. */
  readonly fingerprint: string;
}

/** Folder of the model that ships with the package. */
export function embeddedModelFolder(task: EmbeddedTask): string {
  return packagePath(`models/${EMBEDDED_FOLDERS[task]}`);
}

/** @throws ModelFileError when there is neither a pulled model of that name nor a folder of that path. */
function findModelFolder(nameOrFolder: string): string {
  const folder = resolveModel(nameOrFolder);
  if (existsSync(folder)) return folder;
  throw new ModelFileError('there is no such model folder, and no pulled model of that name', {
    where: { file: nameOrFolder },
    fix: 'See `perturbql models list`; `perturbql models pull` fetches one.',
  });
}

/** Returns the repair for a folder whose manifest does not tell where the model is from. */
function repairOfFolder(folder: string): string {
  if (!isPulledFolder(folder)) return REINSTALL;
  return `Pull it again: \`perturbql models pull SOURCE --name ${nameOfFolder(basename(folder))}\`; or remove ${folder}.`;
}

/**
 * Reads the manifest of a model folder.
 * @throws ModelFileError when it is missing or wrong.
 */
export function readModelManifest(folder: string): ModelManifest {
  const file = join(folder, 'manifest.json');
  const fix = repairOfFolder(folder);
  if (!existsSync(file)) {
    const layout = `A folder in a hub’s layout becomes a model by \`perturbql models pull ${folder}\`.`;
    throw new ModelFileError('the model folder has no manifest.json', {
      where: { file: folder },
      fix: isPulledFolder(folder) ? fix : `${fix} ${layout}`,
    });
  }
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ModelFileError('the model manifest is not JSON', { where: { file }, cause, fix });
  }
  const parsed = modelManifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ModelFileError(`in the model manifest, ${faultSentence(shapeFault(parsed.error, json), 'the content')}`, {
    where: { file },
    fix,
  });
}

/**
 * Weights of a network that does not fit in one file lie next to it under its name: model.onnx_data, model.onnx.data.
 */
export function isWeightsOf(path: string, network: string): boolean {
  return path === network || path.startsWith(`${network}_data`) || path === `${network}.data`;
}

/** The networks that a manifest names; none for word vectors. */
function networksOf(manifest: ModelManifest): readonly string[] {
  if (manifest.task === 'vectors') return [];
  const tables = manifest.task === 'table-context-encoder' ? manifest.tableNetwork : undefined;
  return tables === undefined ? [manifest.network] : [manifest.network, tables];
}

function weightsSha256(manifest: ModelManifest): string {
  const networks = networksOf(manifest);
  const weights = Object.entries(manifest.files)
    .filter(([path]) => manifest.task === 'vectors' || networks.some((network) => isWeightsOf(path, network)))
    .map(([path, { sha256 }]): [string, string] => [path, sha256]);
  const [only, ...others] = weights;
  return only !== undefined && others.length === 0 ? only[1] : sha256Of(JSON.stringify(weights.sort()));
}

/** Returns the parts of a manifest that determine the answers, apart from files and the longest input. */
function answersOf(manifest: ModelManifest): readonly unknown[] {
  switch (manifest.task) {
    case 'nli':
      return manifest.labels;
    case 'table-context-encoder':
      return [manifest.pooling, manifest.dimension];
    case 'schema-linker':
      return [manifest.threshold];
    case 'fill-mask':
    case 'vectors':
      return [];
  }
}

function fingerprintOf(manifest: ModelManifest): string {
  const hashes = Object.entries(manifest.files).map(([path, { sha256 }]): [string, string] => [path, sha256]);
  const answers = answersOf(manifest);
  const longest = manifest.task === 'vectors' ? 0 : manifest.maxTokens;
  return sha256Of(JSON.stringify([networksOf(manifest), longest, answers, hashes.sort()]));
}

/**
 * Reads the manifest of a model, named by its folder or, if it was pulled, by its name; loads no weights.
 * @throws ModelFileError when there is none, its manifest is wrong, or the model does another task.
 */
export function locateModel<T extends ModelTask>(
  task: T,
  nameOrFolder?: string,
): LocatedModel<Extract<ModelManifest, { task: T }>> {
  const folder = nameOrFolder === undefined ? embeddedModelFolder(task as EmbeddedTask) : findModelFolder(nameOrFolder);
  const manifest = readModelManifest(folder);
  if (manifest.task !== task) {
    throw new ModelFileError(`${manifest.name} does ${manifest.task}, but ${task} is needed here`, {
      where: { file: folder },
      fix: `Name a folder whose manifest says "task": "${task}".`,
    });
  }
  const missing = networksOf(manifest).find((network) => manifest.files[network] === undefined);
  if (missing !== undefined) {
    throw new ModelFileError(`the model manifest does not list ${missing}`, {
      where: { file: folder },
      fix: repairOf(manifest),
    });
  }
  const hashes = { sha256: weightsSha256(manifest), fingerprint: fingerprintOf(manifest) };
  return { folder, manifest: manifest as Extract<ModelManifest, { task: T }>, ...hashes };
}

/** The command that makes a damaged model whole. */
function repairOf(manifest: ModelManifest): string {
  return manifest.pulled === undefined ? REINSTALL : `Pull it again: \`${manifest.pulled.command}\`.`;
}

async function faultOf(folder: string, path: string, manifest: ModelManifest): Promise<string | null> {
  const file = join(folder, path);
  const expected = mustGet(manifest.files[path], path);
  if (!existsSync(file)) return `a file of model ${manifest.name} is missing`;
  const { size } = statSync(file);
  if (size !== expected.bytes) {
    const pointer = size < 1024 && readFileSync(file, 'utf8').startsWith('version https://git-lfs');
    return pointer
      ? 'the model file is a Git LFS pointer, not the weights'
      : `the model file holds ${formatCount(size)} bytes, not ${formatCount(expected.bytes)}`;
  }
  const actual = await streamSha256(file);
  return actual === expected.sha256 ? null : `the sha256 of the model file is ${actual}, not ${expected.sha256}`;
}

/** Yields the faults of a model's files, one error each; reads every file once. */
export async function* findModelFaults(
  model: Pick<LocatedModel, 'folder' | 'manifest'>,
): AsyncGenerator<ModelFileError> {
  const { folder, manifest } = model;
  for (const path of Object.keys(manifest.files)) {
    const fault = await faultOf(folder, path, manifest);
    if (fault === null) continue;
    yield new ModelFileError(fault, { where: { file: join(folder, path) }, fix: repairOf(manifest) });
  }
}

/**
 * Checks every file of a model against its manifest.
 * @throws ModelFileError naming the first file that is missing, truncated or not the one described.
 */
export async function checkModelFiles(model: LocatedModel): Promise<void> {
  for await (const fault of findModelFaults(model)) throw fault;
}
