import { QuestionAligner } from '../../src/compositional/align/align-question.js';
import { splitWithGold } from '../../src/compositional/align/split-with-gold.js';
import { joinKeysOf } from '../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../src/compositional/clauses/read-clauses.js';
import { SchemaPhrases } from '../../src/compositional/split/schema-phrases.js';
import { segmentsAtTokens, splitTokens, viewForSplit } from '../../src/compositional/split/split-question.js';
import type { BreakRule } from '../../src/compositional/split/split-rule.js';
import { SqlRewriteError } from '../../src/errors.js';
import type { Dataset } from '../../src/formats/dataset.js';
import { mustGet } from '../../src/present.js';
import { groupBy } from '../../src/run/group-by.js';
import type { Segment } from '../../src/compositional/split/segment.js';
import type { AnnotatedQuestion } from './annotated-questions.js';
import { type BreakScores, scoreBreaks } from './break-scores.js';

type Split = (question: AnnotatedQuestion) => readonly Segment[];

function measure(questions: readonly AnnotatedQuestion[], split: Split): BreakScores {
  const found = questions.map((question) =>
    split(question)
      .slice(1)
      .map(({ start }) => start),
  );
  return scoreBreaks(
    found,
    questions.map(({ people }) => people),
  );
}

/** Rules against people, from the question alone. */
export function measureRules(
  questions: readonly AnnotatedQuestion[],
  { databases }: Dataset,
  rules?: readonly BreakRule[],
): BreakScores {
  const phrases = new Map([...databases.values()].map((database) => [database.id, new SchemaPhrases(database)]));
  return measure(questions, ({ example, tokens }) => {
    const mentions = phrases.get(example.dbId)?.find(tokens) ?? [];
    return segmentsAtTokens(example.question, tokens, splitTokens(viewForSplit(tokens, mentions), rules));
  });
}

/** Splits that ask the query, too, against people; those without clauses are split from the question alone. */
export function measureWithGold(questions: readonly AnnotatedQuestion[], dataset: Dataset): BreakScores {
  const helpers = new Map(
    [...groupBy([...dataset.examples()], ({ dbId }) => dbId)].map(([id, examples]) => {
      const database = mustGet(dataset.databases.get(id), 'database');
      const keys = joinKeysOf(
        database,
        examples.map(({ query }) => query),
      );
      return [id, { database, keys, aligner: new QuestionAligner(database) }];
    }),
  );
  return measure(questions, ({ example: { id, dbId, question, query }, tokens }) => {
    const { database, keys, aligner } = mustGet(helpers.get(dbId), 'helpers');
    try {
      const gold = clausesOf(query, database, keys);
      return splitWithGold({ id, question, tokens, query: gold }, aligner);
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      return segmentsAtTokens(question, tokens, splitTokens(viewForSplit(tokens, aligner.phrases.find(tokens))));
    }
  });
}
