import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { command as agreementCommand } from '../../src/cli/annotate-agreement-command.js';
import { command as initCommand } from '../../src/cli/annotate-init-command.js';
import { command as inviteCommand } from '../../src/cli/annotate-invite-command.js';
import { command as statusCommand } from '../../src/cli/annotate-status-command.js';
import { PerturbqlError } from '../../src/errors.js';
import { createSampleProject } from '../annotate/sample-project.js';
import { runOf } from './run-of.js';

const agreement = runOf(agreementCommand);
const init = runOf(initCommand);
const invite = runOf(inviteCommand);
const status = runOf(statusCommand);

const EXAMPLES = join(import.meta.dirname, '../../examples');

let folder: string;
const at = (...parts: string[]): string => join(folder, ...parts);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-annotate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a command prints, or the error that it ends with. */
async function output(command: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await command();
    return lines.join('\n');
  } catch (error) {
    if (error instanceof PerturbqlError) return `error: ${error.message}`;
    throw error;
  } finally {
    log.mockRestore();
    progress.mockRestore();
  }
}

const DEFAULTS = { overlap: '1', chunkSize: '20', listLength: '20', kind: 'both', columns: 'mentioned' };

function candidatesFile(): string {
  const decision = {
    db_id: 'planetarium',
    table: 'presenter',
    column: 'home country',
    bucket: 'ADD',
    reason: 'no-equivalence',
    candidate: 'home town',
    source: 'retrieval',
    origin: null,
    similarity: null,
    association: null,
    e1: 0.1,
    e2: 0.1,
    against: null,
    near: false,
  };
  writeFileSync(at('candidates.jsonl'), `${JSON.stringify(decision)}\n`);
  return at('candidates.jsonl');
}

function initOptions(given: Record<string, unknown> = {}): Record<string, unknown> {
  const data = { tables: join(EXAMPLES, 'tables.json'), examples: join(EXAMPLES, 'dev.json') };
  return { ...DEFAULTS, run: candidatesFile(), out: at('new.db'), ...data, ...given };
}

describe('annotate init', () => {
  it('says what the project holds and how to go on', async () => {
    const people = { annotator: ['Ada', 'Ben'], reviewer: ['Rita'], overlap: '3' };
    const text = await output(() => init(initOptions(people)));
    expect(text).toMatch(/new\.db: 2 items, 1 RPL and 1 ADD, in 2 chunks/);
    expect(text).toMatch(/ {2}Ada {3}annotator {2}0 of 2 items in 2 chunks/);
    expect(text).toMatch(/2 places in chunks wait for further annotators/);
    expect(text).toMatch(/perturbql annotate serve --project .*new\.db$/);
    expect(await output(() => init(initOptions()))).toBe('error: the file exists');
  });

  it('asks for people where there are none', async () => {
    expect(await output(() => init(initOptions()))).toMatch(/perturbql annotate invite NAME --project .*new\.db$/);
  });

  it.each([
    [{ overlap: '0' }, 'error: option --overlap is wrong: a number above 0 is expected'],
    [{ chunkSize: 'many' }, 'error: option --chunk-size is wrong: a whole number is expected'],
    [{ annotator: ['Ada'], reviewer: ['ada'] }, 'error: "ada" is named twice'],
    [{ annotator: [' '] }, 'error: " " can’t be the name of a person'],
  ])('refuses %j', async (given, message) => {
    expect(await output(() => init(initOptions(given)))).toBe(message);
  });
});

describe('annotate status, invite and agreement', () => {
  it('show how far everyone is', async () => {
    const { file } = createSampleProject(folder, { settings: { qualification: { required: true, passMark: 0.75 } } });
    const text = await output(() => status({ project: file }));
    expect(text).toMatch(/^Lighthouse museum: 10 items, 5 RPL and 5 ADD, in 4 chunks$/m);
    expect(text).toMatch(/qualification: required, 75% to pass/);
    expect(text).toMatch(/^ {2}Ben {3}annotator {2}0 of 10 items in 4 chunks, qualification not passed yet$/m);
    const json = JSON.parse(await output(() => status({ project: file, json: true }))) as { people: unknown[] };
    expect(json).toMatchObject({ items: 10, settings: { overlap: 2 } });
    expect(json.people[0]).toMatchObject({ name: 'Ada', role: 'annotator', done: 0, total: 10 });
  });

  it('add people, and renew links', async () => {
    const { file, tokens } = createSampleProject(folder);
    const invited = await output(() => invite({ project: file, role: 'reviewer' }, 'Cleo'));
    const renewed = await output(() => invite({ project: file }, 'ada'));
    const tokenIn = (text: string): string => /#token=(\S+)/.exec(text)![1]!;
    const project = AnnotationProject.open(file);
    expect(project.personByToken(tokenIn(invited))).toMatchObject({ name: 'Cleo', role: 'reviewer' });
    expect(project.personByToken(tokenIn(renewed))?.name).toBe('Ada');
    expect(project.personByToken(tokens.get('Ada')!)).toBeNull();
    project.close();
    expect(await output(() => invite({ project: file, role: 'annotator' }, 'Cleo'))).toMatch(/is reviewer already/);
  });

  it('renew no link that could not be kept', async () => {
    const { file, tokens } = createSampleProject(folder);
    writeFileSync(`${file}.links.json`, '{}');
    expect(await output(() => invite({ project: file }, 'Ada'))).toMatch(/^error: field "version"/);
    const project = AnnotationProject.open(file);
    const person = project.personByToken(tokens.get('Ada')!);
    project.close();
    expect(person?.name).toBe('Ada');
  });

  it('measure agreement', async () => {
    const { file } = createSampleProject(folder);
    expect(await output(() => agreement({ project: file }))).toMatch(/nothing to compare/);
    const project = AnnotationProject.open(file);
    const id = 'lighthouse_museum/Keeper/Name/RPL';
    for (const [name, accepted] of [
      ['Ada', ['full name', 'called']],
      ['Ben', ['full name']],
    ] as const)
      project.save(id, name, { state: 'done', accepted, written: [], comment: '', flagged: false }, 0);
    project.close();
    const text = await output(() => agreement({ project: file }));
    expect(text).toMatch(/^ {2}all +1 +6 +0\.833 +0\.593 /m);
    expect(text).toMatch(/^ {2}Ada and Ben +1 +6 +0\.833 +0\.571/m);
    const report = JSON.parse(await output(() => agreement({ project: file, seed: '3', json: true }))) as unknown;
    expect(report).toMatchObject({ seed: 3, overall: { items: 1, candidates: 6 } });
  });

  it.each([status, agreement])('refuse what is no project', async (command) => {
    expect(await output(() => command({ project: at('absent.db') }))).toBe('error: there is no such file');
  });
});
