import type { NameKind } from '../annotate/annotation.js';
import { EXCHANGE_FORMATS } from '../annotate/exchange/exchange-formats.js';
import { choice, text } from '../options/option-field.js';

/** The project that a command works on. */
export const PROJECT_OPTION = { project: text('file', 'the project, as annotate init made it') };

/** The form in which annotations leave and enter. */
export const EXCHANGE_OPTIONS = {
  format: choice(EXCHANGE_FORMATS, 'format', 'form of the annotations'),
  kind: choice(['rpl', 'add'], 'kind', 'items of one kind alone; what a file of adveta holds, which does not say', {
    flagOnly: true,
  }).exactOptional(),
};

/** The kind that is asked for; null for both. */
export function kindOf(kind: 'rpl' | 'add' | undefined): NameKind | null {
  return kind === undefined ? null : kind === 'rpl' ? 'RPL' : 'ADD';
}
