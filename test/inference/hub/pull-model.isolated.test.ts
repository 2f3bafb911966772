import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, DownloadError, ModelFileError } from '../../../src/errors.js';
import { checkModelFiles, locateModel } from '../../../src/inference/model-store.js';
import type { PullOptions } from '../../../src/inference/hub/pull-model.js';
import { sha256Of } from '../../../src/run/sha256.js';
import { COMMIT, cutAfter, type Files, FIXTURES, fixtureFiles } from './hub-server.js';
import { type Bench, createBench, createFolder, noise } from './pull-fixture.js';

const ID = 'someone/tiny-roberta';
const NETWORK = 'onnx/model.onnx';
const roberta = fixtureFiles('tiny-roberta-nli');
/** Weights next to the network, large enough to be cut in the middle; ONNX Runtime does not miss them. */
const DATA = 'onnx/model.onnx_data';
const large = noise(400_000);
const withData: Files = { ...roberta, [DATA]: large };

function write(folder: string, files: Files): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Stops a pull in the middle of its large file; returns the bytes of it that are there. */
async function pullUntilCut({ server, cache, pull }: Bench): Promise<number> {
  const stop = new AbortController();
  server.fail(new RegExp(sha256Of(large)), 1, (response) => {
    response.writeHead(200, { 'content-length': large.length });
    response.write(large.subarray(0, 200_000));
  });
  const partial = join(cache, 'models', '.someone--tiny-roberta.partial', `${DATA}.partial`);
  const sizeOf = (): number => statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
  const watch = setInterval(() => {
    if (sizeOf() > 0) stop.abort();
  }, 5);
  await expect(pull({ source: ID }, stop.signal)).rejects.toThrow(/abort/i);
  clearInterval(watch);
  return sizeOf();
}

