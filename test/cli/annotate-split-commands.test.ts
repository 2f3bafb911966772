import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnnotationItem } from '../../src/annotate/annotation.js';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { command as exportCommand } from '../../src/cli/annotate-export-command.js';
import { command as initCommand } from '../../src/cli/annotate-init-command.js';
import { command as statusCommand } from '../../src/cli/annotate-status-command.js';
import { openComposeParts } from '../../src/cli/compose-parts.js';
import { spiderSsRecord } from '../../src/compositional/align/spider-ss.js';
import { type ComposeOutcome, composeQuestions } from '../../src/compositional/compose/compose.js';
import { PerturbqlError } from '../../src/errors.js';
import { runOf } from './run-of.js';

const init = runOf(initCommand);
const status = runOf(statusCommand);
const exportTo = runOf(exportCommand);

const EXAMPLES = join(import.meta.dirname, '../../examples');
const DATA = { tables: join(EXAMPLES, 'tables.json'), examples: join(EXAMPLES, 'dev.json') };

let folder: string;
const at = (name: string): string => join(folder, name);

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

/** Hands in a person's answers: the proposals, where these say every column. */
function handIn(person: string, isTaken: (item: AnnotationItem) => boolean): void {
  const project = AnnotationProject.open(at('split.db'));
  for (const { item } of [...project.items()].filter((each) => isTaken(each.item))) {
    const accepted = (item.split?.proposal ?? []).map((mark) => mark.replace(' unmentioned', ''));
    project.save(item.id, person, { state: 'done', accepted, written: [], comment: '', flagged: false }, 0);
  }
  project.close();
}

async function compose(annotations: string, out: string): Promise<ComposeOutcome> {
  const parts = await openComposeParts(annotations);
  return composeQuestions({ ...DATA, annotations, out: at(out), verify: false }, parts);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-split-commands-'));
  const options = { ...DATA, kind: 'split', out: at('split.db'), annotator: ['Ada'], reviewer: ['Rita'] };
  expect(await output(() => init(options))).toMatch(/split\.db: 30 items, 30 SPLIT, in 2 chunks/);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('annotate init --kind split', () => {
  it('makes items of the data set’s questions', async () => {
    expect(await output(() => status({ project: at('split.db') }))).toMatch(/30 items, 30 SPLIT/);
  });

  it.each([
    ['--run', { run: 'RUN' }],
    ['--qualification', { qualification: true }],
  ])('refuses %s, which is for names', async (name, given) => {
    const options = { ...DATA, kind: 'split', out: at('no.db'), ...given };
    expect(await output(() => init(options))).toBe(`error: option ${name} is for kinds that ask for names`);
    expect(existsSync(at('no.db'))).toBe(false);
  });

  it('asks for a run where it is not a split', async () => {
    expect(await output(() => init({ out: at('no.db') }))).toBe('error: option --run is missing');
  });
});

describe('what people decided', () => {
  it('is what is composed of, in part or whole, and what is exported as Spider-SS’s file', async () => {
    const spiderSs = (out: string): Promise<string> =>
      output(() => exportTo({ project: at('split.db'), format: 'spider-ss', out: at(out) }));
    expect(await spiderSs('none.json')).toBe('error: no question has been decided yet');

    handIn('Ada', ({ dbId }) => dbId === 'community_garden');
    const part = await compose(at('split.db'), 'part');
    expect(part.report.questions).toBe(10);
    expect(await spiderSs('part.json')).toMatch(/part\.json: 30 items, \d+ written/);
    const records = spiderSsRecord.array().parse(JSON.parse(readFileSync(at('part.json'), 'utf8')));
    expect(records.every(({ db_id }) => db_id === 'community_garden')).toBe(true);
    const read = await compose(at('part.json'), 'part-read');
    expect(read.report.questions).toBe(records.length);

    handIn('Ada', ({ dbId }) => dbId !== 'community_garden');
    const whole = await compose(at('split.db'), 'whole');
    expect(whole.report.questions).toBe(30);
    expect(whole.report.elements).toBeGreaterThan(part.report.elements);
  }, 120_000);
});
