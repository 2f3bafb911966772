import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportAnnotations } from '../../../src/annotate/exchange/export-annotations.js';
import { exchangeFormat, type ExchangeFormatName } from '../../../src/annotate/exchange/exchange-formats.js';
import { type ExchangeSet } from '../../../src/annotate/exchange/exchange-set.js';
import { importAnnotations } from '../../../src/annotate/exchange/import-annotations.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { AnnotationError } from '../../../src/errors.js';
import { comparable, exchangeSets } from './exchange-arbitrary.js';
import {
  createFile,
  createFolder,
  faultOf,
  sampleAnswer,
  sampleItem,
  sampleRecord,
  sampleSet,
} from './exchange-fixture.js';
import { createSampleProject, sampleItems } from '../sample-project.js';

/** Writes a set and imports it into a project. */
async function importSet(
  set: ExchangeSet,
  project: string,
  name: ExchangeFormatName = 'jsonl',
): ReturnType<typeof importAnnotations> {
  const from = join(createFolder(), 'set');
  (await exchangeFormat(name)).write(set, from);
  return importAnnotations({ from, format: name, kind: null, project, dataset: null });
}

async function exportSet(project: string, name: ExchangeFormatName = 'jsonl'): Promise<ExchangeSet> {
  const out = join(createFolder(), 'out');
  await exportAnnotations({ project, format: name, kind: null, out });
  return (await exchangeFormat(name)).read(out, null);
}

/** The write-ahead log of a project that holds an answer and was never closed. */
function leftLog(): Buffer {
  const { file } = createSampleProject(createFolder());
  return AnnotationProject.with(file, {}, (open) => {
    const { id } = sampleItems()[0]!.item;
    open.save(id, 'Ada', { state: 'done', accepted: [], written: [], comment: '', flagged: false }, 0);
    return readFileSync(`${file}-wal`);
  });
}

describe('a project', () => {
  test('that is made of a set and exported gives the set', async () => {
    await fc.assert(
      fc.asyncProperty(exchangeSets(), async (set) => {
        const project = join(createFolder(), 'project.db');
        const summary = await importSet(set, project);
        expect(summary).toMatchObject({ created: true, items: set.records.length, newItems: set.records.length });
        expect(comparable(await exportSet(project))).toEqual(comparable(set));
      }),
      { numRuns: 8 },
    );
  });

  test('takes the same set a second time without a change', async () => {
    const [set] = fc.sample(exchangeSets(), { numRuns: 1, seed: 3 });
    const project = join(createFolder(), 'project.db');
    await importSet(set!, project);
    const before = comparable(await exportSet(project));
    const { answers, newItems, newPeople } = await importSet(set!, project);
    expect({ ...answers, newItems, newPeople }).toMatchObject({
      added: 0,
      changed: 0,
      stale: 0,
      newItems: 0,
      newPeople: [],
    });
    expect(comparable(await exportSet(project))).toEqual(before);
  });
});

