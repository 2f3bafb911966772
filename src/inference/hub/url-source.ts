import { DownloadError } from '../../errors.js';
import { downloadFile } from './download-file.js';
import { networkChoices, TEXT_FILES } from './choose-files.js';
import { discard, type HttpClient } from './http-client.js';
import { shownUrl } from './http-refusal.js';
import type { ModelSource, SourceFile } from './model-source.js';
import type { Dtype } from './pull-choices.js';

/** A file's URL below a folder's, which keeps its query (signed addresses). */
function within(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return url.href;
}

/** Whether a plain server has a file, and how large; one that does not answer HEAD is taken to have none. */
async function look(client: HttpClient, url: string, path: string): Promise<SourceFile | null> {
  return client.persist(async () => {
    try {
      const { headers, body } = await client.open(url, {}, 'HEAD');
      discard(body);
      const length = headers.get('content-length');
      // A server that answers every address with its front page has none of the files.
      if (/^text\/html/i.test(headers.get('content-type') ?? '')) return null;
      return { path, bytes: length === null ? null : Number(length), sha256: null, gitBlob: null };
    } catch (error) {
      if (error instanceof DownloadError && /\(404\)|answers 405/.test(error.message)) return null;
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
    return [...found, ...(await Promise.all(networks.map((path) => ask(`${path}_data`))))].filter(
      (file) => file !== null,
    );
  }
  return [];
}

/**
 * The files of a folder on a plain server, in a hub's layout.
 * @throws DownloadError when the server refuses or can't be reached.
 */
export async function openUrl(client: HttpClient, base: string, dtype?: Dtype): Promise<ModelSource> {
  const ask = (path: string): Promise<SourceFile | null> => look(client, within(base, path), path);
  const texts = (await Promise.all(TEXT_FILES.map(ask))).filter((file) => file !== null);
  return {
    described: shownUrl(base),
    argument: base,
    revision: null,
    license: null,
    files: [...texts, ...(await findNetwork(ask, dtype))],
    fetch: (file, target, onBytes) => downloadFile({ client, url: within(base, file.path), file, onBytes }, target),
  };
}
