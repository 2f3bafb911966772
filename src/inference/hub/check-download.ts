import { formatCount } from '../../counts.js';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DownloadError } from '../../errors.js';
import { streamSha256 } from '../../run/sha256.js';
import type { SourceFile } from './model-source.js';

const LFS_POINTER = 'version https://git-lfs';
const WEB_PAGE = /^\s*<(?:!doctype html|html)/i;

/** The first bytes of a file as text. */
function readStart(path: string): string {
  const handle = openSync(path, 'r');
  try {
    const start = Buffer.alloc(64);
    return start.toString('latin1', 0, readSync(handle, start, 0, start.length, 0));
  } finally {
    closeSync(handle);
  }
}

/** SHA-1 of a file as git stores it. */
async function gitBlobOf(path: string): Promise<string> {
  const hash = createHash('sha1').update(`blob ${statSync(path).size}\0`);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Returns the sign in a file's first bytes that it is not the one that was asked for, or null if there is none. */
function foreignContent(path: string): { readonly message: string; readonly fix: string } | null {
  const start = readStart(path);
  if (start.startsWith(LFS_POINTER)) {
    const fix = 'Run `git lfs pull` there, or name an address that serves the file itself.';
    return { message: 'this is a Git LFS pointer, not the file', fix };
  }
  if (!WEB_PAGE.test(start)) return null;
  const fix =
    'Name the address of the file itself (at a hub: …/resolve/…, not …/blob/…); a proxy may also want a login.';
  return { message: 'this is a web page, not the file', fix };
}

async function hashFault(path: string, { sha256, gitBlob }: SourceFile): Promise<string | null> {
  if (sha256 !== null) {
    const actual = await streamSha256(path);
    return actual === sha256 ? null : `its sha256 is ${actual}, not ${sha256}`;
  }
  if (gitBlob === null) return null;
  const actual = await gitBlobOf(path);
  return actual === gitBlob ? null : `its git hash is ${actual}, not ${gitBlob}`;
}

/**
 * Checks whether a file on disk is, by all that its source says of it, the one that is wanted; false where it says
 * nothing.
 */
export async function isSameFile(path: string, file: SourceFile): Promise<boolean> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || (file.sha256 === null && file.gitBlob === null)) return false;
  if (file.bytes !== null && stats.size !== file.bytes) return false;
  return (await hashFault(path, file)) === null;
}

/**
 * Checks a file that was fetched against what its source says of it.
 * @throws DownloadError when it is empty, a Git LFS pointer, a web page, or of another size or hash.
 */
export async function checkDownload(path: string, file: SourceFile, from: string): Promise<void> {
  const where = { id: from };
  const foreign = foreignContent(path);
  if (foreign !== null) throw new DownloadError(foreign.message, { where, fix: foreign.fix });
  const { size } = statSync(path);
  if (size === 0) {
    const fix = 'Fix it at its source, or remove it there if the model does without it.';
    throw new DownloadError('the file is empty', { where, fix });
  }
  const fix = 'Run the same command again; if it stays so, the service or a proxy changes the file.';
  if (file.bytes !== null && size !== file.bytes) {
    throw new DownloadError(`the file holds ${formatCount(size)} bytes, not ${formatCount(file.bytes)}`, {
      where,
      fix,
    });
  }
  const fault = await hashFault(path, file);
  if (fault !== null) throw new DownloadError(`the file is not the one that was asked for: ${fault}`, { where, fix });
}