describe('an import into a project', () => {
  const second = sampleAnswer({ revision: 2, savedAt: '2026-03-02T10:00:00.000Z', accepted: ['nation'] });

  async function projectWith(...answers: ReturnType<typeof sampleAnswer>[]): Promise<string> {
    const project = join(createFolder(), 'project.db');
    await importSet(sampleSet(sampleRecord({ answers })), project);
    return project;
  }

  test('adds the revisions that follow', async () => {
    const project = await projectWith(sampleAnswer());
    const { answers } = await importSet(sampleSet(sampleRecord({ answers: [sampleAnswer(), second] })), project);
    expect(answers).toEqual({ added: 0, changed: 1, unchanged: 0, stale: 0 });
    AnnotationProject.with(project, {}, (open) =>
      expect(open.history(sampleItem().id, 'ann')).toEqual([sampleAnswer(), second]),
    );
  });

  test('takes revisions in their order, however the file has them', async () => {
    const decided = [second, sampleAnswer()].map((answer) => ({ ...answer, annotator: 'rex' }));
    const project = join(createFolder(), 'project.db');
    await importSet(sampleSet(sampleRecord({ answers: [second, sampleAnswer()], adjudications: decided })), project);
    AnnotationProject.with(project, {}, (open) => {
      expect(open.answer(sampleItem().id, 'ann')).toEqual(second);
      expect(open.adjudication(sampleItem().id)).toEqual(decided[0]);
    });
  });

  test('leaves revisions alone that it knows, whatever number they got here', async () => {
    const own = sampleAnswer({ accepted: ['native country'], savedAt: '2026-02-01T10:00:00.000Z' });
    const project = await projectWith(own);
    const set = sampleSet(sampleRecord({ answers: [sampleAnswer(), second] }));
    await importSet(set, project);
    expect((await importSet(set, project)).answers).toEqual({ added: 0, changed: 0, unchanged: 1, stale: 0 });
    AnnotationProject.with(project, {}, (open) => {
      expect(open.history(sampleItem().id, 'ann')).toHaveLength(3);
      expect(open.conflicts(sampleItem().id, 'ann')).toEqual([]);
    });
  });

  test('keeps an older answer next to the current one', async () => {
    const project = await projectWith(sampleAnswer(), second);
    const old = sampleAnswer({ comment: 'from another copy', savedAt: '2026-02-01T10:00:00.000Z' });
    const { answers } = await importSet(sampleSet(sampleRecord({ answers: [old] })), project);
    expect(answers.stale).toBe(1);
    AnnotationProject.with(project, {}, (open) => {
      expect(open.answer(sampleItem().id, 'ann')).toEqual(second);
      expect(open.conflicts(sampleItem().id, 'ann')).toEqual([old]);
    });
  });

  test('takes an exported file that was edited as a new revision', async () => {
    const project = await projectWith(sampleAnswer());
    const out = join(createFolder(), 'answers.csv');
    await exportAnnotations({ project, format: 'csv', kind: null, out });
    const text = readFileSync(out, 'utf8');
    writeFileSync(out, text.replace(',done,homeland,', ',done,homeland | nation,'));
    const { answers } = await importAnnotations({ from: out, format: 'csv', kind: null, project, dataset: null });
    expect(answers.changed).toBe(1);
    AnnotationProject.with(project, {}, (open) => {
      const { accepted, revision, savedAt } = open.answer(sampleItem().id, 'ann')!;
      expect({ accepted, revision }).toEqual({ accepted: ['homeland', 'nation'], revision: 2 });
      expect(savedAt > sampleAnswer().savedAt).toBe(true);
    });
  });

  test('numbers decisions of two reviewers that another tool counts alike', async () => {
    const adjudications = ['rex', 'ria'].map((annotator) => sampleAnswer({ annotator, comment: annotator }));
    const people = adjudications.map(({ annotator }) => ({ name: annotator, role: 'reviewer' as const }));
    const project = join(createFolder(), 'project.db');
    await importSet({ ...sampleSet(sampleRecord({ adjudications })), people }, project);
    AnnotationProject.with(project, {}, (open) => {
      expect(open.adjudication(sampleItem().id)).toMatchObject({ annotator: 'ria', revision: 2 });
    });
  });

  test('says which items and people are new, and gives them their chunks', async () => {
    const { file } = createSampleProject(createFolder(), { annotators: ['Ada'], settings: { overlap: 1 } });
    const record = sampleRecord({ answers: [sampleAnswer({ annotator: 'zoe' })] });
    const summary = await importSet({ ...sampleSet(record), people: [{ name: 'zoe', role: 'annotator' }] }, file);
    expect(summary).toMatchObject({ created: false, newItems: 0, newPeople: ['zoe'] });
    const other = sampleItem({ tableOriginal: 'Boat', table: 'boat' });
    const { newItems } = await importSet(sampleSet(sampleRecord({ item: other })), file);
    expect(newItems).toBe(1);
    AnnotationProject.with(file, {}, (open) => {
      expect(open.chunkOf(sampleItem().id, 'zoe')).not.toBeNull();
      expect([...open.items()].at(-1)!.item).toEqual(other);
    });
  });

  test('is all or nothing, and leaves no file behind', async () => {
    const folder = createFolder();
    const project = join(folder, 'project.db');
    const good = sampleRecord({ answers: [sampleAnswer()] });
    const item = sampleItem({ columnOriginal: 'Name', column: 'name' });
    const bad = sampleRecord({ item, answers: [sampleAnswer({ itemId: item.id, accepted: ['not listed'] })] });
    const fault = await faultOf(() => importSet(sampleSet(good, bad), project));
    expect(fault.render()).toMatch(/set.*lighthouse_museum\/Keeper\/Name\/RPL.*"not listed" is not in the list/su);
    expect(readdirSync(folder)).toEqual([]);
    await importSet(sampleSet(good), project);
    const before = comparable(await exportSet(project));
    const more = sampleRecord({ answers: [sampleAnswer(), second] });
    await faultOf(() => importSet(sampleSet(more, bad), project));
    expect(comparable(await exportSet(project))).toEqual(before);
  });

  test('refuses a file without items, and keeps what an earlier one has left here', async () => {
    const project = await projectWith(sampleAnswer());
    await importSet({ ...sampleSet(sampleRecord()), notes: { kept: 'text' } }, project);
    const fault = await faultOf(() => importSet({ ...sampleSet(), notes: { kept: '' } }, project));
    expect(fault.render()).toMatch(/set: there are no items in it/u);
    AnnotationProject.with(project, {}, (open) => expect(open.notes()).toEqual({ kept: 'text' }));
  });

  test('refuses a list that names something twice, and an answer that is about another item', async () => {
    const twice = ['homeland', 'homeland'].map((name) => ({ name, source: 'annotation', origin: null }));
    const listed = sampleSet(sampleRecord({ item: sampleItem({ candidates: twice }) }));
    const strayed = sampleSet(sampleRecord({ answers: [sampleAnswer({ itemId: 'a/b/c/RPL' })] }));
    const fresh = join(createFolder(), 'project.db');
    expect((await faultOf(() => importSet(listed, fresh))).message).toMatch(/"homeland" is in the list twice/u);
    expect((await faultOf(() => importSet(strayed, fresh))).message).toMatch(/answer is about "a\/b\/c\/RPL"/u);
    expect(readdirSync(dirname(fresh))).toEqual([]);
  });

  test('is made again next to what an import that was killed has left', async () => {
    const project = join(createFolder(), 'project.db');
    writeFileSync(`${project}.importing-wal`, leftLog());
    await importSet(sampleSet(sampleRecord({ answers: [sampleAnswer()] })), project);
    AnnotationProject.with(project, {}, (open) => expect(open.answer(sampleItem().id, 'ann')).toEqual(sampleAnswer()));
  });

  test('makes no project next to the log of one that is gone', async () => {
    const project = join(createFolder(), 'project.db');
    writeFileSync(`${project}-wal`, leftLog());
    const fault = await faultOf(() => importSet(sampleSet(sampleRecord()), project));
    expect(fault.message).toMatch(/log of another project/u);
    expect(readdirSync(dirname(project))).toEqual(['project.db-wal']);
  });

  test('names the line that breaks a file half way, and keeps what stood', async () => {
    const project = await projectWith(sampleAnswer());
    const out = join(createFolder(), 'set.jsonl');
    (await exchangeFormat('jsonl')).write(sampleSet(sampleRecord({ answers: [sampleAnswer(), second] })), out);
    writeFileSync(out, `${readFileSync(out, 'utf8')}{"item": 1}\n`);
    const fault = await faultOf(() =>
      importAnnotations({ from: out, format: 'jsonl', kind: null, project, dataset: null }),
    );
    expect(fault.where).toMatchObject({ file: out, line: 3 });
    AnnotationProject.with(project, {}, (open) => expect(open.answer(sampleItem().id, 'ann')).toEqual(sampleAnswer()));
  });

  test('refuses what is no project, and leaves it as it is', async () => {
    const project = createFile('project.db', 'no database at all');
    await faultOf(() => importSet(sampleSet(sampleRecord()), project));
    expect(readFileSync(project, 'utf8')).toBe('no database at all');
  });

  test('asks for the kind where a file does not say it', async () => {
    const options = { from: 'x.json', format: 'adveta', kind: null, project: 'x.db', dataset: null } as const;
    expect((await faultOf(() => importAnnotations(options))).render()).toMatch(/--kind is missing/u);
  });
});

