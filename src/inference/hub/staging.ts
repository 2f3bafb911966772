import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DownloadError } from '../../errors.js';
import { writeDurably } from '../../run/durable-file.js';
import { makeFolder } from '../../run/make-folder.js';
import { releaseLock, takeLock } from '../../run/process-lock.js';
import type { ModelManifest } from '../model-manifest.js';
import { folderNameOf } from '../models-folder.js';

/** Where a model is put together; what a killed pull leaves there the next one goes on with. One process at a time. */
export class Staging {
  readonly folder: string;
  /** Where the model goes when it is whole. */
  readonly target: string;
  readonly #lock: string;

  private constructor(models: string, name: string) {
    const own = folderNameOf(name);
    this.target = join(models, own);
    this.folder = join(models, `.${own}.partial`);
    this.#lock = join(models, `.${own}.lock`);
  }

  /** @throws DownloadError when another process pulls the model. */
  static open(models: string, name: string): Staging {
    makeFolder(models);
    const staging = new Staging(models, name);
    const holder = takeLock(staging.#lock);
    if (holder !== null) {
      throw new DownloadError(`process ${holder} is pulling ${name}`, {
        where: { file: staging.target },
        fix: `Wait for it, or remove ${staging.#lock} if that process is not perturbql.`,
      });
    }
    makeFolder(staging.folder);
    return staging;
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  /** Removes what an earlier pull of other files left. */
  keepOnly(files: readonly string[]): void {
    const kept = new Set(files.flatMap((file) => [file, `${file}.partial`, `${file}.partial.etag`]));
    for (const name of readdirSync(this.folder, { recursive: true, encoding: 'utf8' })) {
      const path = name.split(sep).join('/');
      const isParent = [...kept].some((file) => file.startsWith(`${path}/`));
      if (!isParent && !kept.has(path)) rmSync(join(this.folder, name), { recursive: true, force: true });
    }
  }

  /** Puts the whole model in place of the one that is there. */
  commit(manifest: ModelManifest): void {
    writeDurably(this.path('manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const former = `${this.folder}.former`;
    rmSync(former, { recursive: true, force: true });
    if (existsSync(this.target)) renameSync(this.target, former);
    renameSync(this.folder, this.target);
    rmSync(former, { recursive: true, force: true });
  }

  /** Removes what was put together. */
  drop(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Lets others pull the model. */
  release(): void {
    releaseLock(this.#lock);
  }
}
