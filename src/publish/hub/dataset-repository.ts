import { z } from 'zod';
import type { HttpClient, HttpText } from '../../http/http-client.js';
import { HttpError } from '../../http/http-error.js';
import { readHubAnswer } from '../../inference/hub/hub-answer.js';
import { LfsUpload } from './lfs-upload.js';
import type { LocalFile } from './local-file.js';

const preuploadSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      uploadMode: z.enum(['lfs', 'regular']),
      shouldIgnore: z.boolean().default(false),
      /** Of the file that is there: sha256 of a large one, git's hash of another. */
      oid: z.string().nullish(),
    }),
  ),
});
const commitSchema = z.object({ commitOid: z.string().min(1) });

const REVISION = 'main';
/** Files that are asked about at a time. */
const BATCH = 256;
const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
/** What a hub says where it is at work on another repository of the same owner. */
const IN_PROGRESS = /conflicting operation is in progress/i;

/** A file with how the hub wants it. */
interface WantedFile {
  readonly file: LocalFile;
  readonly isLarge: boolean;
}

/** What became of an upload. */
export interface HubCommit {
  /** Null where all files were there already. */
  readonly commit: string | null;
  readonly changed: number;
}

/** A data set on a hub, written to by the hub's commit API. */
export class DatasetRepository {
  /** Its page. */
  readonly url: string;
  readonly #client: HttpClient;
  readonly #endpoint: string;
  readonly #id: string;
  readonly #api: string;
  readonly #lfs: LfsUpload;

  /** `id` is "owner/name". */
  constructor(client: HttpClient, endpoint: string, id: string) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#id = id;
    this.url = `${endpoint}/datasets/${id}`;
    this.#api = `${endpoint}/api/datasets/${id}`;
    this.#lfs = new LfsUpload(client, `${this.url}.git/info/lfs/objects/batch`);
  }

  /** Makes it where it is not there. @throws HttpError when the hub refuses */
  async create(isPrivate: boolean): Promise<void> {
    const [organization, name] = this.#id.split('/');
    const body = JSON.stringify({ type: 'dataset', name, organization, ...(isPrivate && { private: true }) });
    await this.#client.persist(async () => {
      const answer = await this.#post(`${this.#endpoint}/api/repos/create`, body);
      if (answer.status === 409 && !IN_PROGRESS.test(answer.text)) return;
      // A token may be allowed to write to this data set, and not to make one.
      if ([401, 403].includes(answer.status) && (await this.#exists())) return;
      this.#client.checked(answer, true);
    });
  }

  /**
   * Uploads files in one commit; those that are there unchanged are left out. A try after a failure asks again what is
   * there, so that nothing is uploaded or committed twice.
   * @throws HttpError when the hub refuses; `onBytes` hears how many bytes of large files are there
   */
  async upload(files: readonly LocalFile[], message: string, onBytes: (bytes: number) => void): Promise<HubCommit> {
    const done = new Set<LocalFile>();
    let before = 0;
    const attempt = async (): Promise<HubCommit> => {
      const wanted = await this.#wanted(files);
      if (wanted.length === 0) return { commit: null, changed: 0 };
      const large = wanted.filter(({ isLarge }) => isLarge).map(({ file }) => file);
      await this.#lfs.upload(large, REVISION, (file) => {
        done.add(file);
        onBytes([...done].reduce((sum, { bytes }) => sum + bytes, 0));
      });
      return { commit: await this.#commit(wanted, message), changed: wanted.length };
    };
    const hasProgressed = (): boolean => done.size > before && ((before = done.size), true);
    return this.#client.persist(attempt, undefined, hasProgressed);
  }

  async #exists(): Promise<boolean> {
    const { status } = await this.#client.ask(this.#api);
    return status === 200;
  }

  /** The files that are not there as they are here. */
  async #wanted(files: readonly LocalFile[]): Promise<readonly WantedFile[]> {
    const wanted: WantedFile[] = [];
    for (let at = 0; at < files.length; at += BATCH) {
      const some = files.slice(at, at + BATCH);
      const asked = some.map(({ path, sample, bytes }) => ({ path, sample, size: bytes }));
      const url = `${this.#api}/preupload/${REVISION}`;
      const answer = this.#client.checked(await this.#post(url, JSON.stringify({ files: asked })), true);
      const told = new Map(readHubAnswer(answer, preuploadSchema).files.map((one) => [one.path, one]));
      for (const file of some) {
        const how = told.get(file.path);
        if (how === undefined)
          throw new HttpError(`the hub says nothing of ${file.path}`, { url, fix: 'Try again later.' });
        // An empty file can't be stored as a large one.
        const isLarge = how.uploadMode === 'lfs' && file.bytes > 0;
        const isThere = how.oid != null && how.oid === (isLarge ? file.sha256 : file.gitBlob);
        if (!isThere && !how.shouldIgnore) wanted.push({ file, isLarge });
      }
    }
    return wanted;
  }

  async #commit(wanted: readonly WantedFile[], summary: string): Promise<string> {
    const lines = [
      { key: 'header', value: { summary, description: '' } },
      ...wanted.map(({ file, isLarge }) => {
        const { path } = file;
        return isLarge
          ? { key: 'lfsFile', value: { path, algo: 'sha256', oid: file.sha256, size: file.bytes } }
          : { key: 'file', value: { path, encoding: 'base64', content: file.base64 } };
      }),
    ];
    const answer = await this.#client.send(`${this.#api}/commit/${REVISION}`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    return readHubAnswer(answer, commitSchema).commitOid;
  }

  #post(url: string, body: string): Promise<HttpText> {
    return this.#client.ask(url, { method: 'POST', headers: JSON_HEADERS, body });
  }
}
