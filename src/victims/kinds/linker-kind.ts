import { needed } from '../../options/given-options.js';
import { inGroup, text } from '../../options/option-field.js';
import { victimKind } from '../victim-kind.js';
import { ANNOTATED_OPTIONS, type AnnotatedChoice, annotatedOf } from './annotated-tables.js';

export interface LinkerChoice extends AnnotatedChoice {
  readonly kind: 'linker';
  /** Folder of the model, or the name that it was pulled under. */
  readonly model: string;
}

/** A schema linker, which answers with columns. */
export const LINKER = victimKind({
  kind: 'linker',
  options: {
    ...inGroup('Model', {
      linker: text(
        'model',
        'victim linker: folder of a schema linker, or the name that it was pulled under; it answers with columns',
      ).exactOptional(),
    }),
    ...ANNOTATED_OPTIONS,
  },
  // Measured on Spider dev.
  traits: { answers: 'columns', withContext: false, isAskedOn: true, perSecond: 40 },
  choose: ({ linker, ...given }): LinkerChoice => ({
    kind: 'linker',
    model: needed(linker, 'linker', 'victim linker', 'build/linker-model'),
    ...annotatedOf(given),
  }),
  async create({ model }) {
    const [{ locateModel }, { LinkerVictim }] = await Promise.all([
      import('../../inference/model-store.js'),
      import('../linker/linker-victim.js'),
    ]);
    const located = locateModel('schema-linker', model);
    const { name, revision } = located.manifest;
    return { victim: new LinkerVictim(located), description: `schema linker ${name} (${revision})` };
  },
});
