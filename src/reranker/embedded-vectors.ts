import { fileURLToPath } from 'node:url';

/** Name of the word vectors that the package carries. */
const EMBEDDED_VECTORS = 'retrofitted-glove';

/** Path of the embedded word vectors, whether the program runs from `src/` or `dist/`. */
export function embeddedVectorsPath(): string {
  return fileURLToPath(new URL(`../../data/word-vectors/${EMBEDDED_VECTORS}.pqv`, import.meta.url));
}
