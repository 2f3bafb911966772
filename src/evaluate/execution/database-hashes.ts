import { existsSync, statSync } from 'node:fs';
import { fileSha256, sha256Of, streamSha256 } from '../../run/sha256.js';
import { memoize } from '../../schema/memoize.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';

/** Bytes up to which a file is read at once, which is quicker than a stream. */
const SMALL = 16 * 1024 * 1024;

async function hashFile(file: string): Promise<string> {
  return statSync(file).size <= SMALL ? fileSha256(file) : streamSha256(file);
}

/** Of the file, of its log where it has one, and of the scripts. */
async function hashOf({ file, setup = [] }: QuerySource, fileHash: (file: string) => Promise<string>): Promise<string> {
  const files = file === null ? [] : [file, `${file}-wal`].filter((path, i) => i === 0 || existsSync(path));
  const hashes = await Promise.all([
    ...files.map(fileHash),
    ...setup.map((script) => (typeof script === 'string' ? sha256Of(script) : fileHash(script.file))),
  ]);
  return hashes.length === 1 ? (hashes[0] ?? '') : sha256Of(hashes.join('\n'));
}

/**
 * sha256 of what queries read, by the id of their schemas in order; each file is read once. Where queries of one id read
 * different databases, of all their hashes.
 */
export async function hashDatabases(
  read: Iterable<readonly [id: string, source: QuerySource]>,
): Promise<Readonly<Record<string, string>>> {
  const fileHash = memoize(hashFile);
  const sources = new Map<string, Map<string, QuerySource>>();
  for (const [id, source] of read) {
    const ofId = sources.get(id) ?? new Map<string, QuerySource>();
    sources.set(id, ofId.set(JSON.stringify(source), source));
  }
  const hashes: Record<string, string> = {};
  for (const [id, ofId] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const all: string[] = [];
    for (const source of ofId.values()) all.push(await hashOf(source, fileHash));
    const distinct = [...new Set(all)].sort();
    hashes[id] = distinct.length === 1 ? (distinct[0] ?? '') : sha256Of(distinct.join('\n'));
  }
  return hashes;
}
