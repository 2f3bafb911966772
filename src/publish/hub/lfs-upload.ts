import { z } from 'zod';
import type { HttpClient } from '../../http/http-client.js';
import { HttpError } from '../../http/http-error.js';
import { readHubAnswer } from '../../inference/hub/hub-answer.js';
import type { LocalFile } from './local-file.js';

/** Git LFS, docs/api/batch.md: how an object is uploaded, and where it is checked. */
const actionSchema = z.object({
  href: z.string().min(1),
  header: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
});
type Action = z.infer<typeof actionSchema>;

const batchSchema = z.object({
  objects: z.array(
    z.object({
      oid: z.string(),
      actions: z.object({ upload: actionSchema.nullish(), verify: actionSchema.nullish() }).nullish(),
      error: z.object({ code: z.int(), message: z.string() }).nullish(),
    }),
  ),
});

const LFS_JSON = 'application/vnd.git-lfs+json';
const LFS_HEADERS = { accept: LFS_JSON, 'content-type': LFS_JSON };

/** Objects that are asked about at a time. */
const BATCH = 100;

function malformed(url: string, message: string): HttpError {
  return new HttpError(message, { url, fix: 'Check the hub’s address (HF_ENDPOINT or --endpoint).' });
}

/** Headers to send along; a hub also puts the parts of a large file among them. */
function headersOf({ header }: Action): Readonly<Record<string, string>> {
  const own = Object.entries(header ?? {}).filter(([name]) => name !== 'chunk_size' && !/^\d+$/.test(name));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

/** Addresses of the parts of a large file, in order. */
function partsOf({ href, header }: Action, file: LocalFile, chunk: number): readonly string[] {
  const parts = Object.entries(header ?? {}).filter(([name]) => /^\d+$/.test(name));
  const urls = parts.sort(([a], [b]) => Number(a) - Number(b)).map(([, url]) => String(url));
  if (chunk > 0 && urls.length === Math.ceil(file.bytes / chunk)) return urls;
  throw malformed(href, 'the service names other parts of a large file than it has');
}

/** Uploads large files to a hub's store by Git LFS: what it has already it does not want again. */
export class LfsUpload {
  readonly #client: HttpClient;
  /** Of the batch API. */
  readonly #url: string;

  constructor(client: HttpClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** @throws HttpError when the hub refuses; `onDone` hears of each file that is there */
  async upload(files: readonly LocalFile[], revision: string, onDone: (file: LocalFile) => void): Promise<void> {
    const byHash = new Map(files.map((file) => [file.sha256, file]));
    const all = [...byHash.values()];
    for (let at = 0; at < all.length; at += BATCH) {
      for (const { oid, actions, error } of await this.#ask(all.slice(at, at + BATCH), revision)) {
        const file = byHash.get(oid);
        if (file === undefined) continue;
        if (error != null) throw malformed(this.#url, `the hub does not take ${file.path}: ${error.message}`);
        if (actions?.upload != null) await this.#put(file, actions.upload);
        if (actions?.verify != null) await this.#verify(file, actions.verify);
        onDone(file);
      }
    }
  }

  async #ask(files: readonly LocalFile[], revision: string): Promise<z.infer<typeof batchSchema>['objects']> {
    const asked = {
      operation: 'upload',
      transfers: ['basic', 'multipart'],
      ref: { name: revision },
      objects: files.map(({ sha256, bytes }) => ({ oid: sha256, size: bytes })),
      hash_algo: 'sha256',
    };
    const request = { method: 'POST', headers: LFS_HEADERS, body: JSON.stringify(asked) } as const;
    return readHubAnswer(await this.#client.send(this.#url, request), batchSchema).objects;
  }

  async #put(file: LocalFile, action: Action): Promise<void> {
    const chunk = action.header?.['chunk_size'];
    if (chunk === undefined) {
      await this.#putBytes(action.href, file, 0, file.bytes, headersOf(action));
      return;
    }
    const size = Number(chunk);
    const parts: { partNumber: number; etag: string }[] = [];
    for (const [i, url] of partsOf(action, file, size).entries()) {
      const start = i * size;
      const { headers } = await this.#putBytes(url, file, start, Math.min(size, file.bytes - start), {});
      parts.push({ partNumber: i + 1, etag: headers.get('etag') ?? '' });
    }
    const body = JSON.stringify({ oid: file.sha256, parts });
    await this.#client.send(action.href, { method: 'POST', headers: LFS_HEADERS, body });
  }

  #putBytes(url: string, file: LocalFile, start: number, length: number, headers: Readonly<Record<string, string>>) {
    return this.#client.send(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': String(length) },
      body: () => file.open(start, length),
    });
  }

  async #verify(file: LocalFile, action: Action): Promise<void> {
    const body = JSON.stringify({ oid: file.sha256, size: file.bytes });
    const headers = { ...LFS_HEADERS, ...headersOf(action) };
    await this.#client.send(action.href, { method: 'POST', headers, body });
  }
}
