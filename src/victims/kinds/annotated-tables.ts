import { inGroup, text } from '../../options/option-field.js';
import type { MadeVictim } from '../victim-kind.js';

/** The defense that any victim which answers questions can have. */
export const ANNOTATED_OPTIONS = {
  ...inGroup('Advanced', {
    annotatedTables: text(
      'file',
      'a tables.json whose names list several, "city | town": each question is asked with those nearest to its words (MAS)',
    ).exactOptional(),
  }),
};

export interface AnnotatedChoice {
  /** A `tables.json` with several names each; absent: the schema's own names. */
  readonly annotatedTables?: string;
}

/** Returns the value of the option, as part of a choice. */
export function annotatedOf({ annotatedTables }: { readonly annotatedTables?: string | undefined }): AnnotatedChoice {
  return annotatedTables === undefined ? {} : { annotatedTables };
}

/** A victim with the defense that was chosen. @throws InputFormatError when the file is no tables.json */
export async function withAnnotations(made: MadeVictim, { annotatedTables }: AnnotatedChoice): Promise<MadeVictim> {
  if (annotatedTables === undefined || made.victim === null) return made;
  const { loadAnnotations, selectingVictim } = await import('../annotations/selecting-victim.js');
  const victim = selectingVictim(made.victim, loadAnnotations(annotatedTables));
  return { ...made, victim, description: `${made.description}, with multi-annotation selection` };
}
