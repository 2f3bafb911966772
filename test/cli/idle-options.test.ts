import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { runCommand } from '../../src/cli/run-command.js';
import { PerturbqlError } from '../../src/errors.js';
import { EXAMPLE_DATA, EXAMPLES } from '../e2e/example-data.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-idle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (...parts: string[]): string => join(folder, ...parts);

interface Outcome {
  readonly error: PerturbqlError | null;
  readonly stderr: string;
}

/** Runs a line as a shell gives it, with a configuration file or none. */
async function run(line: readonly string[], config: Readonly<Record<string, unknown>> = {}): Promise<Outcome> {
  const entry = [...COMMANDS]
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => line.join(' ').startsWith(name))!;
  const rest = line.slice(entry.name.split(' ').length);
  const flags: Record<string, unknown> = {};
  const args: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const arg = rest[i]!;
    if (!arg.startsWith('--')) {
      args.push(arg);
      continue;
    }
    const name = arg.replace(/^--(no-)?/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const value = rest[i + 1];
    const takesValue = value !== undefined && !value.startsWith('--') && !arg.startsWith('--no-');
    if (takesValue) i++;
    const isList = name === 'set';
    flags[name] = takesValue ? (isList ? [value] : value) : !arg.startsWith('--no-');
  }
  writeFileSync(at('config.json'), JSON.stringify(config));
  let stderr = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    const { command } = await entry.load();
    await runCommand(command, { command: entry.name, flags, globals: { config: at('config.json') }, args }, COMMANDS);
    return { error: null, stderr };
  } catch (error) {
    if (error instanceof PerturbqlError) return { error, stderr };
    throw error;
  } finally {
    write.mockRestore();
    log.mockRestore();
  }
}

function writeManifest(name: string, manifest: Readonly<Record<string, unknown>>): string {
  mkdirSync(at(name), { recursive: true });
  const whole = { version: '0.1.0', seed: 0, inputs: {}, complete: true, ...manifest };
  writeFileSync(at(name, 'run.json'), JSON.stringify(whole));
  return at(name);
}

const ROWLESS = ['--tables', EXAMPLE_DATA.tables, '--examples', EXAMPLE_DATA.examples];
const WITH_ROWS = EXAMPLE_DATA.options;
const GOLD = ['--gold', join(EXAMPLES, 'gold.sql'), '--predictions', join(EXAMPLES, 'pred.sql')];
const OUT = ['--out', at('out')];
const attack = (...more: string[]): string[] => ['attack', ...WITH_ROWS, ...OUT, ...more];
const consistency = (...more: string[]): string[] => ['consistency', ...WITH_ROWS, ...OUT, ...more];
const augment = (...more: string[]): string[] => ['augment', ...WITH_ROWS, ...OUT, '--dry-run', ...more];
const mutate = (...more: string[]): string[] => ['mutate', ...WITH_ROWS, ...OUT, '--dry-run', ...more];
const candidates = (...more: string[]): string[] => ['candidates', ...WITH_ROWS, ...OUT, '--dry-run', ...more];
const ON_SERVER = ['--dataset', 'postgresql', '--connection', 'postgres://localhost:1/x'];

