import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelFileError } from '../errors.js';
import { sha256Of } from '../run/sha256.js';

const FIX = 'Install perturbql again (`npm ci`).';

const fileSchema = z.object({ bytes: z.int(), sha256: z.string() });

/** Returns the schema of a part's manifest, with the fields of all parts. */
export function partManifest<T extends string, F extends string>(task: T, files: readonly F[]) {
  return z.object({
    task: z.literal(task),
    name: z.string(),
    revision: z.string(),
    license: z.string(),
    files: z.object(Object.fromEntries(files.map((file) => [file, fileSchema])) as Record<F, typeof fileSchema>),
  });
}

/** A model of the package that one stage alone uses: a folder with a manifest and the files whose hashes it has. */
export class PackagedPart {
  readonly #what: string;
  readonly #folder: string;

  /** `what`: how errors call it, such as "the entity head". */
  constructor(what: string, folder: string) {
    this.#what = what;
    this.#folder = folder;
  }

  /** @throws ModelFileError when the folder has no manifest, or another model's */
  manifest<T>(schema: z.ZodType<T>): T {
    return this.#read('manifest.json', (bytes) => schema.parse(JSON.parse(bytes.toString('utf8'))));
  }

  /** Makes a value of a file. @throws ModelFileError when it is missing, another one, or `make` fails */
  file<T>(name: string, { sha256 }: { readonly sha256: string }, make: (bytes: Buffer) => T): T {
    return this.#read(name, (bytes) => {
      if (sha256Of(bytes) !== sha256) throw new RangeError('its hash is not the manifest’s');
      return make(bytes);
    });
  }

  #read<T>(name: string, make: (bytes: Buffer) => T): T {
    const file = join(this.#folder, name);
    const where = { file };
    if (!existsSync(file)) throw new ModelFileError(`${this.#what} is missing`, { where, fix: FIX });
    try {
      return make(readFileSync(file));
    } catch (cause) {
      throw new ModelFileError(`${this.#what} can’t be read`, { where, cause, fix: FIX });
    }
  }
}
