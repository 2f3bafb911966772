import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModelFileError } from '../errors.js';
import { streamSha256 } from '../run/sha256.js';
import { type ModelManifest, type ModelTask, modelManifestSchema, NETWORK_FILE } from './model-manifest.js';

const EMBEDDED_FOLDERS: Readonly<Record<ModelTask, string>> = { 'table-context-encoder': 'encoder', nli: 'nli' };
const REINSTALL = 'Install perturbql again (`npm ci`), or name another model folder.';

/** A model on disk whose manifest has been read; `checkModelFiles` proves the rest. */
export interface LocatedModel<M extends ModelManifest = ModelManifest> {
  readonly folder: string;
  readonly manifest: M;
  /** sha256 of the network file: part of every cache key. */
  readonly sha256: string;
}

/** Folder of the model that ships with the package. */
export function embeddedModelFolder(task: ModelTask): string {
  return fileURLToPath(new URL(`../../models/${EMBEDDED_FOLDERS[task]}`, import.meta.url));
}

function readManifest(folder: string): ModelManifest {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) {
    throw new ModelFileError('the model folder has no manifest.json', { where: { file: folder }, fix: REINSTALL });
  }
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ModelFileError('the model manifest is not JSON', { where: { file }, cause, fix: REINSTALL });
  }
  const parsed = modelManifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ModelFileError(`the model manifest is wrong at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`, {
    where: { file },
    fix: REINSTALL,
  });
}

/**
 * Reads the manifest of a model folder; loads no weights.
 * @throws ModelFileError when the folder has no valid manifest or the model does another task.
 */
export function locateModel<T extends ModelTask>(
  task: T,
  folder = embeddedModelFolder(task),
): LocatedModel<Extract<ModelManifest, { task: T }>> {
  const manifest = readManifest(folder);
  if (manifest.task !== task) {
    throw new ModelFileError(`${manifest.name} does ${manifest.task}, but ${task} is needed here`, {
      where: { file: folder },
      fix: `Name a folder whose manifest says "task": "${task}".`,
    });
  }
  const sha256 = manifest.files[NETWORK_FILE]?.sha256;
  if (sha256 === undefined) {
    throw new ModelFileError(`the model manifest does not list ${NETWORK_FILE}`, {
      where: { file: folder },
      fix: REINSTALL,
    });
  }
  return { folder, manifest: manifest as Extract<ModelManifest, { task: T }>, sha256 };
}

/**
 * Checks every file of a model against its manifest; reads each file once.
 * @throws ModelFileError naming the first file that is missing, truncated or not the one described.
 */
export async function checkModelFiles(model: LocatedModel): Promise<void> {
  for (const [path, expected] of Object.entries(model.manifest.files)) {
    const file = join(model.folder, path);
    if (!existsSync(file)) {
      throw new ModelFileError(`a file of model ${model.manifest.name} is missing`, {
        where: { file },
        fix: REINSTALL,
      });
    }
    const { size } = statSync(file);
    if (size !== expected.bytes) {
      const pointer = size < 1024 && readFileSync(file, 'utf8').startsWith('version https://git-lfs');
      throw new ModelFileError(
        pointer
          ? 'the model file is a Git LFS pointer, not the weights'
          : `the model file holds ${size} bytes, not ${expected.bytes}`,
        { where: { file }, fix: REINSTALL },
      );
    }
    const actual = await streamSha256(file);
    if (actual !== expected.sha256) {
      throw new ModelFileError(`the sha256 of the model file is ${actual}, not ${expected.sha256}`, {
        where: { file },
        fix: REINSTALL,
      });
    }
  }
}
