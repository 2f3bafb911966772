import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server saw it. */
export interface HubRequest {
  readonly host: 'hub' | 'store';
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

/** Answers a request in place of the server; false lets the server answer. */
type Fault = (request: HubRequest, response: ServerResponse) => boolean;

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const gitBlob = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

interface Repository {
  readonly private: boolean;
  readonly files: Map<string, Buffer>;
  commits: number;
}

interface CommitLine {
  readonly key: string;
  readonly value: {
    readonly path: string;
    readonly content?: string;
    readonly oid?: string;
    readonly summary?: string;
  };
}

/**
 * A hub on this machine that data sets are written to, with a second server as the store of large files: creation,
 * preupload, Git LFS in one piece and in parts, verification, commits. huggingface_hub's own client can write to it, too
 * (`npm run check:python`).
 */
export class WritableHub {
  readonly repositories = new Map<string, Repository>();
  readonly store = new Map<string, Buffer>();
  readonly seen: HubRequest[] = [];
  readonly faults: Fault[] = [];
  readonly token = 'hf_secret_token';
  /** Bytes of a part of a large file; 0 takes each in one piece. */
  partBytes = 0;
  /** Commits that are made, and whose answers are lost. */
  lostAnswers = 0;
  readonly #parts = new Map<string, Buffer>();
  readonly #hub: Server;
  readonly #store: Server;

  private constructor() {
    this.#hub = createServer((request, response) => void this.#answer('hub', request, response));
    this.#store = createServer((request, response) => void this.#answer('store', request, response));
  }

  static async start(): Promise<WritableHub> {
    const hub = new WritableHub();
    for (const server of [hub.#hub, hub.#store]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#hub.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const server of [this.#hub, this.#store]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Fails the first `times` requests whose path matches. */
  fail(path: RegExp, times: number, answer: (response: ServerResponse) => void): void {
    let left = times;
    this.faults.push((request, response) => {
      if (left === 0 || !path.test(`${request.method} ${request.path}`)) return false;
      left--;
      answer(response);
      return true;
    });
  }

  async #answer(host: HubRequest['host'], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const seen = {
      ...{ host, method, path: request.url ?? '/' },
      ...{ authorization: headers.authorization, body: await bodyOf(request) },
    };
    this.seen.push(seen);
    if (this.faults.some((fault) => fault(seen, response))) return;
    if (host === 'store') return this.#keep(seen, response);
    // The address at which parts are put together is signed itself: huggingface_hub sends no token there.
    const isSigned = seen.path.includes('/lfs/complete/');
    if (!isSigned && headers.authorization !== `Bearer ${this.token}`)
      return send(response, 401, { error: 'Invalid credentials' });
    this.#route(seen, response);
  }

  #route({ method, path, body }: HubRequest, response: ServerResponse): void {
    const bare = path.split('?')[0] ?? '';
    if (bare === '/api/repos/create') return this.#create(JSON.parse(body.toString()) as never, response);
    // What huggingface_hub asks of a card before it sends it.
    if (bare === '/api/validate-yaml') return send(response, 200, { errors: [], warnings: [] });
    const [, id = '', action = ''] =
      /^\/(?:api\/)?datasets\/([^/]+\/[^/.]+)(?:\.git\/info)?(?:\/(.+))?$/.exec(bare) ?? [];
    const repository = this.repositories.get(id);
    if (repository === undefined) return send(response, 404, { error: 'Repository not found' });
    if (action === '' || action.startsWith('revision/')) {
      return send(response, 200, { id, sha: String(repository.commits).padStart(40, '0'), siblings: [] });
    }
    if (method !== 'POST') return send(response, 405, {});
    if (action.startsWith('preupload/'))
      return this.#preupload(repository, JSON.parse(body.toString()) as never, response);
    if (action === 'lfs/objects/batch') return this.#batch(id, JSON.parse(body.toString()) as never, response);
    if (action.startsWith('lfs/complete/'))
      return this.#complete(action.slice(13), JSON.parse(body.toString()) as never, response);
    if (action === 'lfs/verify') return this.#verify(JSON.parse(body.toString()) as never, response);
    if (action.startsWith('commit/')) return this.#commit(id, repository, body.toString(), response);
    send(response, 404, { error: 'no such route' });
  }

