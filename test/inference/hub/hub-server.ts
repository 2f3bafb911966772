import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The small random models (test/fixtures/models/make_models.py). */
export const FIXTURES = fileURLToPath(new URL('../../fixtures/models', import.meta.url));

export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** Files by path. */
export type Files = Readonly<Record<string, Buffer>>;

/** The files of a fixture, with others laid over them; null leaves one out. */
export function fixtureFiles(name: string, change: Readonly<Record<string, string | Buffer | null>> = {}): Files {
  const folder = join(FIXTURES, name);
  const files: Record<string, Buffer> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (statSync(join(folder, entry)).isFile()) files[entry.split(sep).join('/')] = readFileSync(join(folder, entry));
  }
  for (const [path, content] of Object.entries(change)) {
    if (content === null) delete files[path];
    else files[path] = Buffer.from(content);
  }
  return files;
}

export interface SeenRequest {
  readonly host: 'hub' | 'cdn';
  readonly method: string;
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
}

/** Answers a request in place of the server; false lets the server answer. */
export type Fault = (request: SeenRequest, response: ServerResponse) => boolean;

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const gitBlob = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
const isLfs = (path: string): boolean => /\.(?:onnx|onnx_data|bin)$/.test(path);

function json(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'x-error-code': code, ...headers }).end(JSON.stringify({ error: code }));
}