describe('an export', () => {
  test('never replaces the project, and asks for the kind where a file holds one', async () => {
    const { file } = createSampleProject(createFolder());
    const onto = { project: file, format: 'jsonl', kind: null, out: file } as const;
    expect((await faultOf(() => exportAnnotations(onto))).render()).toMatch(/is the project itself/u);
    const out = join(createFolder(), 'rpl.json');
    const both = { project: file, format: 'adveta', kind: null, out } as const;
    expect((await faultOf(() => exportAnnotations(both))).render()).toMatch(/--kind is missing/u);
    expect(existsSync(out)).toBe(false);
    expect(await exportAnnotations({ ...both, kind: 'RPL' })).toEqual({
      items: 5,
      answered: 0,
      drafts: 0,
      single: 0,
    });
  });

  test('counts items that only one of several annotators has answered, and those with drafts alone', async () => {
    const { file } = createSampleProject(createFolder(), { settings: { overlap: 2 } });
    const answer = { accepted: [], written: [], comment: '', flagged: false };
    const [first, second, third] = sampleItems().map(({ item }) => item.id);
    AnnotationProject.with(file, {}, (open) => {
      open.save(first!, 'Ada', { ...answer, state: 'done' }, 0);
      for (const name of ['Ada', 'Ben']) open.save(second!, name, { ...answer, state: 'done' }, 0);
      open.save(third!, 'Ada', { ...answer, state: 'draft' }, 0);
    });
    const to = { format: 'jsonl', kind: null, out: join(createFolder(), 'all.jsonl') } as const;
    expect(await exportAnnotations({ project: file, ...to })).toMatchObject({ answered: 3, drafts: 1, single: 1 });
    const { file: alone } = createSampleProject(createFolder(), {
      annotators: ['Ada'],
      settings: { overlap: 1 },
    });
    AnnotationProject.with(alone, {}, (open) => open.save(first!, 'Ada', { ...answer, state: 'done' }, 0));
    const out = join(createFolder(), 'alone.jsonl');
    expect(await exportAnnotations({ ...to, project: alone, out })).toMatchObject({ answered: 1, single: 0 });
  });

  test('of a kind that the project does not have is refused', async () => {
    const items = sampleItems().filter(({ item }) => item.kind === 'RPL');
    const { file: project } = createSampleProject(createFolder(), { items });
    const out = join(createFolder(), 'add.json');
    const fault = await faultOf(() => exportAnnotations({ project, format: 'adveta', kind: 'ADD', out }));
    expect(fault.render()).toMatch(/no items of the kind ADD/u);
    expect(existsSync(out)).toBe(false);
  });

  test('never replaces a file that is there: people may have answered in it', async () => {
    const project = createSampleProject(createFolder()).file;
    const out = createFile('answers.csv', 'a week of work');
    const error = await faultOf(() => exportAnnotations({ project, format: 'csv', kind: null, out }));
    expect(error).toBeInstanceOf(AnnotationError);
    expect(error.render()).toBe(
      `${out}: the file exists\n  fix: Name another file: an export never replaces what may hold answers.`,
    );
    expect(readFileSync(out, 'utf8')).toBe('a week of work');
  });

  test.each(['label-studio', 'argilla'] as const)('as %s goes into an empty or new folder alone', async (format) => {
    const project = createSampleProject(createFolder()).file;
    const folder = createFolder();
    const options = { project, format, kind: null } as const;
    await exportAnnotations({ ...options, out: folder });
    const written = readdirSync(folder);
    expect(written).not.toEqual([]);
    const error = await faultOf(() => exportAnnotations({ ...options, out: folder }));
    expect(error).toBeInstanceOf(AnnotationError);
    expect(error.render()).toMatch(/: the folder is not empty\n {2}fix: Name an empty or new folder/u);
    const file = createFile('answers.csv', 'a week of work');
    expect((await faultOf(() => exportAnnotations({ ...options, out: file }))).render()).toMatch(/: the file exists/u);
    await exportAnnotations({ ...options, out: join(folder, 'new') });
    expect(readdirSync(join(folder, 'new'))).toEqual(written);
  });
});