describe('an option that changes nothing', () => {
  it.each<[line: string[], option: string]>([
    [candidates('--recipe', 'w2v', '--index', 'x'), '--index'],
    [candidates('--recipe', 'cta-without-retriever', '--index', 'x'), '--index'],
    [candidates('--recipe', 'random', '--full-scores'), '--full-scores'],
    [augment('--candidates', 'x', '--recipe', 'cta'), '--recipe'],
    [augment('--candidates', 'x', '--recipe', 'llm'), '--recipe'],
    [augment('--candidates', 'x', '--opaque', 'describe'), '--opaque'],
    [augment('--candidates', 'x', '--index', 'x'), '--index'],
    [augment('--recipe', 'bert-attack', '--index', 'x'), '--index'],
    [augment('--variants', 'rpl:2', '--add-position', 'last'), '--add-position'],
    [augment('--variants', 'rpl:2', '--keep-star'), '--keep-star'],
    [augment('--variants', 'add:1', '--linked-keys', 'independent'), '--linked-keys'],
    [['augment', ...ON_SERVER, '--examples', 'x', ...OUT, '--synthetic-databases'], '--synthetic-databases'],
    [mutate('--relations', 'TS', '--candidates', 'x'), '--candidates'],
    [mutate('--relations', 'CRn', '--graph', 'http://localhost:1/'), '--graph'],
    [mutate('--relations', 'CRn,PI', '--question', 'follow'), '--question'],
    [mutate('--relations', 'QNn', '--ask-fluency', '--base-url', 'http://localhost:1/v1'), '--ask-fluency'],
    [mutate('--relations', 'PI', '--compose', '2'), '--compose'],
    [['mutate', ...ON_SERVER, '--examples', 'x', ...OUT, '--synthetic-databases'], '--synthetic-databases'],
    [attack('--compositions', 'x', '--sample', 'hard'), '--sample'],
    [attack('--mutants', 'x', '--linked-keys', 'same'), '--linked-keys'],
    [attack('--mutants', 'x', '--abbreviate', 'as-schema'), '--abbreviate'],
    [attack('--mutants', 'x', '--add-position', 'last'), '--add-position'],
    [attack('--mutants', 'x', '--keep-star'), '--keep-star'],
    [attack('--compositions', 'x', '--seeds', '3'), '--seeds'],
    [attack('--compositions', 'x', '--strategy', 'worst-of-k'), '--strategy'],
    [attack('--candidates', 'x', '--victim', 'linker', '--linker', 'x', '--mode', 'set'), '--mode'],
    [attack('--candidates', 'x', '--victim', 'linker', '--linker', 'x', '--compat', 'bird'), '--compat'],
    [['attack', ...ROWLESS, ...OUT, '--candidates', 'x', '--mode', 'set'], '--mode'],
    [['attack', ...ROWLESS, ...OUT, '--candidates', 'x', '--compat', 'bird'], '--compat'],
    [['attack', ...ROWLESS, ...OUT, '--candidates', 'x', '--plug-values'], '--plug-values'],
    [['attack', ...OUT, '--mutants', 'x', '--dataset', 'bird'], '--dataset'],
    [['attack', ...OUT, '--mutants', 'x', '--strict'], '--strict'],
    [['attack', ...OUT, '--mutants', 'x', '--readings', 'x'], '--readings'],
    [['attack', 'prepare', ...WITH_ROWS, ...OUT, '--compositions', 'x', '--seeds', '2'], '--seeds'],
    [['attack', 'prepare', ...WITH_ROWS, ...OUT, '--mutants', 'x', '--keep-star'], '--keep-star'],
    [consistency('--compositions', 'x', '--compare-values'), '--compare-values'],
    [consistency('--compositions', 'x', '--shrink-questions', '9'), '--shrink-questions'],
    [
      consistency('--mutants', 'x', '--victim', 'file', '--predictions', 'x', '--shrink-questions', '9'),
      '--shrink-questions',
    ],
    [['consistency', ...ROWLESS, ...OUT, '--mutants', 'x', '--mode', 'bag'], '--mode'],
    [['consistency', ...OUT, '--mutants', 'x', '--strict'], '--strict'],
    [['evaluate', ...GOLD, ...WITH_ROWS, '--metrics', 'suite', '--suite', 'x', '--synthetic-databases'], '--synthetic'],
    [['evaluate', ...GOLD, '--tables', EXAMPLE_DATA.tables, '--dataset', 'bird'], '--dataset'],
    [['evaluate', ...GOLD, '--tables', EXAMPLE_DATA.tables, '--strict'], '--strict'],
    [['evaluate', '--links', 'x', '--predicted-links', 'x', '--metrics', 'linking', '--gold', 'x'], '--gold'],
    [['evaluate', '--links', 'x', '--predicted-links', 'x', '--metrics', 'linking', '--compare', 'x'], '--compare'],
    [['audit', ...ROWLESS, '--fail-on', 'does-not-bind,does-not-run'], '--fail-on'],
    [['audit', ...ROWLESS, '--fail-on', 'limit-tie'], '--fail-on'],
    [['audit', ...WITH_ROWS, '--fail-on', 'predictions'], '--fail-on'],
    [['suite', 'build', ...ROWLESS, ...OUT, '--data', 'observed'], '--data'],
    [['compose', ...WITH_ROWS, ...OUT, '--no-verify', '--allow-empty'], '--allow-empty'],
    [['identifiers', '--tables', EXAMPLE_DATA.tables, '--strict'], '--strict'],
  ])('is refused: %j', async (line, option) => {
    const { error } = await run(line);
    expect(error?.message).toMatch(new RegExp(`^option ${option}[\\w-]* is of no use to `));
    expect(error?.code).toBe('CONFIG');
    expect(error?.fix).toMatch(/^Leave it out, or give /);
  });

  it('is refused where only the run that is verified tells', async () => {
    const ofMutants = writeManifest('mutants', { command: 'mutate', settings: { materialize: 'copy' } });
    const ofCopies = writeManifest('copies', { command: 'augment', settings: { materialize: 'copy' } });
    const databases = ['--databases', EXAMPLE_DATA.databases];
    for (const line of [
      [ofMutants, ...databases],
      [ofMutants, '--synthetic-databases'],
      [ofCopies, ...databases],
    ]) {
      expect((await run(['verify', ...line])).error?.message).toMatch(/ is of no use to /);
    }
    const ofViews = writeManifest('views', { command: 'augment', settings: { materialize: 'views' } });
    expect((await run(['verify', ofViews, ...databases])).error?.message).not.toMatch(/ is of no use to /);
  });

  it('is refused next to the packaged examples', async () => {
    const { error } = await run(['init', at('elsewhere'), '--example']);
    expect(error?.message).toMatch(/^option --example is for the packaged examples, not for /);
  });

  it.each([
    [candidates('--set', 'masked.model=x'), 'masked.model'],
    [candidates('--recipe', 'w2v', '--set', 'retriever.topK=9'), 'retriever.topK'],
    [candidates('--recipe', 'w2v', '--set', 'nli.fullScores=true'), 'nli.fullScores'],
    [augment('--recipe', 'cta-without-retriever', '--set', 'bank.keep=3'), 'bank.keep'],
    [augment('--candidates', 'x', '--set', 'attributes.keep=3'), 'attributes.keep'],
    [['identifiers', '--tables', EXAMPLE_DATA.tables, '--set', 'nli.rplMin=0.9'], 'nli.rplMin'],
    [['index', 'build', '--from', 'x', ...OUT, '--set', 'retriever.topK=9'], 'retriever.topK'],
  ])('is refused as a setting: %j', async (line, setting) => {
    expect((await run(line)).error?.message).toMatch(new RegExp(`^setting ${setting} is of no use to `));
  });

  it.each<[line: string[], option: string]>([
    [mutate('--relations', 'CRn', '--no-guard', '--dry-run'), '--no-guard'],
    [['evaluate', ...GOLD, '--tables', EXAMPLE_DATA.tables, '--timeout', '5'], '--timeout'],
    [['audit', ...ROWLESS, '--timeout', '5'], '--timeout'],
    [augment('--materialize', 'none', '--no-verify'), '--no-verify'],
    [['augment', ...ROWLESS, ...OUT, '--dry-run', '--no-verify'], '--no-verify'],
    [['attack', ...ROWLESS, ...OUT, '--candidates', 'x', '--timeout', '5'], '--timeout'],
    [attack('--candidates', 'x', '--cache', 'x'), '--cache'],
    [['consistency', ...ROWLESS, ...OUT, '--mutants', 'x', '--timeout', '5'], '--timeout'],
  ])('is warned of where it says how work is done: %j', async (line, option) => {
    const { stderr } = await run(line);
    const warnings = stderr.split('\n').filter((text) => text.includes('is of no use'));
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^warning: option ${option} is of no use to `))]);
  });
});

describe('an option that changes something', () => {
  it.each([
    [['evaluate', ...GOLD, ...WITH_ROWS.slice(0, 2), ...WITH_ROWS.slice(4), '--timeout', '60', '--mode', 'set']],
    [['evaluate', ...GOLD, '--dataset', 'sqlite', '--databases', EXAMPLE_DATA.databases]],
    [['audit', ...ROWLESS, '--fail-on', 'does-not-bind']],
    [augment('--variants', 'mixed:1', '--add-position', 'last', '--linked-keys', 'independent')],
    [augment('--no-verify')],
    [mutate('--relations', 'CEq', '--question', 'follow', '--no-guard')],
    [mutate('--relations', 'PI,PR', '--compose', '2')],
    [candidates('--recipe', 'cta-without-retriever', '--full-scores')],
    [candidates('--recipe', 'random', '--set', 'retriever.index=x')],
  ])('passes: %j', async (line) => {
    const { error, stderr } = await run(line);
    expect(error).toBeNull();
    expect(stderr).not.toContain('is of no use');
  });

  it.each<[line: string[], config: Readonly<Record<string, unknown>>]>([
    [['evaluate', ...GOLD, '--tables', EXAMPLE_DATA.tables], { timeout: 5, mode: 'set', plugValues: true }],
    [['audit', ...ROWLESS], { timeout: 5, failOn: ['does-not-run'] }],
    [augment('--variants', 'rpl:1'), { keepStar: true, addPosition: 'last' }],
    [mutate('--relations', 'TS'), { question: 'follow', guard: false }],
  ])('passes for %j where the configuration file gives it: %j', async (line, config) => {
    const { error, stderr } = await run(line, config);
    expect(error).toBeNull();
    expect(stderr).not.toContain('is of no use');
  });
});