/** Sends bytes, or the range of them that was asked for. */
function sendBytes(request: IncomingMessage, response: ServerResponse, content: Buffer, etag: string): void {
  const match = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
  const start = match === null ? 0 : Number(match[1]);
  if (start >= content.length && start > 0) return refuse(response, 416, 'RangeNotSatisfiable');
  const ranged = { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` };
  response.writeHead(match === null ? 200 : 206, {
    etag: `"${etag}"`,
    'content-length': content.length - start,
    ...(match === null ? {} : ranged),
  });
  response.end(request.method === 'HEAD' ? undefined : content.subarray(start));
}

/**
 * A model hub on this machine, with its large files on a second server as a hub has them at a CDN: the protocol of
 * `/api/models`, `/resolve`, redirects, ranges and ETags. Plain folders lie under `/plain/<id>/`.
 */
export class HubServer {
  readonly models: Record<string, Files> = {};
  readonly seen: SeenRequest[] = [];
  /** Asked of every request, in order, before the server answers itself. */
  readonly faults: Fault[] = [];
  /** Access token that is asked for; null lets everybody in. */
  token: string | null = null;
  license: string | null = 'apache-2.0';
  /** Entries of a page of the tree. */
  page = 4;
  readonly #hub: Server;
  readonly #cdn: Server;

  private constructor() {
    this.#hub = createServer((request, response) => this.#answer('hub', request, response));
    this.#cdn = createServer((request, response) => this.#answer('cdn', request, response));
  }

  static async start(): Promise<HubServer> {
    const server = new HubServer();
    for (const one of [server.#hub, server.#cdn]) {
      await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    }
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#hub.address() as AddressInfo).port}`;
  }

  get cdnUrl(): string {
    return `http://127.0.0.1:${(this.#cdn.address() as AddressInfo).port}`;
  }

  /** Fails the first `times` requests whose path matches. */
  fail(path: RegExp, times: number, answer: (response: ServerResponse, request: SeenRequest) => void): void {
    let left = times;
    this.faults.push((request, response) => {
      if (left === 0 || !path.test(request.path)) return false;
      left--;
      answer(response, request);
      return true;
    });
  }

  async stop(): Promise<void> {
    for (const one of [this.#hub, this.#cdn]) {
      one.closeAllConnections();
      await new Promise((resolve) => one.close(resolve));
    }
  }

  #answer(host: SeenRequest['host'], request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', headers } = request;
    const path = decodeURIComponent(request.url ?? '/');
    const seen = { host, method, path, range: headers.range, authorization: headers.authorization };
    this.seen.push(seen);
    if (this.faults.some((fault) => fault(seen, response))) return;
    if (host === 'cdn') return this.#sendLarge(request, response, path);
    if (this.token !== null && headers.authorization !== `Bearer ${this.token}`)
      return refuse(response, 401, 'GatedRepo');
    this.#route(request, response, path);
  }

  #route(request: IncomingMessage, response: ServerResponse, path: string): void {
    const plain = /^\/plain\/([^/]+)\/([^?]+)/.exec(path);
    if (plain !== null) {
      const content = this.models[plain[1]!]?.[plain[2]!];
      if (content === undefined) return refuse(response, 404, 'none');
      return sendBytes(request, response, content, sha256(content).slice(0, 20));
    }
    const info = /^\/api\/models\/(.+)\/revision\/([^/]+)$/.exec(path);
    if (info !== null) return this.#sendInfo(response, info[1]!, info[2]!);
    const tree = /^\/api\/models\/(.+)\/tree\/([^/?]+)\?recursive=true(?:&cursor=(\d+))?$/.exec(path);
    if (tree !== null) return this.#sendTree(response, tree[1]!, Number(tree[3] ?? 0));
    const file = /^\/(.+)\/resolve\/([^/]+)\/(.+)$/.exec(path);
    if (file !== null) return this.#sendFile(request, response, file[1]!, file[3]!);
    refuse(response, 404, 'RepoNotFound');
  }

  #sendInfo(response: ServerResponse, id: string, revision: string): void {
    if (this.models[id] === undefined) return refuse(response, 404, 'RepoNotFound');
    if (revision !== 'main' && revision !== COMMIT) return refuse(response, 404, 'RevisionNotFound');
    json(response, { id, sha: COMMIT, ...(this.license === null ? {} : { cardData: { license: this.license } }) });
  }

  #sendTree(response: ServerResponse, id: string, start: number): void {
    const entries = Object.entries(this.models[id] ?? {}).map(([path, content]) => {
      const common = { type: 'file', path, size: content.length, oid: gitBlob(content) };
      return isLfs(path)
        ? { ...common, lfs: { oid: sha256(content), size: content.length, pointerSize: 134 } }
        : common;
    });
    const all = [{ type: 'directory', path: 'onnx', oid: 'x', size: 0 }, ...entries];
    const next = start + this.page;
    const link = `<${this.url}/api/models/${id}/tree/${COMMIT}?recursive=true&cursor=${next}>; rel="next"`;
    json(response, all.slice(start, next), next < all.length ? { link } : {});
  }

  #sendFile(request: IncomingMessage, response: ServerResponse, id: string, path: string): void {
    const content = this.models[id]?.[path];
    if (content === undefined) return refuse(response, 404, 'EntryNotFound');
    if (!isLfs(path)) return sendBytes(request, response, content, gitBlob(content));
    response.writeHead(302, {
      location: `${this.cdnUrl}/blobs/${sha256(content)}?signature=secret`,
      'x-linked-etag': `"${sha256(content)}"`,
      'x-linked-size': String(content.length),
      'x-repo-commit': COMMIT,
    });
    response.end();
  }

  #sendLarge(request: IncomingMessage, response: ServerResponse, path: string): void {
    const hash = /^\/blobs\/([0-9a-f]{64})/.exec(path)?.[1];
    const content = Object.values(this.models)
      .flatMap((files) => Object.values(files))
      .find((file) => sha256(file) === hash);
    if (content === undefined) return refuse(response, 404, 'none');
    // A CDN's own ETag is another one than the hub's.
    sendBytes(request, response, content, `cdn-${hash!.slice(0, 8)}`);
  }
}

/** Sends some bytes of what was promised and breaks the connection. */
export function cutAfter(content: Buffer, bytes: number): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-length': content.length, etag: '"cut"' });
    response.write(content.subarray(0, bytes), () => setTimeout(() => response.destroy(), 20));
  };
}
