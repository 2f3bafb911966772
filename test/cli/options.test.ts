import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { groupOptions, optionsOf } from '../../src/options/option-field.js';
import { readAcceptabilityManifest } from '../../src/nli/acceptability/acceptability-model.js';
import { locateModel } from '../../src/inference/model-store.js';
import { EXAMPLE_DATA, type JsonRecord } from '../e2e/example-data.js';
import { type CliResult, makeTempFolder, PROJECT, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });
const decide = (...more: string[]): Promise<CliResult> =>
  run('candidates', ...EXAMPLE_DATA.options, '--out', 'out', ...more);

afterAll(() => temp.remove());

function expectRefusal({ code, stdout, stderr }: CliResult, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/\n\s+at |fault in perturbql/);
  expect(existsSync(at('out/report.html'))).toBe(false);
}

describe('help', () => {
  it('lists every command, and is quick', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${name.split(' ')[0]}\\b`, 'm'));
  });

  it('is six things to do where nothing is asked for', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    const named = [...stdout.matchAll(/^ {2}perturbql (\w+)/gm)].map(([, name]) => name);
    expect(named).toHaveLength(6);
    for (const name of named) expect(COMMANDS.map((entry) => entry.name.split(' ')[0])).toContain(name);
  });

  it.each(COMMANDS.map(({ name }) => name))('of %s shows each of its options and an example', async (name) => {
    const { command } = await COMMANDS.find((entry) => entry.name === name)!.load();
    const { code, stdout } = await run(...name.split(' '), '--help-all');
    expect(code).toBe(0);
    for (const { flags } of optionsOf(command.options)) expect(stdout).toContain(flags);
    expect(stdout).toContain(`$ ${command.example}`);
    expect(stdout).not.toContain('not listed');
  });

  it.each(['attack', 'augment', 'mutate'])('of %s lists options by heading, without advanced ones', async (name) => {
    const { command } = await COMMANDS.find((entry) => entry.name === name)!.load();
    const { code, stdout } = await run(name, '--help');
    expect(code).toBe(0);
    const sections = new Map(
      stdout.split(/\n(?=\S)/).map((section) => [/^.*/.exec(section)![0], new Set(section.match(/--[a-z-]+/g))]),
    );
    const shown = groupOptions(optionsOf(command.options)).filter(({ heading }) => heading !== 'Advanced');
    const headings = shown.map(({ heading }) => `${heading ?? 'Options'}:`);
    expect([...sections.keys()].filter((line) => headings.includes(line))).toEqual(headings);
    for (const { heading, options } of shown)
      for (const { long } of options) expect(sections.get(`${heading ?? 'Options'}:`)).toContain(long);
    const advanced = optionsOf(command.options).filter(({ meta }) => meta.group === 'Advanced');
    expect(stdout).not.toContain('Advanced:');
    for (const { flags } of advanced) expect(stdout).not.toMatch(new RegExp(`^ +${flags.split(' ')[0]!} `, 'm'));
    expect(stdout).toContain(`\n${advanced.length} advanced options are not listed: --help-all shows all.`);
  });

  it('suggests an advanced option that is misspelled', async () => {
    expectRefusal(await decide('--devise', 'cpu'), /unknown option '--devise'\n\(Did you mean --device\?\)/);
  });

  it('gives the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

describe('wrong options', () => {
  it.each([
    [['--seed', 'abc'], /option --seed is wrong: a whole number is expected\n {2}fix: /],
    [['--seed', '1.5'], /option --seed is wrong: a whole number is expected/],
    [
      ['--jobs', '0'],
      /option --jobs is wrong: a number above 0 is expected\n {2}fix: Give a whole number above 0, such as --jobs 2\./,
    ],
    [['--jobs', '-2'], /option --jobs is wrong: a number above 0 is expected/],
    [['--jobs', 'many'], /option --jobs is wrong: a whole number is expected/],
    [['--recipe', 'ctaa'], /'ctaa' is invalid\. Allowed choices are cta, cta-without-retriever/],
    [['--columns', 'some'], /'some' is invalid\. Allowed choices are mentioned, all/],
    [['--dataset', 'spyder'], /'spyder' is invalid\. Allowed choices are spider/],
    [['--colums', 'all'], /unknown option '--colums'\n\(Did you mean --columns\?\)/],
    [['more'], /too many arguments/],
    [['--set', 'nli.rplMin'], /--set nli\.rplMin is not of the form group\.name=value\n {2}fix: Write for instance/],
    [['--set', 'nli.rplMinn=0.6'], /unknown setting "nli\.rplMinn"\n {2}fix: Remove it\. Did you mean "nli\.rplMin"\?/],
    [['--set', 'nlii.rplMin=0.6'], /unknown setting "nlii"\n {2}fix: Remove it\. Did you mean "nli"\?/],
    [['--set', 'nli.rplMin=2'], /setting "nli\.rplMin" is wrong/],
    [['--set', 'nli.rplMin=high'], /setting "nli\.rplMin" is wrong/],
    [['--set', 'retriever.id=faiss'], /setting "retriever\.id" is wrong: [^\n]*hnsw/],
    [['--set', 'nli.rplMin=0.1'], /nli\.addMax \(0\.\d+\) must be below nli\.rplMin \(0\.1\)\n {2}fix: /],
    [['--set', 'nli.addMax=0.9'], /must be below nli\.rplMin/],
    [['--set', 'naturalness.misspeled=false'], /misspeled[^]*Did you mean "(naturalness\.)?misspelled"/],
    [['--set', 'naturalness.short=maybe'], /setting "naturalness\.short" is wrong/],
  ])('%s are refused', async (options, message) => {
    expectRefusal(await decide(...options), message);
  });

  it.each([
    [['candidate'], /unknown command 'candidate'\n\(Did you mean candidates\?\)/],
    [['candidates', '--out', 'out'], /data set format spider needs --tables/],
    [['augment', ...EXAMPLE_DATA.options], /option --out is missing\n {2}fix: Give --out <dir>: folder of the run/],
    [['score'], /option --pairs is missing/],
    [['index', 'bild'], /unknown command 'bild'/],
  ])('%s is refused', async (args, message) => {
    expectRefusal(await run(...args), message);
  });
});

describe('a wrong configuration file', () => {
  it.each<[unknown, RegExp]>([
    [{ sed: 1 }, /config\.json: unknown key "sed"\n {2}fix: Did you mean "seed"\?/],
    [{ nly: {} }, /config\.json: unknown key "nly"\n {2}fix: Did you mean "nli"\?/],
    [
      { nli: { rplmin: 0.6 } },
      /config\.json: unknown setting "nli\.rplmin"\n {2}fix: Remove it\. Did you mean "nli\.rplMin"\?/,
    ],
    [{ seed: 'one' }, /config\.json, configuration: field "seed" is wrong/],
    [{ recipe: 'none' }, /config\.json, configuration: field "recipe" is wrong/],
    [{ jobs: 0 }, /config\.json, configuration: field "jobs" is wrong/],
    ['{"seed": 1,\n}', /config\.json:2: this is not JSON/],
    [[], /config\.json, configuration: the record is wrong/],
    [{ nli: 5 }, /config\.json: setting "nli" is wrong/],
  ])('%j is refused with a suggestion', async (config, message) => {
    writeFileSync(at('config.json'), typeof config === 'string' ? config : JSON.stringify(config));
    expectRefusal(await decide('--config', 'config.json'), message);
  });

  it('that gives a group no object is refused where --set changes it', async () => {
    writeFileSync(at('config.json'), JSON.stringify({ nli: 5 }));
    expectRefusal(await decide('--config', 'config.json', '--set', 'nli.rplMin=0.7'), /"nli"/);
  });
});

describe('a model that is not what its manifest says', () => {
  const copyModel = (name: string, change: (manifest: JsonRecord) => JsonRecord): string => {
    cpSync(join(PROJECT, 'models/nli'), at(name), { recursive: true });
    const file = at(name, 'manifest.json');
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as JsonRecord)));
    return name;
  };
  const network = 'onnx/model_quantized.onnx';
  const scored = (model: string): Promise<CliResult> =>
    runCli(['score', '--pairs', '-', '--set', `nli.model=${model}`], {
      cwd: temp.path,
      stdin: '{"a": "nationality", "b": "citizenship"}\n',
    });

  it('is refused where the sha256 is another', async () => {
    const other = copyModel('other-sha', (manifest) => {
      const files = manifest['files'] as Record<string, JsonRecord>;
      return { ...manifest, files: { ...files, [network]: { ...files[network], sha256: 'a'.repeat(64) } } };
    });
    expectRefusal(
      await scored(other),
      /model_quantized\.onnx: the sha256 of the model file is [0-9a-f]{64}, not a{64}\n {2}fix: Install perturbql again/,
    );
    // A run refuses it too, and leaves nothing that looks finished.
    expectRefusal(await decide('--set', `nli.model=${other}`), /the sha256 of the model file is/);
    expect(JSON.parse(readFileSync(at('out/run.json'), 'utf8'))).toMatchObject({ complete: false });
  });

  it('is refused where the file is a Git LFS pointer', async () => {
    const pointer = copyModel('pointer', (manifest) => manifest);
    writeFileSync(at(pointer, network), 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 23000000\n');
    expectRefusal(await scored(pointer), /model_quantized\.onnx: the model file is a Git LFS pointer, not the weights/);
  });

  it('is refused where the model does another task', async () => {
    expectRefusal(await scored(join(PROJECT, 'models/encoder')), /does table-context-encoder, but nli is needed here/);
  });
});

describe('list', () => {
  it('names everything that can be given by name', async () => {
    const { code, stdout } = await run('list', '--json');
    expect(code).toBe(0);
    const lists = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(lists['recipes'] as object)).toEqual([
      'cta',
      'cta-without-retriever',
      'cta-without-nli',
      'w2v',
      'textfooler',
      'bert-attack',
      'random',
      'llm',
      'cta+llm',
    ]);
    expect(lists['naturalness rules']).toContain('misspelled');
    expect(lists['settings']).toMatchObject({ 'nli.rplMin': null, 'dictionary.keepProbability': 0.25 });
    const { thresholds } = locateModel('nli').manifest;
    const { thresholds: reading, proposed: readingOfProposed } = readAcceptabilityManifest();
    expect(lists['thresholds by default']).toEqual({ ...thresholds, reading, readingOfProposed, source: 'manifest' });
    expect((await run('list')).stdout).toContain('  hnsw\n  exact\n  bm25\n');
  });
});

describe('score', () => {
  const pairs = [
    { a: 'nationality', b: 'citizenship', tpe: 'student', note: 'kept' },
    { b: 'favourite color', a: 'nationality', tpe: 'student', type: 'text', table: ['name', 'nationality'] },
  ];
  const text = pairs.map((pair) => JSON.stringify(pair)).join('\n\n');

  it('prints the lines with scores and the decision, the same from a file and from standard input', async () => {
    writeFileSync(at('pairs.jsonl'), text);
    const fromFile = await run('score', '--pairs', 'pairs.jsonl');
    const fromStdin = await runCli(['score', '--pairs', '-', '--jobs', '1'], { cwd: temp.path, stdin: text });
    expect(fromFile).toMatchObject({ code: 0, stderr: '' });
    expect(fromStdin.stdout).toBe(fromFile.stdout);
    const lines = fromFile.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    lines.forEach((line, i) => {
      const scored = JSON.parse(line) as Record<string, number>;
      expect(line.startsWith(JSON.stringify(pairs[i]).slice(0, -1))).toBe(true);
      expect(Object.keys(scored).slice(Object.keys(pairs[i]!).length)).toEqual([
        'e1',
        'e2',
        'cosine',
        'similarity',
        'bucket',
        'reason',
        'against',
      ]);
      for (const score of ['e1', 'e2']) expect(scored[score]).toSatisfy((p: number) => p >= 0 && p <= 1);
    });
    expect(JSON.parse(lines[0]!)).toMatchObject({ bucket: 'RPL', reason: 'entailment', against: 'nationality' });
    expect(JSON.parse(lines[1]!)).not.toMatchObject({ bucket: 'RPL' });
  });

  it.each([
    ['{"a": "x", "b": "y"}\nnonsense', /standard input:2: this is not JSON/],
    ['{"a": "x"}', /standard input:1, pair: field "b" is missing/],
    ['{"a": "x", "b": "y", "type": "date"}', /standard input:1, pair: field "type" is wrong/],
  ])('refuses %j', async (stdin, message) => {
    expectRefusal(await runCli(['score', '--pairs', '-'], { cwd: temp.path, stdin }), message);
  });

  it('prints nothing for no pairs', async () => {
    expect(await runCli(['score', '--pairs', '-'], { cwd: temp.path, stdin: '' })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});
