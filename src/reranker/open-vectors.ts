import { fileWithin } from '../regular-file.js';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputFormatError } from '../errors.js';
import { VECTORS_FILE } from '../inference/model-manifest.js';
import { resolveModel } from '../inference/models-folder.js';
import { makeFolder } from '../run/output-place.js';
import { streamSha256 } from '../run/sha256.js';
import { convertNumberbatch } from './numberbatch-reader.js';
import { VectorFile } from './vector-file.js';

const COMPACT_ENDING = '.pqv';

/** The file that a setting means: the vectors that were pulled under that name, those in that folder, or that path. */
function findVectors(nameOrPath: string): string {
  const path = resolveModel(nameOrPath);
  return fileWithin(path, VECTORS_FILE);
}

/**
 * Opens word vectors, named by their file or, if they were pulled, by their name: a compact file as it is, ConceptNet Numberbatch's own text format (plain or .gz) by converting it
 * once into `cacheFolder`, under the text's sha256 (520k terms: half a minute, then 0.3 s).
 * @throws InputFormatError when the file is missing or no vector text; ModelFileError when a compact file is damaged.
 */
export async function openVectors(nameOrPath: string, cacheFolder: string): Promise<VectorFile> {
  const file = findVectors(nameOrPath);
  if (!existsSync(file)) {
    throw new InputFormatError('there is no such vector file', {
      where: { file: nameOrPath },
      fix: 'Name a .pqv file, Numberbatch’s text (plain or .gz), or vectors of `perturbql models list`.',
    });
  }
  if (file.endsWith(COMPACT_ENDING)) return VectorFile.open(file);
  const sha256 = await streamSha256(file);
  const target = join(cacheFolder, `vectors-${sha256.slice(0, 16)}${COMPACT_ENDING}`);
  if (!existsSync(target)) {
    makeFolder(cacheFolder);
    const name = basename(file).replace(/\.(?:txt|gz|txt\.gz)$/, '');
    await convertNumberbatch(file, target, { name, revision: sha256.slice(0, 12), license: 'see its source' });
  }
  return VectorFile.open(target);
}
