import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/annotate/annotation.js';
import { loadFinalCandidates, PROJECT_CANDIDATES } from '../../src/annotate/final-candidates.js';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { isSqliteFile } from '../../src/formats/sqlite-tables.js';
import { loadCandidatesFrom } from '../../src/variants/candidates/candidate-forms.js';
import type { Database } from '../../src/schema/schema.js';
import { createSampleProject } from './sample-project.js';

const NAME = 'lighthouse_museum/Keeper/Name/RPL';
const HEIGHT = 'lighthouse_museum/Tower/Height/ADD';

function createProject(): string {
  return createSampleProject(mkdtempSync(join(tmpdir(), 'perturbql-'))).file;
}

function answer(file: string, id: string, answers: Readonly<Record<string, Partial<Answer>>>): void {
  const project = AnnotationProject.open(file);
  try {
    for (const [name, change] of Object.entries(answers)) {
      const given = { state: 'done', accepted: [], written: [], comment: '', flagged: false, ...change } as const;
      if (name === 'Rita') project.adjudicate(id, name, given, 0);
      else project.save(id, name, given, 0);
    }
  } finally {
    project.close();
  }
}

/** The museum as a data set has it: names in other letters, one table missing. */
const MUSEUM: Database = {
  id: 'lighthouse_museum',
  tables: [
    {
      name: 'keeper',
      originalName: 'keeper',
      columns: [{ name: 'name', originalName: 'name', type: 'text' }],
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

describe('candidates of a project', () => {
  test('are what its people came to: the majority’s names, or the reviewer’s', () => {
    const file = createProject();
    answer(file, NAME, {
      Ada: { accepted: ['full name', 'called'], written: ['appellation'] },
      Ben: { accepted: ['full name'], written: ['appellation', 'moniker'] },
    });
    answer(file, HEIGHT, { Ada: { accepted: ['measure 1'] }, Rita: { accepted: ['measure 2', 'measure 3'] } });
    expect(loadFinalCandidates(file).map(({ column, candidate, bucket }) => [bucket, column, candidate])).toEqual([
      ['RPL', 'name', 'full name'],
      ['RPL', 'name', 'appellation'],
      ['ADD', 'height', 'measure 2'],
      ['ADD', 'height', 'measure 3'],
    ]);
  });

  test('are those that --candidates gives to augment and attack, of the columns that the data set has', () => {
    const file = createProject();
    answer(file, NAME, { Ada: { accepted: ['full name'] } });
    answer(file, HEIGHT, { Ada: { accepted: ['measure 1'] } });
    expect(isSqliteFile(file)).toBe(true);
    expect(
      loadCandidatesFrom(file, new Map([[MUSEUM.id, MUSEUM]]), {
        format: 'spider',
        candidateForms: [PROJECT_CANDIDATES],
      }),
    ).toMatchObject([
      {
        db_id: MUSEUM.id,
        table: 'keeper',
        column: 'name',
        candidate: 'full name',
        bucket: 'RPL',
        source: 'annotation',
      },
    ]);
  });

  test('are none before somebody has chosen a name', () => {
    const file = createProject();
    expect(() => loadFinalCandidates(file)).toThrow(/nobody has chosen a name yet/u);
    answer(file, NAME, { Ada: { accepted: ['full name'], state: 'draft' }, Ben: { state: 'skipped' } });
    expect(() => loadFinalCandidates(file)).toThrow(/nobody has chosen a name yet/u);
  });
});
