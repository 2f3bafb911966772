import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMIT, fixtureFiles, HubServer } from '../inference/hub/hub-server.js';
import { noise } from '../inference/hub/pull-fixture.js';
import { type CliResult, makeTempFolder, runCli, startCli } from './run-cli.js';

const ID = 'someone/tiny-roberta';
const DATA = 'onnx/model.onnx_data';
const large = noise(600_000);
const LARGE_BLOB = new RegExp(createHash('sha256').update(large).digest('hex'));
const NUMBERBATCH = '3 4\nname 0.1 0.2 0.3 0.4\ntitle 0.1 0.2 0.3 0.5\nyear -0.4 0.1 0 0.2\n';
const PAIR = '{"a": "nationality", "b": "citizenship", "tpe": "student"}\n';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const MODEL = at('cache', 'models', 'someone--tiny-roberta');
const PARTIAL = at('cache', 'models', '.someone--tiny-roberta.partial', `${DATA}.partial`);
let server: HubServer;

const options = () => ({
  cwd: temp.path,
  cache: at('cache'),
  env: { HF_ENDPOINT: server.url, HF_HOME: at('hf'), HF_HUB_OFFLINE: '' },
});
const run = (...args: string[]): Promise<CliResult> => runCli(args, options());
const score = (pair: string, ...more: string[]): Promise<CliResult> =>
  runCli(['score', '--pairs', '-', ...more], { ...options(), stdin: pair });
const config = (): unknown => JSON.parse(readFileSync(at('perturbql.config.json'), 'utf8'));

beforeAll(async () => {
  server = await HubServer.start();
  server.models[ID] = { ...fixtureFiles('tiny-roberta-nli'), [DATA]: large };
  server.models['words'] = { 'numberbatch-en-19.08.txt.gz': gzipSync(NUMBERBATCH) };
});
afterAll(async () => {
  await server.stop();
  temp.remove();
});

describe('models pull', () => {
  it('that is killed goes on where it was; meanwhile another process is refused', async () => {
    server.fail(LARGE_BLOB, 1, (response) => {
      response.writeHead(200, { 'content-length': large.length });
      response.write(large.subarray(0, 300_000));
    });
    const killed = startCli(['models', 'pull', ID], options());
    while ((statSync(PARTIAL, { throwIfNoEntry: false })?.size ?? 0) === 0 && killed.child.exitCode === null) {
      await pause(20);
    }
    const refused = await run('models', 'pull', ID);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`process ${killed.child.pid} is pulling ${ID}`);
    killed.child.kill('SIGKILL');
    await killed.result;
    const had = statSync(PARTIAL).size;
    expect(had).toBeGreaterThan(0);

    const { code, stdout, stderr } = await run('models', 'pull', ID);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`${ID} (nli, 0.6 MB, license: apache-2.0)\n  ${MODEL}\n  perturbql models use ${ID}\n`);
    expect(stderr).toMatch(/kB of someone\/tiny-roberta: \d+\/\d+ \(100%\)/);
    expect(server.seen.filter(({ path }) => LARGE_BLOB.test(path)).at(-1)?.range).toBe(`bytes=${had}-`);
    expect(readFileSync(join(MODEL, DATA)).equals(large)).toBe(true);
  });

  it('offline says so, and finds what is there', async () => {
    expect((await run('models', 'pull', ID, '--offline')).stdout).toMatch(/^all there: /);
    const { code, stderr } = await run('models', 'pull', 'someone/else', '--offline');
    expect(code).toBe(2);
    expect(stderr).toMatch(/told to stay offline\n {2}fix: /);
  });

  it('tells a wrong option', async () => {
    const labels = await run('models', 'pull', ID, '--labels', 'yes,no,maybe');
    expect(labels.stderr).toMatch(/option --labels is wrong: contradiction, neutral, entailment are expected/);
    expect((await run('models', 'pull', ID, '--sha256', 'abc')).stderr).toMatch(/64 hex digits/);
  });

  it('takes Numberbatch’s text from a URL, once', async () => {
    const url = `${server.url}/plain/words/numberbatch-en-19.08.txt.gz`;
    const sha256 = createHash('sha256').update(gzipSync(NUMBERBATCH)).digest('hex');
    const args = ['models', 'pull', url, '--license', 'CC-BY-SA-4.0', '--sha256', sha256];
    expect((await run(...args)).stdout).toMatch(/^numberbatch-en-19\.08 \(vectors, 0\.0 MB, license: CC-BY-SA-4\.0\)/);
    const asked = server.seen.length;
    expect((await run(...args)).stdout).toMatch(/^all there: /);
    expect(server.seen).toHaveLength(asked);
    const wrong = await run('models', 'pull', url, '--name', 'other', '--sha256', 'f'.repeat(64));
    expect(wrong.stderr).toMatch(/is [0-9a-f]{64}, not f{64}/);
  });
});

