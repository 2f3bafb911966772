import { discard, type HttpAnswer, type HttpClient } from '../../http/http-client.js';
import { HttpError } from '../../http/http-error.js';
import { shownUrl } from '../../http/http-url.js';
import { withoutKeys } from '../../http/secret-mask.js';
import { downloadFile } from './download-file.js';
import { CONFIG_FILE, networkChoices, TEXT_FILES } from './choose-files.js';
import type { ModelSource, SourceFile } from './model-source.js';
import type { Dtype } from './pull-choices.js';

/** A file's URL below a folder's, which keeps its query (signed addresses). */
function within(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url.href;
}

const NO_HEAD: ReadonlySet<number> = new Set([405, 501]);
const ABSENT: ReadonlySet<number> = new Set([404, 410]);
/** A storage service that lists nothing to strangers (S3) refuses what is not there. */
const ABSENT_OR_HIDDEN: ReadonlySet<number> = new Set([...ABSENT, 403]);

/** Bytes of a file by an answer's headers; null where they do not say. */
function sizeOf({ status, headers }: HttpAnswer): number | null {
  const range = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  const size = status === 200 ? headers.get('content-length') : range;
  return size == null ? null : Number(size);
}

/** The head of an answer; a server that does not know HEAD is asked for the first byte. */
async function openHead(client: HttpClient, url: string): Promise<HttpAnswer> {
  try {
    return await client.open(url, { method: 'HEAD' });
  } catch (error) {
    if (!(error instanceof HttpError) || !NO_HEAD.has(error.status ?? 0)) throw error;
    return client.open(url, { headers: { range: 'bytes=0-0' } });
  }
}

/** Checks whether a plain server has a file, and how large. */
async function look(
  client: HttpClient,
  url: string,
  path: string,
  absent: ReadonlySet<number>,
): Promise<SourceFile | null> {
  return client.persist(async () => {
    try {
      const answer = await openHead(client, url);
      discard(answer.body);
      // A server that answers every address with its front page has none of the files.
      if (/^text\/html/i.test(answer.headers.get('content-type') ?? '')) return null;
      return { path, bytes: sizeOf(answer), sha256: null, gitBlob: null };
    } catch (error) {
      if (error instanceof HttpError && absent.has(error.status ?? 0)) return null;
      throw error;
    }
  });
}

/** The first network that is there, with its weights: a server that lists nothing is asked for one after the other. */
async function findNetwork(
  ask: (path: string) => Promise<SourceFile | null>,
  dtype?: Dtype,
): Promise<readonly SourceFile[]> {
  for (const { networks } of networkChoices(dtype)) {
    const found = await Promise.all(networks.map(ask));
    if (found.some((file) => file === null)) continue;
    const weights = await Promise.all(networks.map((path) => ask(`${path}_data`)));
    return [...found, ...weights].filter((file) => file !== null);
  }
  return [];
}

/**
 * The files of a folder on a plain server, in a hub's layout.
 * @throws DownloadError when the server refuses or can't be reached.
 */
export async function openUrl(client: HttpClient, base: string, dtype?: Dtype): Promise<ModelSource> {
  const config = await look(client, within(base, CONFIG_FILE), CONFIG_FILE, ABSENT);
  // Who may read one file may read all; before that a refusal is one.
  const absent = config === null ? ABSENT : ABSENT_OR_HIDDEN;
  const ask = (path: string): Promise<SourceFile | null> => look(client, within(base, path), path, absent);
  const others = await Promise.all(TEXT_FILES.filter((path) => path !== CONFIG_FILE).map(ask));
  const texts = [config, ...others].filter((file) => file !== null);
  return {
    described: shownUrl(base),
    argument: withoutKeys(base),
    revision: null,
    license: null,
    files: [...texts, ...(await findNetwork(ask, dtype))],
    fetch: (file, target, onBytes) => downloadFile({ client, url: within(base, file.path), file, onBytes }, target),
  };
}
