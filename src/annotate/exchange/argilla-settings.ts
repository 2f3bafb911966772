import { QUESTIONS } from './label-studio-config.js';

/** Names of the questions of a dataset. */
export const ARGILLA_QUESTIONS = {
  accepted: 'accepted',
  written: 'written',
  comment: 'comment',
  flagged: 'flagged',
} as const;

/** Fewest options of a question with labels. */
const FEWEST_LABELS = 2;
/** Fewest that Argilla shows before the rest is folded away. */
const FEWEST_VISIBLE = 3;

/** A property as Argilla's own serializer writes it; ids and times come from its server. */
function property(name: string, title: string, settings: Record<string, unknown>, required: boolean): unknown {
  return { id: null, inserted_at: null, updated_at: null, name, title, required, settings, dataset_id: null };
}

function field(name: string, title: string): unknown {
  return property(name, title, { type: 'text', use_markdown: false }, true);
}

function question(name: string, title: string, settings: Record<string, unknown>, required = false): unknown {
  return { ...(property(name, title, settings, required) as object), description: null };
}

function labels(values: readonly string[]): Record<string, unknown> {
  return {
    options: values.map((value) => ({ value, text: value, description: null })),
    visible_options: values.length < FEWEST_VISIBLE ? null : values.length,
  };
}

function term(name: string, title: string): unknown {
  const settings = { type: 'terms', visible_for_annotators: true, values: null };
  return { ...(property(name, title, settings, false) as object), type: 'terms', visible_for_annotators: true };
}

/** Labels of a list's candidates: a dataset's labels are the same for all records, so they are numbers of the list. */
function candidateLabels(most: number): readonly string[] {
  return Array.from({ length: Math.max(most, FEWEST_LABELS) }, (_, i) => String(i + 1));
}

/**
 * The settings of the dataset, what `rg.Settings.from_json` reads; `most` is the longest list's length.
 * https://docs.argilla.io/latest/reference/argilla/settings/settings/
 */
export function argillaSettings(most: number): unknown {
  const { accepted, written, comment, flagged } = ARGILLA_QUESTIONS;
  const numbers = { type: 'multi_label_selection', ...labels(candidateLabels(most)), options_order: 'natural' };
  const text = { type: 'text', use_markdown: false };
  return {
    guidelines: `RPL: ${QUESTIONS.RPL}\n\nADD: ${QUESTIONS.ADD}`,
    questions: [
      question(accepted, 'Numbers of the candidates that fit', numbers),
      question(written, 'Names of your own, one per line (RPL)', text),
      question(comment, 'Comment', text),
      question(flagged, 'For a reviewer?', { type: 'label_selection', ...labels(['no', 'yes']) }, true),
    ],
    fields: [
      field('column', 'Column'),
      field('table', 'Table'),
      field('candidates', 'Candidates'),
      field('rows', 'Rows'),
      field('questions', 'Questions'),
    ],
    vectors: [],
    metadata: [term('kind', 'Kind'), term('db_id', 'Database')],
    allow_extra_metadata: true,
    distribution: { strategy: 'overlap', min_submitted: 1 },
  };
}

/** Returns the file that `rg.Dataset.from_disk` reads next to settings and records. */
export function argillaDataset(name: string): unknown {
  return { name, status: 'draft', guidelines: null, allow_extra_metadata: true };
}
