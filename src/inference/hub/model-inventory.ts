import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFileError } from '../../errors.js';
import type { ModelManifest } from '../model-manifest.js';
import { embeddedModelFolder, readModelManifest } from '../model-store.js';
import { modelsFolder, nameOfFolder } from '../models-folder.js';

/** A model on this disk. */
export interface StoredModel {
  readonly origin: 'embedded' | 'pulled';
  readonly folder: string;
  readonly manifest: ModelManifest;
}

/** The networks that ship with the package. */
export function embeddedModels(): readonly StoredModel[] {
  return (['nli', 'table-context-encoder'] as const).map((task) => {
    const folder = embeddedModelFolder(task);
    return { origin: 'embedded', folder, manifest: readModelManifest(folder) };
  });
}

/** A pulled model that can't be used, since its manifest can't be read. */
export interface BrokenModel {
  readonly name: string;
  readonly folder: string;
  readonly fault: ModelFileError;
}

/** Lists pulled models by name. */
export function pulledModels(): { readonly models: readonly StoredModel[]; readonly broken: readonly BrokenModel[] } {
  const root = modelsFolder();
  const names = existsSync(root) ? readdirSync(root).filter((name) => !name.startsWith('.')) : [];
  const models: StoredModel[] = [];
  const broken: BrokenModel[] = [];
  for (const name of names.sort()) {
    const folder = join(root, name);
    try {
      models.push({ origin: 'pulled', folder, manifest: readModelManifest(folder) });
    } catch (error) {
      if (!(error instanceof ModelFileError)) throw error;
      broken.push({ name: nameOfFolder(name), folder, fault: error });
    }
  }
  return { models, broken };
}

/** Bytes of all files. */
export function bytesOf({ files }: Pick<ModelManifest, 'files'>): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}
