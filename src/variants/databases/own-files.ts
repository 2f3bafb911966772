import { existsSync } from 'node:fs';
import type { Dataset, RowSource } from '../../formats/dataset.js';
import { mustGet } from '../../present.js';
import { fileSha256, sha256Of, streamSha256 } from '../../run/sha256.js';

/** The input's own file of a database; others would have to be written first. */
export function ownFile(dataset: RowSource, id: string): string | null {
  return (dataset.sqliteBytes?.(id) ?? null) === null ? null : dataset.sqliteFile(id, '');
}

/** Bytes of a database's file in the input, 0 where the input holds its rows otherwise. */
export function sqliteBytes(dataset: Dataset, dbId: string): number {
  return dataset.sqliteBytes?.(dbId) ?? 0;
}

/** sha256 over the input's own database files, with what their logs hold: a resumed run must not mix two of them. */
export function hashDatabaseFiles(dataset: Dataset, ids: Iterable<string>): string {
  const hashes = [...ids].flatMap((id) => {
    if (sqliteBytes(dataset, id) === 0) return [];
    const file = mustGet(dataset.sqliteFile(id, ''), 'dataset.sqliteFile(id, )');
    return [file, `${file}-wal`].filter((path) => existsSync(path)).map(fileSha256);
  });
  return sha256Of(hashes.join());
}

/** sha256 over the input's own database files, or the copy of a server's; null where there are none. */
export async function hashRows(rows: RowSource, ids: Iterable<string>): Promise<string | null> {
  const hashes = rows.copy === undefined ? [] : [sha256Of(rows.copy.bytes)];
  for (const id of ids) {
    const file = ownFile(rows, id);
    if (file !== null) hashes.push(await streamSha256(file));
  }
  return hashes.length === 0 ? null : sha256Of(hashes.join());
}
