import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { HttpClient, HttpClientOptions, HttpText } from '../../http/http-client.js';
import { downloadFile } from './download-file.js';
import type { ModelSource, SourceFile } from './model-source.js';
import { ConfigError, DownloadError } from '../../errors.js';
import { parseUrl, shownUrl } from '../../http/http-url.js';
import { withoutKeys } from '../../http/secret-mask.js';
import { homeFolder } from '../../run/cache-folder.js';

/** The environment's settings of the hub, by the names that its own clients read. */
export interface HubEnvironment {
  /** The hub's address without a slash at its end; null where none is named. */
  readonly endpoint: string | null;
  /** The access token, for the hub alone. */
  readonly credentials: NonNullable<HttpClientOptions['credentials']> | null;
  readonly offline: boolean;
  /** Cache of the hub's own clients, whose snapshots are read when offline. */
  readonly hubCache: string;
}

const HOME_FIX = 'Set HOME, or set HF_HOME to a folder for models and the hub’s own cache.';
const TRUE = /^(?:1|true|yes|on)$/i;

function readToken(environment: NodeJS.ProcessEnv, home: string): string | null {
  const { HF_TOKEN: token = '', HF_TOKEN_PATH: path = '' } = environment;
  if (token !== '') return token.trim();
  const file = path === '' ? join(home, 'token') : path;
  if (!existsSync(file)) return null;
  if (statSync(file).isDirectory()) {
    throw new ConfigError('there is a folder where the access token’s file is looked for', {
      where: { file },
      fix: 'Set HF_TOKEN_PATH to the file, or HF_TOKEN to the token.',
    });
  }
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? null : text;
}

/** @throws ConfigError when the endpoint is no http address, the token no file, or no home folder is known. */
export function readHubEnvironment(environment: NodeJS.ProcessEnv, endpoint?: string): HubEnvironment {
  const { HF_HOME: home = '', HF_HUB_CACHE: cache = '', XDG_CACHE_HOME: xdg = '' } = environment;
  const userCache = (): string => (xdg === '' ? join(homeFolder(HOME_FIX), '.cache') : xdg);
  const base = home === '' ? join(userCache(), 'huggingface') : home;
  const named = endpoint ?? environment['HF_ENDPOINT'] ?? '';
  const described = `the hub's address "${withoutKeys(named)}"`;
  const url = named === '' ? null : parseUrl(named, described, 'Write HF_ENDPOINT or --endpoint as https://host.');
  const token = readToken(environment, base);
  return {
    endpoint: named === '' ? null : named.replace(/\/+$/, ''),
    credentials:
      url === null || token === null ? null : { origin: url.origin, headers: { authorization: `Bearer ${token}` } },
    offline: TRUE.test(environment['HF_HUB_OFFLINE'] ?? ''),
    hubCache: cache === '' ? join(base, 'hub') : cache,
  };
}

const revisionSchema = z.looseObject({
  sha: z.string().min(1),
  tags: z.array(z.string()).optional(),
  cardData: z.looseObject({ license: z.union([z.string(), z.array(z.string())]).nullish() }).nullish(),
});

const treeSchema = z.array(
  z.looseObject({
    type: z.string(),
    path: z.string(),
    size: z.number().int().nonnegative().optional(),
    oid: z.string().optional(),
    lfs: z.looseObject({ oid: z.string(), size: z.number().int().nonnegative() }).nullish(),
  }),
);

/** `Link: <…>; rel="next"`: long trees come in pages. */
function nextPage(headers: Headers): string | null {
  return /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '')?.[1] ?? null;
}

/** The content of an answer's JSON, and its headers. */
type Read<T> = readonly [value: T, headers: Headers];

async function readJson<T>(client: HttpClient, url: string, schema: z.ZodType<T>): Promise<Read<T>> {
  const answer = await client.text(url);
  return [readHubAnswer(answer, schema), answer.headers];
}

function toFile({ path, size, oid, lfs }: z.infer<typeof treeSchema>[number]): SourceFile {
  if (lfs != null) return { path, bytes: lfs.size, sha256: lfs.oid.replace(/^sha256:/, ''), gitBlob: null };
  const isBlob = oid !== undefined && /^[0-9a-f]{40}$/.test(oid);
  return { path, bytes: size ?? null, sha256: null, gitBlob: isBlob ? oid : null };
}

async function readTree(client: HttpClient, url: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (let next: string | null = url; next !== null;) {
    const [entries, headers]: Read<z.infer<typeof treeSchema>> = await readJson(client, next, treeSchema);
    files.push(...entries.filter(({ type }) => type === 'file').map(toFile));
    const link = nextPage(headers);
    next = link === null ? null : client.follow(new URL(next), link).href;
  }
  return files;
}

function licenseOf({ cardData, tags }: z.infer<typeof revisionSchema>): string | null {
  const stated = cardData?.license;
  const named = Array.isArray(stated) ? stated.join(', ') : stated;
  const tagged = tags?.find((tag) => tag.startsWith('license:'))?.slice('license:'.length);
  // Cards have the field and leave it empty.
  return [named, tagged].find((license) => license != null && license !== '') ?? null;
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/**
 * The files of a model on a hub, at the commit that the revision means now.
 * @throws DownloadError when the hub refuses or can't be reached, or the address is no hub's.
 */
export async function openHub(
  client: HttpClient,
  endpoint: string,
  id: string,
  revision: string,
): Promise<ModelSource> {
  const api = `${endpoint}/api/models/${encoded(id)}`;
  const [info] = await readJson(client, `${api}/revision/${encodeURIComponent(revision)}`, revisionSchema);
  const commit = info.sha;
  const files = await readTree(client, `${api}/tree/${commit}?recursive=true`);
  return {
    described: `${id} at commit ${commit} of a model hub`,
    argument: `${id}@${commit}`,
    revision: commit,
    license: licenseOf(info),
    files,
    fetch: (file, target, onBytes) => {
      const url = `${endpoint}/${encoded(id)}/resolve/${commit}/${encoded(file.path)}`;
      return downloadFile({ client, url, file, onBytes }, target);
    },
  };
}

/** Reads the content of a hub's answer. @throws DownloadError when it is not that of a hub */
function readHubAnswer<S extends z.ZodType>({ text, json, url }: HttpText, schema: S): z.infer<S> {
  try {
    return schema.parse(json());
  } catch (cause) {
    throw new DownloadError('the service’s answer is not that of a model hub', {
      where: { id: shownUrl(url) },
      fix: 'Check the hub’s address (HF_ENDPOINT or --endpoint); a proxy may also answer with a login page.',
      cause: text.trimStart().startsWith('<') ? undefined : cause,
    });
  }
}
