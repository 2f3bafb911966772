import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFileError } from '../../errors.js';
import type { ModelManifest } from '../model-manifest.js';
import { embeddedModelFolder, readModelManifest } from '../model-store.js';
import { modelsFolder } from '../models-folder.js';

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

/** What was pulled, by name; folders whose manifest can't be read come as errors. */
export function pulledModels(environment: NodeJS.ProcessEnv = process.env): {
  readonly models: readonly StoredModel[];
  readonly faults: readonly ModelFileError[];
} {
  const root = modelsFolder(environment);
  const names = existsSync(root) ? readdirSync(root).filter((name) => !name.startsWith('.')) : [];
  const models: StoredModel[] = [];
  const faults: ModelFileError[] = [];
  for (const name of names.sort()) {
    const folder = join(root, name);
    try {
      models.push({ origin: 'pulled', folder, manifest: readModelManifest(folder) });
    } catch (error) {
      if (!(error instanceof ModelFileError)) throw error;
      const fix = `Pull it again with \`perturbql models pull\`, or remove ${folder}.`;
      faults.push(new ModelFileError(error.message, { where: error.where, fix, cause: error.cause }));
    }
  }
  return { models, faults };
}

/** Bytes of all files. */
export function bytesOf({ files }: ModelManifest): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}