  #create(
    asked: { type: string; name: string; organization: string | null; private?: boolean; visibility?: string },
    response: ServerResponse,
  ): void {
    const id = `${asked.organization ?? 'me'}/${asked.name}`;
    if (asked.type !== 'dataset') return send(response, 400, { error: 'not a data set' });
    if (this.repositories.has(id)) return send(response, 409, { error: 'You already created this dataset repo' });
    const isPrivate = asked.private === true || asked.visibility === 'private';
    this.repositories.set(id, { private: isPrivate, files: new Map(), commits: 0 });
    send(response, 200, { url: `${this.url}/datasets/${id}` });
  }

  #preupload(
    { files }: Repository,
    asked: { files: readonly { path: string; size: number; sample: string }[] },
    response: ServerResponse,
  ): void {
    const answers = asked.files.map(({ path }) => {
      const isLarge = path.endsWith('.parquet');
      const there = files.get(path);
      const oid = there === undefined ? {} : { oid: isLarge ? sha256(there) : gitBlob(there) };
      return { path, uploadMode: isLarge ? 'lfs' : 'regular', shouldIgnore: false, ...oid };
    });
    send(response, 200, { files: answers });
  }

  #batch(id: string, asked: { objects: readonly { oid: string; size: number }[] }, response: ServerResponse): void {
    const store = `http://127.0.0.1:${(this.#store.address() as AddressInfo).port}`;
    const verify = { href: `${this.url}/datasets/${id}.git/info/lfs/verify` };
    const objects = asked.objects.map(({ oid, size }) => {
      if (this.store.has(oid)) return { oid, size };
      if (this.partBytes === 0)
        return { oid, size, actions: { upload: { href: `${store}/${oid}?signature=1` }, verify } };
      const count = Math.ceil(size / this.partBytes);
      const parts = Array.from({ length: count }, (_, i) => [`${i + 1}`, `${store}/${oid}/${i + 1}`] as const);
      const header = { chunk_size: String(this.partBytes), ...Object.fromEntries(parts) };
      return {
        oid,
        size,
        actions: { upload: { href: `${this.url}/datasets/${id}.git/info/lfs/complete/${oid}`, header }, verify },
      };
    });
    send(response, 200, { transfer: this.partBytes === 0 ? 'basic' : 'multipart', objects });
  }

  #keep({ method, path, authorization, body }: HubRequest, response: ServerResponse): void {
    // A store knows signed addresses, and refuses whoever says more.
    if (method !== 'PUT' || authorization !== undefined) return send(response, 403, {});
    const [, oid = '', part] = /^\/([0-9a-f]{64})(?:\/(\d+))?/.exec(path) ?? [];
    if (part === undefined) {
      if (sha256(body) !== oid) return send(response, 400, {});
      this.store.set(oid, body);
    } else this.#parts.set(`${oid}/${part}`, body);
    send(response, 200, {}, { etag: `"${sha256(body).slice(0, 8)}"` });
  }

  #complete(
    oid: string,
    asked: { oid: string; parts: readonly { partNumber: number; etag: string }[] },
    response: ServerResponse,
  ): void {
    const parts = asked.parts.map(({ partNumber }) => this.#parts.get(`${oid}/${partNumber}`) ?? Buffer.alloc(0));
    const areTagged = asked.parts.every(
      ({ etag }, i) => etag === `"${sha256(parts[i] ?? Buffer.alloc(0)).slice(0, 8)}"`,
    );
    const whole = Buffer.concat(parts);
    if (sha256(whole) !== oid || !areTagged) return send(response, 400, { error: 'parts do not fit' });
    this.store.set(oid, whole);
    send(response, 200, {});
  }

  #verify({ oid, size }: { oid: string; size: number }, response: ServerResponse): void {
    send(response, this.store.get(oid)?.length === size ? 200 : 404, {});
  }

  #commit(id: string, repository: Repository, text: string, response: ServerResponse): void {
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CommitLine);
    if (lines[0]?.key !== 'header' || lines[0].value.summary === undefined) return send(response, 400, {});
    for (const { key, value } of lines.slice(1)) {
      const content = key === 'file' ? Buffer.from(value.content ?? '', 'base64') : this.store.get(value.oid ?? '');
      if (content === undefined) return send(response, 400, { error: 'no such object' });
      repository.files.set(value.path, content);
    }
    repository.commits++;
    const oid = String(repository.commits).padStart(40, '0');
    if (this.lostAnswers-- > 0) return void response.destroy();
    send(response, 200, { commitUrl: `${this.url}/datasets/${id}/commit/${oid}`, commitOid: oid, success: true });
  }
}
