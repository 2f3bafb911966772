import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import type { ProjectItem } from '../../src/annotate/project/project-content.js';
import { command as exportAnnotationsCommand } from '../../src/cli/annotate-export-command.js';
import { command as importAnnotationsCommand } from '../../src/cli/annotate-import-command.js';
import { command as statsCommand } from '../../src/cli/stats-command.js';
import { PerturbqlError } from '../../src/errors.js';
import { runOf } from './run-of.js';

const exportAnnotations = runOf(exportAnnotationsCommand);
const importAnnotations = runOf(importAnnotationsCommand);
const stats = runOf(statsCommand);

const EXAMPLES = join(import.meta.dirname, '../../examples');
const DATASET = {
  dataset: 'spider',
  tables: join(EXAMPLES, 'tables.json'),
  examples: join(EXAMPLES, 'dev.json'),
  databases: join(EXAMPLES, 'database'),
};

let folder: string;
const at = (...parts: string[]): string => join(folder, ...parts);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perturbql-exchange-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a command prints, or the error that it ends with. */
async function output(command: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await command();
    return lines.join('\n');
  } catch (error) {
    if (error instanceof PerturbqlError) return `error: ${error.render()}`;
    throw error;
  } finally {
    log.mockRestore();
  }
}

/** An ADVETA file about a table of the examples. */
function namesFile(column: string): string {
  const record = {
    header: [column],
    db_id: 'planetarium',
    table_name_original: 'presenter',
    column_names_original: [column.replaceAll(' ', '_')],
    table_id: 'P_1',
    dict: { [column]: ['native land', 'nation'] },
  };
  writeFileSync(at('names.json'), JSON.stringify({ P_1: record }));
  return at('names.json');
}

describe('annotate import and export', () => {
  it('make a project of a file, with what the data set knows, and write it again', async () => {
    const from = namesFile('home country');
    const options = { project: at('p.db'), format: 'adveta', kind: 'rpl' };
    expect(await output(() => importAnnotations({ ...options, ...DATASET }, from))).toBe(
      [
        `${at('p.db')}: made of 1 item`,
        '  answers: 1 new, 0 changed, 0 as they were',
        '  new people: adveta; `annotate invite` makes their links',
      ].join('\n'),
    );
    const project = AnnotationProject.open(at('p.db'), { readonly: true });
    const [{ item, context }] = [...project.items()] as [ProjectItem];
    project.close();
    expect(item.type).toBe('text');
    expect(context.columns.length).toBeGreaterThan(1);
    expect(context.rows.length).toBeGreaterThan(1);
    expect(context.questions[0]?.query).toMatch(/select/iu);
    expect(await output(() => exportAnnotations({ ...options, out: at('out.json') }))).toBe(
      `${at('out.json')}: 1 item, 1 with answers`,
    );
    expect(readFileSync(at('out.json'), 'utf8')).toBe(readFileSync(from, 'utf8'));
  });

  it('refuse columns that the data set does not have, and a data set for a project that is there', async () => {
    const options = { project: at('p.db'), format: 'adveta', kind: 'rpl', dataset: 'spider' };
    const from = namesFile('shoe size');
    const fault = await output(() => importAnnotations({ ...options, ...DATASET }, from));
    expect(fault).toContain(`${from}, planetarium/presenter/shoe_size/RPL: the data set has no such column`);
    expect(existsSync(at('p.db'))).toBe(false);
    await output(() => importAnnotations(options, from));
    expect(await output(() => importAnnotations({ ...options, ...DATASET }, from))).toMatch(/the project exists/u);
  });

  it('print what they did as JSON', async () => {
    const options = { project: at('p.db'), format: 'adveta', kind: 'rpl', dataset: 'spider', json: true };
    const made = await output(() => importAnnotations(options, namesFile('home country')));
    expect(JSON.parse(made)).toMatchObject({ created: true, items: 1, newItems: 1, newPeople: ['adveta'] });
    const again = await output(() => importAnnotations(options, namesFile('home country')));
    expect(JSON.parse(again)).toMatchObject({ created: false, newItems: 0, answers: { unchanged: 1 } });
  });
});

describe('stats', () => {
  it('counts a project over the tables of its data set', async () => {
    const options = { project: at('p.db'), format: 'adveta', kind: 'rpl', dataset: 'spider' };
    await output(() => importAnnotations(options, namesFile('home country')));
    const own = await output(() => stats({ candidates: at('p.db'), dataset: 'spider' }));
    expect(own).toMatch(/^tables +1 +1 +1$/mu);
    expect(own).toMatch(/^candidates per column +- +2\.00 +0\.00$/mu);
    const json = await output(() => stats({ candidates: at('p.db'), ...DATASET, json: true }));
    const { statistics } = JSON.parse(json) as { statistics: { totalTables: { rpl: number } } };
    expect(statistics.totalTables.rpl).toBeGreaterThan(5);
  });

  it('refuses candidates of another data set', async () => {
    await output(() =>
      importAnnotations(
        { project: at('p.db'), format: 'adveta', kind: 'rpl', dataset: 'spider' },
        namesFile('shoe size'),
      ),
    );
    const fault = await output(() => stats({ candidates: at('p.db'), ...DATASET }));
    expect(fault).toMatch(/no candidate is about a column of this data set/u);
    expect(await output(() => stats({ candidates: at('missing'), dataset: 'spider' }))).toMatch(/missing/u);
  });
});