describe('models use', () => {
  it('writes the choice to the configuration, leaves the rest, and takes it back', async () => {
    writeFileSync(at('perturbql.config.json'), '{"seed": 3, "nli": {"nearMargin": 0.1}}');
    const { stdout } = await run('models', 'use', ID);
    expect(stdout).toMatch(/^nli\.model: null → "someone\/tiny-roberta" \(perturbql\.config\.json\)\n/);
    expect(config()).toEqual({ seed: 3, nli: { nearMargin: 0.1, model: ID } });
    expect((await run('models', 'use', ID)).stdout).toMatch(/already/);

    const listed = await run('models', 'list', '--json');
    const { models } = JSON.parse(listed.stdout) as { models: { name: string; inUse: boolean }[] };
    const used = models.filter(({ inUse }) => inUse).map(({ name }) => name);
    expect(used).toEqual([
      'perturbql-table-encoder',
      'retrofitted-glove',
      'perturbql-fluency',
      'perturbql-parser',
      'perturbql-entity',
      'perturbql-acceptability',
      ID,
    ]);

    await run('models', 'use', 'numberbatch-en-19.08');
    expect(config()).toMatchObject({ reranker: { vectors: 'numberbatch-en-19.08' } });
    await run('models', 'use', 'perturbql-judge');
    await run('models', 'use', 'retrofitted-glove');
    expect(config()).toEqual({ seed: 3, nli: { nearMargin: 0.1 } });
    const unknown = await run('models', 'use', 'nobody');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('someone/tiny-roberta');
  });

  it('is what the commands then run', async () => {
    const chosen = ['--set', `nli.model=${ID}`, '--set', 'reranker.vectors=numberbatch-en-19.08'];
    const { code, stdout, stderr } = await score(PAIR, ...chosen);
    expect(code, stderr).toBe(0);
    // Of the pulled vectors' three terms the pair has none; the embedded ones know both.
    expect(JSON.parse(stdout)).toMatchObject({ a: 'nationality', similarity: null });
  });

  it('runs on the device that is asked for, or says what there is', async () => {
    const device = process.platform === 'win32' ? 'coreml' : 'dml';
    const { code, stderr } = await score('{"a": "age", "b": "years"}\n', '--device', device);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`device ${device} can't be used: this build of ONNX Runtime has cpu`));
  });
});

describe('models verify', () => {
  it('passes what is whole, and refuses a name that no model has', async () => {
    const all = await run('models', 'verify');
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/^ok {6}perturbql-fluency {2}/m);
    expect(all.stdout).toMatch(/^ok {6}perturbql-parser {2}/m);
    expect((await run('models', 'verify', 'nobody')).stderr).toMatch(/there is no model "nobody" here/);
  });

  it('names a damaged file with the command that repairs it', async () => {
    writeFileSync(join(MODEL, DATA), large.subarray(1));
    const { code, stdout } = await run('models', 'verify', ID);
    expect(code).toBe(3);
    expect(stdout).toContain(`${join(MODEL, DATA)}: the model file holds 599,999 bytes, not 600,000`);
    const repair = `perturbql models pull ${ID}@${COMMIT} --task nli --dtype fp32`;
    expect(stdout).toContain(`fix: Pull it again: \`${repair}\`.`);
    // A pair that no cache knows.
    const refused = await score('{"a": "street", "b": "road"}\n', '--set', `nli.model=${ID}`);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(repair);
    expect((await run(...repair.split(' ').slice(1))).code).toBe(0);
    expect(await run('models', 'verify', ID)).toMatchObject({ code: 0 });
  });
});
