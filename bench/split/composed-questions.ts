import { type AlignedSource, AnnotatedSource } from '../../src/compositional/compose/aligned-source.js';
import { AutomaticSource } from '../../src/compositional/compose/automatic-source.js';
import { DatabaseComposer } from '../../src/compositional/compose/compose-questions.js';
import type { ComposedExample } from '../../src/formats/artifacts/compositions.js';
import { joinKeysOf } from '../../src/compositional/clauses/join-keys.js';
import type { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import type { Dataset } from '../../src/formats/dataset.js';
import { groupBy } from '../../src/run/group-by.js';

/** What is composed of a data set's questions by all rules, without execution. */
export async function composedOf(dataset: Dataset, source: AlignedSource): Promise<readonly ComposedExample[]> {
  const made: ComposedExample[] = [];
  for (const [id, examples] of groupBy([...dataset.examples()], ({ dbId }) => dbId)) {
    const database = dataset.databases.get(id);
    if (database === undefined) continue;
    const keys = joinKeysOf(
      database,
      examples.map(({ query }) => query),
    );
    const { minConfidence } = source;
    const { questions } = await source.align(examples, database, keys, dataset);
    const composer = new DatabaseComposer(database, keys, {
      depth: 1,
      allowEmpty: true,
      minConfidence,
      hardnessOf: () => null,
      goldResults: null,
      fluency: null,
    });
    const known = examples.map(({ question }) => question);
    made.push(...(await composer.compose(questions, known)).examples);
  }
  return made;
}

/** Where the sub-sentences of composed questions are from: people, or the rules themselves. */
export function composedSources(file: string, parser: EnglishParser): Readonly<Record<string, AlignedSource>> {
  return { annotated: new AnnotatedSource(file), automatic: new AutomaticSource(parser) };
}
