import { existsSync } from 'node:fs';
import type { Dataset } from '../../formats/dataset.js';
import { mustGet } from '../../present.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import { sqliteBytes } from './perturbed-databases.js';

/** sha256 over the input's own database files, with what their logs hold: a resumed run must not mix two of them. */
export function hashDatabaseFiles(dataset: Dataset, ids: Iterable<string>): string {
  const hashes = [...ids].flatMap((id) => {
    if (sqliteBytes(dataset, id) === 0) return [];
    const file = mustGet(dataset.sqliteFile(id, ''), 'dataset.sqliteFile(id, )');
    return [file, `${file}-wal`].filter((path) => existsSync(path)).map(fileSha256);
  });
  return sha256Of(hashes.join());
}