describe('a pull from a hub', () => {
  test('takes the files that are needed, at the commit of the revision, and writes their manifest', async () => {
    const { server, pull } = await createBench();
    server.models[ID] = { ...roberta, 'README.md': Buffer.from('card'), 'pytorch_model.bin': noise(1000) };
    const { folder, name } = await pull({ source: ID, prove: undefined });
    expect(name).toBe(ID);
    const model = locateModel('nli', folder);
    await checkModelFiles(model);
    expect(model.manifest).toMatchObject({
      task: 'nli',
      name: ID,
      revision: COMMIT,
      license: 'apache-2.0',
      nonCommercial: false,
      maxTokens: 48,
      network: NETWORK,
      labels: ['entailment', 'contradiction', 'neutral'],
      pulled: { source: ID, command: `perturbql models pull ${ID}@${COMMIT} --task nli --dtype fp32` },
    });
    expect(Object.keys(model.manifest.files).sort()).toEqual(Object.keys(roberta).sort());
    expect(readdirSync(dirname(folder))).toEqual(['someone--tiny-roberta']);
  });

  test('fetches nothing a second time, and only what was damaged', async () => {
    const { server, pull } = await createBench();
    server.models[ID] = withData;
    const { folder, fetched } = await pull({ source: ID });
    expect(fetched).toBe(Object.values(withData).reduce((sum, { length }) => sum + length, 0));
    expect((await pull({ source: ID })).fetched).toBe(0);
    writeFileSync(join(folder, NETWORK), 'spoiled');
    expect((await pull({ source: ID })).fetched).toBe(roberta[NETWORK]!.length);
    await checkModelFiles(locateModel('nli', folder));
  });

  test('chooses the network by --dtype, and says which there are', async () => {
    const { server, pull, refusal } = await createBench();
    server.models[ID] = { ...roberta, 'onnx/model_quantized.onnx': roberta[NETWORK]!, [NETWORK]: noise(50) };
    const { manifest } = await pull({ source: ID, dtype: 'q8' });
    expect(Object.keys(manifest.files).filter((path) => path.endsWith('.onnx'))).toEqual(['onnx/model_quantized.onnx']);
    const { message, fix } = await refusal({ source: ID, dtype: 'fp16' });
    expect(message).toContain('no ONNX file of --dtype fp16');
    expect(fix).toBe('Give --dtype fp32 or q8.');
  });

  test('sends the token to the hub alone', async () => {
    const { server, pull } = await createBench({ HF_TOKEN: 'hf_secret' });
    server.models[ID] = roberta;
    server.token = 'hf_secret';
    await pull({ source: ID });
    const ofHost = (host: string): Set<string | undefined> =>
      new Set(server.seen.filter((request) => request.host === host).map(({ authorization }) => authorization));
    expect(ofHost('hub')).toEqual(new Set(['Bearer hf_secret']));
    expect(ofHost('cdn')).toEqual(new Set([undefined]));
  });

  test('reads the token that the hub’s own client keeps below HF_HOME', async () => {
    const { server, pull, environment } = await createBench();
    writeFileSync(join(environment['HF_HOME']!, 'token'), 'hf_kept\n');
    server.models[ID] = roberta;
    server.token = 'hf_kept';
    await expect(pull({ source: ID })).resolves.toMatchObject({ name: ID });
  });

  test.each([null, ''])('takes a card whose license is %j for one that states none', async (license) => {
    const { server, pull } = await createBench();
    server.models[ID] = roberta;
    server.fail(/\/revision\//, 1, (response) => response.end(JSON.stringify({ sha: COMMIT, cardData: { license } })));
    expect((await pull({ source: ID })).manifest.license).toBe('not stated');
  });

  test('is patient with 429, 5xx and cut connections, and goes on where it was cut', async () => {
    const { server, pull, notes } = await createBench();
    server.models[ID] = withData;
    server.fail(/\/revision\//, 1, (response) => response.writeHead(429, { 'retry-after': '0' }).end());
    server.fail(/\/tree\//, 2, (response) => response.writeHead(503).end());
    server.fail(new RegExp(sha256Of(large)), 1, cutAfter(large, 150_000));
    const { folder } = await pull({ source: ID });
    expect(readFileSync(join(folder, DATA)).equals(large)).toBe(true);
    const ranges = server.seen.filter(({ host, path }) => host === 'cdn' && path.includes(sha256Of(large)));
    expect(ranges.map(({ range }) => range)).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(notes.join('\n')).toMatch(/too many requests \(429\); trying again in 0 s/);
    expect(notes.join('\n')).toMatch(/answers 503/);
  });

  test('goes on with what a pull that was stopped has left', async () => {
    const bench = await createBench();
    const { server, pull } = bench;
    server.models[ID] = withData;
    const had = await pullUntilCut(bench);
    const before = server.seen.length;
    const { folder } = await pull({ source: ID });
    expect(readFileSync(join(folder, DATA)).equals(large)).toBe(true);
    const fetched = server.seen.slice(before).filter(({ host }) => host === 'cdn');
    const ranges = fetched.filter(({ path }) => path.includes(sha256Of(large))).map(({ range }) => range);
    expect(ranges).toEqual([`bytes=${had}-`]);
  });

  test('starts a file again that has changed since', async () => {
    const bench = await createBench();
    const { server, pull } = bench;
    server.models[ID] = withData;
    await pullUntilCut(bench);
    const other = noise(300_000, 'other');
    server.models[ID] = { ...roberta, [DATA]: other };
    const { folder } = await pull({ source: ID });
    expect(readFileSync(join(folder, DATA)).equals(other)).toBe(true);
  });

  test('lets one process pull a model at a time', async () => {
    const { server, pull, refusal } = await createBench();
    server.models[ID] = withData;
    const first = pull({ source: ID });
    const { message, fix } = await refusal({ source: ID });
    expect(message).toBe(`process ${process.pid} is pulling ${ID}`);
    expect(fix).toContain('.lock');
    await expect(first).resolves.toMatchObject({ name: ID });
    await expect(pull({ source: ID })).resolves.toMatchObject({ fetched: 0 });
  });

  test('keeps the former model until the new one is whole', async () => {
    const { server, pull, refusal } = await createBench();
    server.models[ID] = roberta;
    const { folder } = await pull({ source: ID });
    server.models[ID] = { ...roberta, [NETWORK]: noise(500) };
    expect(await refusal({ source: ID, prove: undefined })).toBeInstanceOf(ModelFileError);
    await checkModelFiles(locateModel('nli', folder));
  });
});

describe('a pull is refused, with cause and remedy,', () => {
  const html = Buffer.from('<!DOCTYPE html><html><body>Sign in</body></html>');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 7\n`;

  test.each<[string, Files | null, RegExp, RegExp]>([
    ['for a model that is not there', null, /nothing at this address \(404\)/, /owner\/name/],
    ['without ONNX', fixtureFiles('tiny-roberta-nli', { [NETWORK]: null }), /no ONNX file/, /export_hub_model\.py/],
    [
      'without tokenizer.json',
      fixtureFiles('tiny-roberta-nli', { 'tokenizer.json': null }),
      /no tokenizer\.json/,
      /export_hub_model\.py/,
    ],
    [
      'with nameless labels',
      fixtureFiles('tiny-roberta-nli', {
        'config.json': JSON.stringify({
          architectures: ['XForSequenceClassification'],
          id2label: { 0: 'LABEL_0', 1: 'LABEL_1', 2: 'LABEL_2' },
        }),
      }),
      /names the labels LABEL_0, LABEL_1, LABEL_2/,
      /--labels contradiction,neutral,entailment/,
    ],
    [
      'with two labels',
      fixtureFiles('tiny-roberta-nli', {
        'config.json': JSON.stringify({
          architectures: ['XForSequenceClassification'],
          id2label: { 0: 'entailment', 1: 'not_entailment' },
        }),
      }),
      /entailment, not_entailment/,
      /distinguishes contradiction, neutral and entailment/,
    ],
    [
      'with a config that is not JSON',
      fixtureFiles('tiny-roberta-nli', { 'config.json': '{' }),
      /config\.json of the model is not what transformers writes/,
      /export/,
    ],
    [
      'for a network that is none',
      fixtureFiles('tiny-roberta-nli', { [NETWORK]: noise(300) }),
      /can't be run/,
      /--dtype/,
    ],
  ])('%s', async (_, files, message, fix) => {
    const { server, refusal } = await createBench();
    if (files !== null) server.models[ID] = files;
    const error = await refusal({ source: ID, prove: undefined });
    expect(error.message).toMatch(message);
    expect(error.fix).toMatch(fix);
  });

  test('for a judge that is pulled as an encoder', async () => {
    const { server, refusal } = await createBench();
    server.models[ID] = roberta;
    const { message, fix } = await refusal({ source: ID, task: 'table-context-encoder', prove: undefined });
    expect(message).toBe(`the network of ${ID} gives logits: it classifies, and has no vectors`);
    expect(fix).toMatch(/--task nli/);
  });

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['an address without a host', {}, 'https://'],
    ['an address with no such port', {}, 'http://localhost:99999/x'],
    ['a hub’s address without a host', { HF_ENDPOINT: 'https://' }, ID],
    ['a hub’s address with no such port', { HF_ENDPOINT: 'http://localhost:99999' }, ID],
    ['a proxy’s address with no port', { HTTP_PROXY: 'http://secret@proxy:abc' }, ID],
    ['a proxy of another kind', { HTTP_PROXY: 'socks5://proxy:1080' }, ID],
  ])('for %s', async (_, environment, source) => {
    const { refusal } = await createBench(environment);
    const error = await refusal({ source });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(/is no http address$/);
    expect(error.message).not.toContain('secret');
  });

  test.each(['http://', 'ftp://elsewhere/file'])('for a redirect to %s', async (location) => {
    const { server, refusal } = await createBench();
    server.fail(/./, 1, (response) => response.writeHead(302, { location }).end());
    const error = await refusal({ source: ID });
    expect(error).toBeInstanceOf(DownloadError);
    expect(error.message).toBe(`the service sends on to "${location}", which is no http address`);
  });

  test('for a folder in place of the token’s file', async () => {
    const { refusal } = await createBench({ HF_TOKEN_PATH: createFolder() });
    const error = await refusal({ source: ID });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.fix).toMatch(/HF_TOKEN_PATH/);
  });

  test('for a file without a byte', async () => {
    const { server, refusal } = await createBench();
    server.models[ID] = fixtureFiles('tiny-roberta-nli', { 'special_tokens_map.json': '' });
    const error = await refusal({ source: ID });
    expect(error).toBeInstanceOf(DownloadError);
    expect(error.message).toBe('the file is empty');
    expect(error.where.id).toMatch(/special_tokens_map\.json$/);
  });

  test('for a revision that is not there', async () => {
    const { server, refusal } = await createBench();
    server.models[ID] = roberta;
    expect((await refusal({ source: `${ID}@v9` })).message).toMatch(/no such revision/);
  });

  test.each<[string, number, string | null, RegExp, RegExp]>([
    ['a gated model without a token', 401, null, /gated.*who asks \(401\)/, /set HF_TOKEN/],
    ['a token that is not taken', 401, 'hf_old', /token is not accepted/, /expired/],
    ['a model whose terms are not accepted', 403, 'hf_x', /gated \(403\)/, /Accept the terms/],
  ])('for %s', async (_, status, token, message, fix) => {
    const { server, refusal } = await createBench(token === null ? {} : { HF_TOKEN: token });
    server.models[ID] = roberta;
    server.fail(/./, 99, (response) => response.writeHead(status, { 'x-error-code': 'GatedRepo' }).end());
    const error = await refusal({ source: ID });
    expect(error).toBeInstanceOf(DownloadError);
    expect(error.message).toMatch(message);
    expect(error.fix).toMatch(fix);
    expect(server.seen).toHaveLength(1);
  });

  test.each<[string, RegExp, Buffer, RegExp]>([
    ['a page in place of the API', /^\/api/, html, /not that of a model hub/],
    ['a page in place of a file', /config\.json$/, html, /web page, not the file/],
    ['a Git LFS pointer', /^\/blobs/, Buffer.from(pointer), /Git LFS pointer/],
    [
      'other bytes of the same size',
      /^\/blobs/,
      noise(roberta[NETWORK]!.length, 'x'),
      /not the one that was asked for/,
    ],
    ['too few bytes', /tokenizer\.json$/, Buffer.from('{"short": 1}'), /holds 12 bytes, not/],
  ])('for %s', async (_, path, body, message) => {
    const { server, cache, refusal } = await createBench();
    server.models[ID] = roberta;
    server.fail(path, 99, (response) => response.writeHead(200, { 'content-length': body.length }).end(body));
    const error = await refusal({ source: ID });
    expect(error.message).toMatch(message);
    expect(error.fix).not.toBe('');
    expect(existsSync(join(cache, 'models', 'someone--tiny-roberta'))).toBe(false);
    // Nothing that is wrong is kept: once the service is well, the same command succeeds.
    server.faults.length = 0;
  });

  test('for a service that fails again and again, or asks to wait for an hour', async () => {
    const { server, refusal } = await createBench();
    server.models[ID] = roberta;
    server.fail(/./, 99, (response) => response.writeHead(502).end());
    expect((await refusal({ source: ID })).message).toBe('the service answers 502');
    expect(server.seen).toHaveLength(6);
    server.faults.length = 0;
    server.fail(/./, 99, (response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    expect((await refusal({ source: ID })).fix).toMatch(/again in 3600 s/);
    expect(server.seen).toHaveLength(7);
  });

  test('for a hub that is not there, without naming one, or to an address that is none', async () => {
    const { refusal } = await createBench({ HF_ENDPOINT: 'http://127.0.0.1:9' });
    const { message, fix } = await refusal({ source: ID });
    expect(message).toBe('the service can’t be reached');
    expect(fix).toMatch(/HTTPS_PROXY/);
    const nameless = await createBench({ HF_ENDPOINT: '' });
    const unnamed = await nameless.refusal({ source: ID });
    expect(unnamed).toBeInstanceOf(ConfigError);
    expect(unnamed.fix).toMatch(/HF_ENDPOINT/);
    expect((await nameless.refusal({ source: ID, endpoint: 'hub.example' })).fix).toMatch(/https:\/\//);
  });
});

describe('a folder with links', () => {
  test('brings no file from outside of it, and none but those it has', async () => {
    const { pull, refusal } = await createBench();
    const [folder, outside] = [join(createFolder(), 'model'), createFolder()];
    write(folder, fixtureFiles('tiny-roberta-nli', { 'config.json': null }));
    write(outside, { 'secret.json': roberta['config.json']! });
    symlinkSync(join(outside, 'secret.json'), join(folder, 'config.json'));
    symlinkSync(folder, join(folder, 'circle'));
    const { message, where } = await refusal({ source: folder, name: 'mine' });
    expect(message).toBe(`this is a link out of the model's folder, to ${join(outside, 'secret.json')}`);
    expect(where.file).toBe(join(folder, 'config.json'));
    rmSync(join(folder, 'config.json'));
    write(folder, { 'real.json': roberta['config.json']! });
    symlinkSync('real.json', join(folder, 'config.json'));
    expect((await pull({ source: folder, name: 'mine' })).name).toBe('mine');
  });
});

describe('offline', () => {
  test('no request is made; what is there serves, in our cache or in the hub client’s', async () => {
    const { server, pull, refusal, environment } = await createBench();
    server.models[ID] = roberta;
    const offline = { ...environment, HF_HUB_OFFLINE: '1' };
    expect((await refusal({ source: ID, environment: offline })).message).toMatch(/told to stay offline/);
    expect((await refusal({ source: `${server.url}/plain/x`, offline: true })).fix).toMatch(/--offline/);

    const hub = join(environment['HF_HOME']!, 'hub', 'models--someone--tiny-roberta');
    const blobs = write(join(hub, 'blobs'), { network: roberta[NETWORK]! });
    const snapshot = join(hub, 'snapshots', COMMIT);
    write(snapshot, fixtureFiles('tiny-roberta-nli', { [NETWORK]: null }));
    mkdirSync(join(snapshot, 'onnx'), { recursive: true });
    symlinkSync(join(blobs, 'network'), join(snapshot, NETWORK));
    write(join(hub, 'refs'), { main: Buffer.from(COMMIT) });
    const { folder, manifest } = await pull({ source: ID, environment: offline });
    expect(manifest.revision).toBe(COMMIT);
    await checkModelFiles(locateModel('nli', folder));
    expect((await pull({ source: ID, offline: true })).fetched).toBe(0);
    expect(server.seen).toEqual([]);
  });

  test.each<[string, Partial<PullOptions>]>([
    ['another model, kept under the same name', { source: 'someone/else' }],
    ['another revision', { source: `${ID}@v2` }],
    ['another task', { source: ID, task: 'table-context-encoder' }],
    ['another number format', { source: ID, dtype: 'q8' }],
    ['labels in another order', { source: ID, labels: ['neutral', 'entailment', 'contradiction'] }],
    ['other weights', { source: ID, sha256: 'f'.repeat(64) }],
  ])('what is there is not taken for %s', async (_, asked) => {
    const { server, pull, refusal } = await createBench();
    server.models[ID] = roberta;
    await pull({ source: ID, name: 'mine' });
    const { message } = await refusal({ source: ID, ...asked, name: 'mine', offline: true });
    expect(message).toMatch(/is not there, and perturbql is told to stay offline/);
  });

  test('what is there is taken for the commit that was pulled, and for all that it was pulled with', async () => {
    const { server, pull } = await createBench();
    server.models[ID] = roberta;
    const { manifest } = await pull({ source: ID });
    const sha256 = manifest.files[NETWORK]!.sha256.toUpperCase();
    const labels = ['entailment', 'contradiction', 'neutral'] as const;
    const asked = { source: `${ID}@${COMMIT}`, task: 'nli', dtype: 'fp32', labels, sha256 } as const;
    expect((await pull({ ...asked, offline: true })).manifest).toEqual(manifest);
  });

  test('a folder is not taken for a hub’s model of its name', async () => {
    const { pull, refusal } = await createBench();
    const folder = write(join(createFolder(), 'judge'), roberta);
    const before = process.cwd();
    process.chdir(dirname(folder));
    try {
      await pull({ source: 'judge' });
    } finally {
      process.chdir(before);
    }
    expect((await refusal({ source: 'judge', offline: true })).message).toMatch(/told to stay offline/);
  });
});

describe('a pull from elsewhere', () => {
  test('takes a folder on a plain server', async () => {
    const { server, pull, refusal } = await createBench({ HF_ENDPOINT: '' });
    server.models['bert'] = fixtureFiles('tiny-bert-nli');
    const { folder, name, manifest } = await pull({ source: `${server.url}/plain/bert/`, license: 'cc-by-nc-4.0' });
    expect(name).toBe('bert');
    expect(manifest).toMatchObject({ labels: ['neutral', 'entailment', 'contradiction'], nonCommercial: true });
    await checkModelFiles(locateModel('nli', folder));
    expect((await refusal({ source: `${server.url}/plain/nothing` })).message).toMatch(/no ONNX file/);
  });

  test('takes a signed address, and keeps its signature nowhere', async () => {
    const { server, pull, cache, refusal } = await createBench({ HF_ENDPOINT: '' });
    server.models['bert'] = fixtureFiles('tiny-bert-nli');
    const source = `${server.url}/plain/bert?signature=0123456789`;
    const { manifest } = await pull({ source });
    expect(manifest.pulled?.command).toContain('/plain/bert?signature=[secret]');
    expect(server.seen.every(({ path }) => path.endsWith('?signature=0123456789'))).toBe(true);
    const files = readdirSync(cache, { recursive: true, encoding: 'utf8' }).map((name) => join(cache, name));
    const holding = files.filter((file) => statSync(file).isFile() && readFileSync(file).includes('0123456789'));
    expect(holding).toEqual([]);
    expect((await refusal({ source, offline: true })).render()).not.toContain('0123456789');
  });

  test('takes a folder of a server that refuses what is not there', async () => {
    const { server, pull, refusal } = await createBench({ HF_ENDPOINT: '' });
    server.models['bert'] = fixtureFiles('tiny-bert-nli');
    server.faults.push(({ path }, response) => {
      const isThere = server.models['bert']![path.replace('/plain/bert/', '')] !== undefined;
      if (!isThere) response.writeHead(403).end();
      return !isThere;
    });
    await expect(pull({ source: `${server.url}/plain/bert/` })).resolves.toMatchObject({ name: 'bert' });
    expect((await refusal({ source: `${server.url}/plain/private` })).message).toBe('access is refused (403)');
  });

  test.each([405, 501])('takes a folder of a server that answers %i to HEAD', async (status) => {
    const { server, pull } = await createBench({ HF_ENDPOINT: '' });
    const files = fixtureFiles('tiny-bert-nli');
    server.models['bert'] = files;
    server.faults.push(({ method, range, path }, response) => {
      const content = files[path.replace('/plain/bert/', '')];
      if (method === 'HEAD') response.writeHead(status).end();
      else if (range === 'bytes=0-0' && content !== undefined) {
        response.writeHead(206, { 'content-range': `bytes 0-0/${content.length}` }).end(content.subarray(0, 1));
      } else return false;
      return true;
    });
    const { manifest } = await pull({ source: `${server.url}/plain/bert/` });
    expect(manifest.files[NETWORK]!.bytes).toBe(files[NETWORK]!.length);
  });

  test('takes a folder, checks --sha256, and follows --labels', async () => {
    const { pull, refusal } = await createBench();
    const source = write(createFolder(), fixtureFiles('tiny-bert-nli'));
    const sha256 = sha256Of(readFileSync(join(source, NETWORK)));
    const labels = ['contradiction', 'entailment', 'neutral'] as const;
    const { manifest } = await pull({ source, sha256, labels, name: 'mine' });
    expect(manifest).toMatchObject({
      name: 'mine',
      labels,
      license: 'not stated',
      revision: `sha256-${sha256.slice(0, 12)}`,
    });
    expect((await refusal({ source, sha256: 'f'.repeat(64) })).message).toMatch(/not f{64}/);
    writeFileSync(join(source, NETWORK), 'version https://git-lfs.github.com/spec/v1\n');
    expect((await refusal({ source, name: 'pointer' })).fix).toMatch(/git lfs pull/);
  });

  test('refuses what is no source, and names that are none', async () => {
    const { refusal } = await createBench();
    expect((await refusal({ source: './nowhere' })).fix).toMatch(/owner\/name/);
    for (const name of ['../out', 'x'.repeat(101)]) {
      expect((await refusal({ source: FIXTURES, name })).message).toMatch(/can't be the name/);
    }
  });
});
