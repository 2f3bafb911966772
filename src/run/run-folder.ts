import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RunFolderError } from '../errors.js';
import { writeDurably } from './durable-file.js';
import { ItemJournal } from './item-journal.js';
import { manifestDifferences } from './manifest-differences.js';
import { releaseLock, takeLock } from './process-lock.js';

const MANIFEST = 'run.json';
const LOCK = '.lock';
const JOURNAL = '.items.jsonl';
/** Folder for files that a run needs only while it works, perhaps before it has a manifest. */
export const SCRATCH = '.scratch';

/** What a run may leave that was killed before it had a manifest. */
function isOwnRemains(name: string): boolean {
  return name === SCRATCH || name === `${MANIFEST}.tmp` || name === LOCK || name.startsWith(`${LOCK}.`);
}

/** What made a run: two runs with equal manifests give equal bytes. */
const runManifestSchema = z.strictObject({
  command: z.string(),
  version: z.string(),
  seed: z.int(),
  /** Every setting, and the fingerprints of models, index and vectors. */
  settings: z.record(z.string(), z.unknown()),
  /** sha256 of each input file, by its role. */
  inputs: z.record(z.string(), z.string()),
  complete: z.boolean(),
});
export type RunManifest = z.infer<typeof runManifestSchema>;

/** What an earlier run of the same manifest left in a folder. */
export type RunState = 'new' | 'begun' | 'complete';

/**
 * A run's folder: its manifest, its finished items, its products. The same command again resumes it; another
 * configuration is refused with the difference; two processes can't share it.
 */
export class RunFolder<T> {
  readonly path: string;
  readonly journal: ItemJournal<T>;
  /** True where an earlier run of the same manifest finished: its products stand. */
  readonly complete: boolean;
  readonly #manifest: RunManifest;

  private constructor(path: string, manifest: RunManifest, complete: boolean) {
    this.path = path;
    this.#manifest = manifest;
    this.complete = complete;
    this.journal = new ItemJournal(join(path, JOURNAL));
  }

  /**
   * What `open` would find in a folder; nothing is written.
   * @throws RunFolderError as `open`, except where the folder is in use
   */
  static preview(path: string, manifest: Omit<RunManifest, 'complete'>): RunState {
    if (existsSync(join(path, MANIFEST))) {
      const before = readRunManifest(path);
      if (before.command !== manifest.command) {
        throw new RunFolderError(`this folder holds a run of \`perturbql ${before.command}\``, {
          where: { file: path },
          fix: 'Name another --out folder.',
        });
      }
      const changed = manifestDifferences(before, manifest);
      if (changed.length > 0) {
        throw new RunFolderError(`this run was made with another configuration:\n  ${changed.join('\n  ')}`, {
          where: { file: path },
          fix: 'Name another --out folder, or give the same options again to resume.',
        });
      }
      return before.complete ? 'complete' : 'begun';
    }
    if (existsSync(path) && readdirSync(path).some((name) => !isOwnRemains(name))) {
      throw new RunFolderError('the folder is not empty and holds no run', {
        where: { file: path },
        fix: 'Name an empty or new --out folder.',
      });
    }
    return 'new';
  }

  /** @throws RunFolderError when the folder holds something else, another configuration, or is in use. */
  static open<T>(path: string, manifest: Omit<RunManifest, 'complete'>): RunFolder<T> {
    const fresh: RunManifest = { ...manifest, complete: false };
    const state = RunFolder.preview(path, manifest);
    mkdirSync(path, { recursive: true });
    lock(path);
    const file = join(path, MANIFEST);
    if (!existsSync(file)) writeDurably(file, `${JSON.stringify(fresh, null, 2)}\n`);
    return new RunFolder<T>(path, fresh, state === 'complete');
  }

  /** Writes one product of the run, whole or not at all. */
  write(name: string, content: string | Iterable<string | Uint8Array>): void {
    writeDurably(join(this.path, name), content);
  }

  /** Marks the run complete and drops what only a resumed run needs. */
  finish(): void {
    writeDurably(join(this.path, MANIFEST), `${JSON.stringify({ ...this.#manifest, complete: true }, null, 2)}\n`);
    this.journal.remove();
    releaseLock(join(this.path, LOCK));
  }

  /** Leaves the run as it is, to be resumed. */
  close(): void {
    if (this.complete) this.journal.remove();
    else this.journal.close();
    releaseLock(join(this.path, LOCK));
  }
}

function lock(path: string): void {
  const file = join(path, LOCK);
  const holder = takeLock(file);
  if (holder === null) return;
  throw new RunFolderError(`process ${holder} is working in this folder`, {
    where: { file: path },
    fix: `Wait for it, or remove ${file} if that process is not perturbql.`,
  });
}

/**
 * Reads the manifest of a run.
 * @throws RunFolderError when the folder holds none or it is not one of this version's.
 */
export function readRunManifest(path: string): RunManifest {
  const file = join(path, MANIFEST);
  const fix = 'Name a folder that a run of perturbql wrote, its --out.';
  if (!existsSync(path)) throw new RunFolderError('there is no such folder', { where: { file: path }, fix });
  try {
    return runManifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const what = existsSync(file)
      ? 'this is not a run of this version of perturbql'
      : 'this is not a run: it has no manifest';
    throw new RunFolderError(what, { where: { file }, cause, fix });
  }
}
