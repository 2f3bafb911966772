import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectAgreement } from '../../src/annotate/agreement/agreement-report.js';
import { renderAgreementLines } from '../../src/annotate/agreement/agreement-lines.js';
import { exportAnnotations } from '../../src/annotate/exchange/export-annotations.js';
import { importAnnotations } from '../../src/annotate/exchange/import-annotations.js';
import { loadFinalCandidates } from '../../src/annotate/final-candidates.js';
import { loadFinalSplits } from '../../src/annotate/final-splits.js';
import type { AnnotationItem } from '../../src/annotate/annotation.js';
import { AnnotationRefusal } from '../../src/annotate/project/annotation-refusal.js';
import { readAnnotatedSplit } from '../../src/compositional/align/annotated-split.js';
import { readSpiderSs, spiderSsRecord, writeSpiderSs } from '../../src/compositional/align/spider-ss.js';
import { joinKeysOf } from '../../src/compositional/clauses/join-keys.js';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { mustGet } from '../../src/present.js';
import { errorOf } from '../error-of.js';
import { createSampleProject } from './sample-project.js';
import { createSplitProject, inProject, marksAnswer, sampleSplits } from './split-sample.js';

let folder: string;
let file: string;
let items: readonly AnnotationItem[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-split-'));
  file = createSplitProject(folder);
  items = inProject(file, (project) => [...project.items()].map(({ item }) => item));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const [first, second] = [0, 1].map((at) => (): AnnotationItem => mustGet(items[at], 'item'));
const proposalOf = (item: AnnotationItem | undefined): readonly string[] =>
  mustGet(item?.split?.proposal, 'the proposal');

/** Everyone hands in these marks for each item. */
function handIn(by: Readonly<Record<string, (item: AnnotationItem) => readonly string[]>>): void {
  inProject(file, (project) => {
    for (const [name, marks] of Object.entries(by))
      for (const item of items) project.save(item.id, name, marksAnswer(marks(item)), 0);
  });
}

describe('a project of questions', () => {
  it('has the automatic split as a proposal, and the database around it', () => {
    const { item, context } = inProject(file, (project) => project.item(first!().id));
    expect(item).toMatchObject({ kind: 'SPLIT', dbId: 'community_garden', candidates: [] });
    expect(item.split?.clauses).toEqual(['select count(*)', "gardener.home_country = 'Portugal'"]);
    expect(proposalOf(item)).toEqual(['0:clause 0', '3:break', '3:clause 1']);
    expect(context.columns.map(({ originalName }) => originalName)).toContain('gardener.home_country');
    inProject(file, (project) => {
      expect(project.summary()).toMatchObject({ items: 4, kindCounts: { SPLIT: 4 }, chunks: 2 });
      expect(project.qualificationItems()).toEqual([]);
    });
  });

  it('keeps breaks and clauses over a restart, as marks in one order', () => {
    const given = ['3:clause 1', '3:break', '0:clause 0', '5:break', '5:extra gardener.full_name', '3:break'];
    inProject(file, (project) => project.save(first!().id, 'Ada', marksAnswer(given, { state: 'draft' }), 0));
    const kept = inProject(file, (project) => project.answer(first!().id, 'Ada'));
    expect(kept?.accepted).toEqual([
      ...['0:clause 0', '3:break', '3:clause 1', '5:break', '5:extra gardener.full_name'],
    ]);
    inProject(file, (project) => {
      const next = marksAnswer(['0:clause 0', '0:clause 1 unmentioned']);
      expect(project.save(first!().id, 'Ada', next, 1)).toMatchObject({ saved: true, answer: { revision: 2 } });
    });
  });

  it.each([['0:break'], ['99:break'], ['2:clause 7'], ['2:said'], ['break']])('refuses the mark %s', (mark) => {
    inProject(file, (project) => {
      const error = errorOf(AnnotationRefusal, () => project.save(first!().id, 'Ada', marksAnswer([mark]), 0));
      expect(error.reason).toBe('bad-answer');
    });
  });

  it('refuses names of one’s own', () => {
    inProject(file, (project) => {
      const answer = marksAnswer([], { written: ['where age > 3'] });
      expect(errorOf(AnnotationRefusal, () => project.save(first!().id, 'Ada', answer, 0)).reason).toBe('bad-answer');
    });
  });
});

describe('what a question comes to', () => {
  const finals = (): readonly (readonly [string, string])[] =>
    inProject(file, (project) =>
      [...project.finalAnswers()].map(({ item, basis }) => [item.split?.example ?? '', basis] as const),
    );

  it('is the split that both annotators made, and nothing where they differ', () => {
    handIn({ Ada: proposalOf, Ben: (item) => (item === first!() ? ['0:clause 0', '0:clause 1'] : proposalOf(item)) });
    expect(finals().map(([, basis]) => basis)).toEqual(['majority', 'majority', 'majority']);
    inProject(file, (project) => {
      const [top] = project.disagreements();
      expect(top?.itemId).toBe(first!().id);
      expect(top?.disagreement).toBeGreaterThan(0);
      expect(project.summary().toReview).toBe(1);
    });
    expect(loadFinalSplits(file)).toMatchObject({ undecided: 1 });
  });

  it('is the reviewer’s decision where there is one', () => {
    handIn({ Ada: proposalOf, Ben: () => ['0:clause 0'] });
    const decided = ['0:clause 0', '2:break', '2:clause 1'];
    inProject(file, (project) => project.adjudicate(first!().id, 'Rita', marksAnswer(decided), 0));
    expect(finals()).toEqual([[first!().split?.example, 'adjudicated']]);
    const { splits } = loadFinalSplits(file);
    expect(splits[0]?.segments.map(({ start }) => start)).toEqual([0, first!().split?.tokens[2]?.start]);
  });

  it('is refused for what takes names', () => {
    handIn({ Ada: proposalOf, Ben: proposalOf });
    expect(errorOf(InputFormatError, () => loadFinalCandidates(file)).message).toMatch(/has no names/);
    const { file: names } = createSampleProject(folder);
    expect(errorOf(InputFormatError, () => loadFinalSplits(names)).message).toMatch(/asks for names/);
  });

  it('says so where nothing is decided', () => {
    expect(errorOf(InputFormatError, () => loadFinalSplits(file)).message).toMatch(/no question has been decided/);
  });
});

describe('agreement on splits', () => {
  it('is whole where both say the same', () => {
    handIn({ Ada: proposalOf, Ben: proposalOf });
    const { overall, kinds, pairs } = inProject(file, (project) => projectAgreement(project, 1));
    expect(overall).toMatchObject({ items: 4, observed: { value: 1 } });
    expect(kinds.breaks?.krippendorff?.value).toBe(1);
    expect(kinds.clauses?.krippendorff?.value).toBe(1);
    expect(pairs[0]?.cohen?.value).toBe(1);
  });

  it('counts each token that may begin a sub-sentence, and each clause at each token', () => {
    const [item] = items;
    const { tokens = [], clauses = [] } = item?.split ?? {};
    inProject(file, (project) => {
      project.save(first!().id, 'Ada', marksAnswer(['0:clause 0', '3:break', '3:clause 1']), 0);
      project.save(first!().id, 'Ben', marksAnswer(['0:clause 0', '4:break', '4:clause 1']), 0);
    });
    const report = inProject(file, (project) => projectAgreement(project, 1));
    const { breaks, clauses: said } = report.kinds;
    expect(breaks?.candidates).toBe(tokens.length - 1);
    // They differ on two tokens: one begins at 3, the other at 4.
    expect(breaks?.observed?.value).toBeCloseTo(1 - 2 / (tokens.length - 1), 10);
    expect(said?.candidates).toBe(tokens.length * clauses.length);
    // At token 3 they differ on both clauses.
    expect(said?.observed?.value).toBeCloseTo(1 - 2 / (tokens.length * clauses.length), 10);
    expect(report.overall.candidates).toBe((breaks?.candidates ?? 0) + (said?.candidates ?? 0));
    const lines = renderAgreementLines(report).join('\n');
    expect(lines).toMatch(/breaks/);
    expect(lines).toMatch(/units/);
  });
});

describe('exports of splits', () => {
  const exported = (): Promise<unknown> =>
    exportAnnotations({ project: file, format: 'jsonl', kind: null, out: join(folder, 'out.jsonl') });

  it('come back whole as JSON lines', async () => {
    handIn({ Ada: proposalOf, Ben: (item) => (item === second!() ? ['0:clause 0'] : proposalOf(item)) });
    await exported();
    const other = join(folder, 'other.db');
    const from = {
      from: join(folder, 'out.jsonl'),
      format: 'jsonl',
      kind: null,
      project: other,
      dataset: null,
    } as const;
    await importAnnotations(from);
    const records = (of: string): unknown => inProject(of, (project) => [...project.records()]);
    expect(records(other)).toEqual(records(file));
    expect(loadFinalSplits(other)).toEqual(loadFinalSplits(file));
  });

  it('are refused in forms of names', async () => {
    const options = { project: file, format: 'csv', kind: null, out: join(folder, 'out.csv') } as const;
    await expect(exportAnnotations(options)).rejects.toThrow(ConfigError);
  });

  it('as records of Spider-SS are read as they were decided', () => {
    handIn({ Ada: proposalOf, Ben: proposalOf });
    inProject(file, (project) => {
      const extra = ['0:clause 0', '3:break', '3:clause 1', '3:extra gardener.full_name', '5:break'];
      project.adjudicate(first!().id, 'Rita', marksAnswer(extra), 0);
    });
    const { splits } = loadFinalSplits(file);
    expect(splits).toHaveLength(4);
    for (const split of splits) {
      const { database } = mustGet(
        sampleSplits().find((one) => one.split.id === split.id),
        split.id,
      );
      const keys = joinKeysOf(database);
      const own = readAnnotatedSplit(split, split, database, keys);
      if ('reason' in own) throw new Error(own.reason);
      const written = writeSpiderSs(split, mustGet(split.natSql, 'NatSQL'));
      const record = spiderSsRecord.parse(JSON.parse(JSON.stringify(written)));
      const read = readSpiderSs(record, split, database, keys);
      const sayings = ({ segments }: typeof read): unknown =>
        segments.map(({ text, links, extra }) => ({ text, clauses: links.map(({ clause }) => clause), extra }));
      expect(sayings(read)).toEqual(sayings(own));
    }
  });

  it('say why where question or gold have changed', () => {
    const { split, database } = mustGet(sampleSplits()[0], 'split');
    const keys = joinKeysOf(database);
    const other = { ...split, question: `${split.question} ` };
    expect(readAnnotatedSplit(split, other, database, keys)).toHaveProperty('reason');
    const gold = { ...split, query: 'SELECT count(*) FROM gardener' };
    expect(readAnnotatedSplit(split, gold, database, keys)).toHaveProperty('reason');
  });
});
