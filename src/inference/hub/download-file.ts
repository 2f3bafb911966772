import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import { formatCount } from '../../counts.js';
import { discard, type HttpAnswer, type HttpClient } from '../../http/http-client.js';
import { cutOff, HttpError } from '../../http/http-error.js';
import { shownUrl } from '../../http/http-url.js';
import { firstBytes } from '../../regular-file.js';
import { commitFile, writeDurably } from '../../run/durable-file.js';
import { makeFolder } from '../../run/output-place.js';
import type { SourceFile } from './model-source.js';
import { DownloadError } from '../../errors.js';
import { streamSha256 } from '../../run/sha256.js';

const LFS_POINTER = 'version https://git-lfs';
const WEB_PAGE = /^\s*<(?:!doctype html|html)/i;

/** SHA-1 of a file as git stores it. */
async function gitBlobOf(path: string): Promise<string> {
  const hash = createHash('sha1').update(`blob ${statSync(path).size}\0`);
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Returns the sign in a file's first bytes that it is not the one that was asked for, or null if there is none. */
function foreignContent(path: string): { readonly message: string; readonly fix: string } | null {
  const start = firstBytes(path, 64).toString('latin1');
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

/** The part of a file that is there, and which version of the file it is a part of. */
class Partial {
  readonly path: string;
  readonly #note: string;

  constructor(target: string) {
    this.path = `${target}.partial`;
    this.#note = `${this.path}.etag`;
  }

  get bytes(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Null where it is not known of which version the part is: then it is of no use. */
  get etag(): string | null {
    try {
      return readFileSync(this.#note, 'utf8');
    } catch {
      return null;
    }
  }

  /** Begins again with a version of the file. */
  begin(etag: string | null): void {
    this.drop();
    if (etag !== null) writeDurably(this.#note, etag);
  }

  drop(): void {
    rmSync(this.path, { force: true });
    rmSync(this.#note, { force: true });
  }

  commit(target: string): void {
    commitFile(this.path, target);
    rmSync(this.#note, { force: true });
  }
}

/** First byte that an answer brings; null where its range says something else than what was asked. */
function startOf({ status, headers }: HttpAnswer): number | null {
  if (status === 200) return 0;
  const match = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '');
  return match === null ? null : Number(match[1]);
}

interface Download {
  readonly client: HttpClient;
  readonly url: string;
  readonly file: SourceFile;
  readonly onBytes: (bytes: number) => void;
}

/** Restarting costs one more request and no pause. */
function startOver(message: string, url: string): HttpError {
  const fix = 'Run the same command again.';
  return new HttpError(message, { url, kind: 'cut', waitMs: 0, fix });
}

/** An etag in its bare form; null for none and for a weak one, which promises no equal bytes (RFC 9110 §8.8.1). */
function bareEtag(headers: Headers): string | null {
  const etag = headers.get('x-linked-etag') ?? headers.get('etag');
  return etag === null || etag.startsWith('W/') ? null : etag.replaceAll('"', '');
}

/** Returns a hub's headers about a file before it redirects to where the bytes lie; else those given there. */
function linkedOf({ trail, headers: last }: HttpAnswer): {
  readonly etag: string | null;
  readonly bytes: number | null;
} {
  const headers = trail.find((one) => bareEtag(one) !== null) ?? last;
  const size = headers.get('x-linked-size');
  return { etag: bareEtag(headers), bytes: size === null ? null : Number(size) };
}

/** Opens the rest of a file, or all of it where the part that is there is of another version. */
async function openRest({ client, url }: Download, partial: Partial): Promise<HttpAnswer> {
  const known = partial.etag;
  const have = known === null ? 0 : partial.bytes;
  const answer = await client.open(url, have === 0 ? {} : { headers: { range: `bytes=${have}-` } });
  const start = startOf(answer);
  const isSame = known !== null && linkedOf(answer).etag === known;
  if (have > 0 && (!isSame || answer.status === 416 || (start !== 0 && start !== have))) {
    discard(answer.body);
    partial.drop();
    throw startOver('the file has changed at its source since the download began', url);
  }
  if (start === 0) partial.begin(linkedOf(answer).etag);
  return answer;
}

async function receive(download: Download, partial: Partial): Promise<void> {
  const { url, file, onBytes } = download;
  // A service answers a request beyond the end with an error, so a part that is all is not asked about.
  if (partial.etag !== null && file.bytes !== null && partial.bytes === file.bytes) return;
  const answer = await openRest(download, partial);
  let bytes = partial.bytes;
  const expected = file.bytes ?? linkedOf(answer).bytes;
  answer.body.on('data', (chunk: Buffer) => onBytes((bytes += chunk.length)));
  try {
    await pipeline(answer.body, createWriteStream(partial.path, { flags: 'a' }));
  } catch (cause) {
    // What the disk refuses is not repaired by another try.
    if ((cause as NodeJS.ErrnoException).syscall === 'write') throw cause;
    throw cutOff(url, cause);
  }
  if (expected === null || partial.bytes >= expected || partial.bytes < 1024) return;
  throw startOver(`the connection ended after ${formatCount(partial.bytes)} of ${formatCount(expected)} bytes`, url);
}

/**
 * Downloads a file so that its path holds the whole file or nothing. What a killed download left is gone on with by
 * Range, if the file's ETag is still the same; size and hash are checked before the file gets its name.
 * @throws DownloadError when the service refuses, can't be reached, or sends something else.
 */
export async function downloadFile(download: Download, target: string): Promise<void> {
  const { client, url, file } = download;
  makeFolder(dirname(target));
  const partial = new Partial(target);
  let reached = partial.bytes;
  const hasProgressed = (): boolean => {
    const before = reached;
    reached = partial.bytes;
    return reached > before;
  };
  await client.persist(() => receive(download, partial), undefined, hasProgressed);
  try {
    const { etag } = partial;
    const sha256 = file.sha256 ?? (etag !== null && /^[0-9a-f]{64}$/.test(etag) ? etag : null);
    await checkDownload(partial.path, { ...file, sha256 }, shownUrl(url));
  } catch (error) {
    partial.drop();
    throw error;
  }
  partial.commit(target);
}
