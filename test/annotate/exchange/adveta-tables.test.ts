import { PROJECT_CANDIDATES } from '../../../src/annotate/final-candidates.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ADVETA_FORMAT } from '../../../src/annotate/exchange/adveta-format.js';
import { exportAnnotations } from '../../../src/annotate/exchange/export-annotations.js';
import { importAnnotations } from '../../../src/annotate/exchange/import-annotations.js';
import { initProject } from '../../../src/annotate/init/init-project.js';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { DEFAULT_SETTINGS } from '../../../src/annotate/project/project-content.js';
import { InputFormatError } from '../../../src/errors.js';
import type { DatasetPaths } from '../../../src/formats/dataset.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { loadCandidatesFrom } from '../../../src/variants/candidates/candidate-forms.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { rejectionOf } from '../../error-of.js';
import {
  release,
  writeSqualls,
  writeWikiSql,
  writeWikiSqlRelease,
  writeWtqRelease,
} from '../../variants/candidates/adveta-fixture.js';
import { createFile } from '../../formats/format-fixture.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());
const at = (...parts: string[]): string => join(temp.path, ...parts);

interface SeenItem {
  readonly column: string;
  readonly kind: string;
  readonly names: readonly string[];
  readonly rows: number;
  readonly questions: number;
}

function itemsOf(file: string): readonly SeenItem[] {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    return Array.from(project.items(), ({ item, context }) => ({
      column: `${item.dbId}/${item.column}`,
      kind: item.kind,
      names: item.candidates.map(({ name }) => name),
      rows: context.rows.length,
      questions: context.questions.length,
    }));
  } finally {
    project.close();
  }
}

/** What the data set gets of a project or release: column as the data set writes it, name. */
async function takenFrom(from: string, paths: DatasetPaths): Promise<readonly string[]> {
  const { databases, format } = await loadDataset(paths);
  return loadCandidatesFrom(from, databases, { format, candidateForms: [PROJECT_CANDIDATES] }).map(
    ({ db_id, column_original, candidate }) => `${db_id} ${column_original} > ${candidate}`,
  );
}

describe('an annotation project of ADVETA’s lists', () => {
  it('for WikiSQL has tables with rows and questions', async () => {
    const paths = writeWikiSql(temp.path);
    await initProject(
      {
        run: writeWikiSqlRelease(at('wikisql')),
        paths,
        out: at('wikisql.db'),
        people: [],
        columns: 'mentioned',
        kinds: ['RPL', 'ADD'],
        listLength: 20,
        settings: { ...DEFAULT_SETTINGS, name: 'inns' },
      },
      NOOP_HOST,
    );
    const items = itemsOf(at('wikisql.db'));
    expect(items).toContainEqual({
      column: '1-77-1/area',
      kind: 'RPL',
      names: ['size'],
      rows: 3,
      questions: 2,
    });
    expect(items).toContainEqual({
      column: '1-77-1/owner/host',
      kind: 'ADD',
      names: ['former owner', 'cook'],
      rows: 3,
      questions: 2,
    });
  });
});

describe('a file of ADVETA that is imported with its data set', () => {
  it('for WikiSQL gets its tables, is taken as candidates, and comes back byte for byte', async () => {
    const paths = writeWikiSql(temp.path);
    writeWikiSqlRelease(at('wikisql'));
    const [file, project] = [at('wikisql/wikisql-rpl-candidates.json'), at('imported.db')];
    const options = { from: file, format: 'adveta', kind: 'RPL', project } as const;
    // One table is not in the data set.
    await rejectionOf(InputFormatError, () => importAnnotations({ ...options, dataset: paths }));
    await importAnnotations({ ...options, dataset: null });
    const taken = await takenFrom(`adveta:${file}`, paths);
    expect(taken).toContain('1-77-1 Area (m²) > size');
    expect(await takenFrom(project, paths)).toEqual(taken);
    await exportAnnotations({ project, format: 'adveta', kind: 'RPL', out: at('again.json') });
    expect(readFileSync(at('again.json'), 'utf8')).toBe(readFileSync(file, 'utf8'));
  });

  it('for SQUALL gets the table that the file of WikiTableQuestions is', async () => {
    const paths = writeSqualls(temp.path);
    writeWtqRelease(at('wtq'));
    const [file, project] = [at('wtq/wtq-rpl-candidates.json'), at('wtq.db')];
    await importAnnotations({ from: file, format: 'adveta', kind: 'RPL', project, dataset: paths });
    expect(itemsOf(project)).toContainEqual({
      column: 'csv/204-csv/590.csv/name of the inn',
      kind: 'RPL',
      names: ['tavern'],
      rows: 3,
      questions: 5,
    });
    expect(await takenFrom(project, paths)).toEqual(await takenFrom(`adveta:${file}`, paths));
  });

  it('comes back from a project of an earlier version, which called tables after the file', async () => {
    const table = { header: ['inn', 'host'] };
    const names = { inn: ['tavern', 'tavern'] };
    const now = release({ WSQL_0: [{ ...table, id: '1-77-1' }, names] });
    const before = ADVETA_FORMAT.read(createFile(release({ WSQL_0: [table, names] })), 'RPL');
    const records = [...before.records];
    expect(records.map(({ item }) => item.dbId)).toEqual(['WSQL_0']);
    ADVETA_FORMAT.write({ ...before, records, notes: { 'adveta:RPL': now } }, at('old.json'));
    expect(readFileSync(at('old.json'), 'utf8')).toBe(now);
  });
});
