import { packagePath } from '../package-path.js';

/** Name of the word vectors that the package carries. */
const EMBEDDED_VECTORS = 'retrofitted-glove';

/** Path of the embedded word vectors, whether the program runs from `src/` or `dist/`. */
export function embeddedVectorsPath(): string {
  return packagePath(`data/word-vectors/${EMBEDDED_VECTORS}.pqv`);
}
