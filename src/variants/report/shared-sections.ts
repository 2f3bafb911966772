import {
  type FactsSection,
  hashSpan,
  nameSpan,
  type Section,
  type Span,
  type TableSection,
} from '../../report/document/document.js';
import { formatCount } from '../../counts.js';
import { factsOf, tableOf, words } from '../../report/document/sections.js';
import type { ReportedModel, ReportedSettings } from '../../report/report-context.js';
import type { ColumnName } from '../../report/column-tally.js';

/** A table or column by its natural name, with the original one in parentheses where it is given. */
export function named(name: string, original: string | undefined): readonly (string | Span)[] {
  return original === undefined ? [nameSpan(name)] : [nameSpan(name), ' (', nameSpan(original), ')'];
}

/** A column as "table . column". */
export function columnText(name: Omit<ColumnName, 'dbId'>): readonly (string | Span)[] {
  return [...named(name.table, name.tableOriginal), ' . ', ...named(name.column, name.columnOriginal)];
}

const FROM = { settings: 'set for this run', manifest: 'from the model’s manifest', paper: 'as published' } as const;

function modelTable(models: readonly ReportedModel[]): TableSection {
  const rows = models.map(({ name, revision, sha256, nonCommercial }) => ({
    cells: [
      [nameSpan(name), ...(nonCommercial ? [' ', { text: 'non-commercial weights', as: 'tag' as const }] : [])],
      [nameSpan(revision)],
      [hashSpan(sha256)],
    ],
  }));
  return tableOf(
    'Models; those marked were trained on data that forbid commercial use of their weights',
    [words('Name'), words('Revision'), words('sha256')],
    rows,
  );
}

/** How a run was made: its settings, and the models that it used. */
export function settingsSections(settings: ReportedSettings, dataset: FactsSection['facts']): readonly Section[] {
  const { recipe, seed, thresholds, index, vectors, dictionary, models } = settings;
  const judged =
    thresholds === null
      ? 'none: this recipe asks no judge'
      : `RPL ≥ ${thresholds.rplMin}, ADD ≤ ${thresholds.addMax}, ${FROM[thresholds.source]}`;
  const indexed =
    index === null
      ? 'none'
      : [nameSpan(index.name), `, ${formatCount(index.tables)} tables, ${formatCount(index.k)} retrieved per table`];
  const facts = factsOf([
    ...dataset,
    ['Recipe', [nameSpan(recipe)]],
    ['Seed', String(seed)],
    ['Thresholds', judged],
    ['Index', indexed],
    ['Word vectors', vectors === null ? 'none' : [nameSpan(vectors)]],
    ['Dictionary', dictionary === null ? 'none' : [nameSpan(dictionary)]],
  ]);
  return models.length === 0 ? [facts] : [facts, modelTable(models)];
}
