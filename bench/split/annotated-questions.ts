import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { peopleStarts, type PlacedWord } from '../../src/compositional/align/spider-ss.js';
import type { EnglishParser } from '../../src/compositional/parser/english-parser.js';
import type { DependencyToken } from '../../src/compositional/parser/parse.js';
import type { Dataset } from '../../src/formats/dataset.js';
import { itemAt } from '../../src/present.js';
import type { Example } from '../../src/schema/schema.js';

const recordsSchema = z.array(z.object({ question_md5: z.string(), question_type: z.array(z.int()) }));
const wordsSchema = z.array(z.object({ question_toks: z.array(z.string()) }));
const trainSchema = z.object({ questions: z.array(z.object({ id: z.string(), breaks: z.array(z.int()) })) });

/** A question with the places where people start sub-sentences, in UTF-16 units, the first left out. */
export interface AnnotatedQuestion {
  readonly example: Example;
  readonly tokens: readonly DependencyToken[];
  readonly people: readonly number[];
}

/** The questions of Spider's dev as Spider-SS splits them. */
interface SpiderSsQuestions {
  readonly questions: readonly AnnotatedQuestion[];
  /** Questions left out, as their words are not those of Spider-SS. */
  readonly unknown: number;
  /** Questions whose words have the hash that Spider-SS gives. */
  readonly hashed: number;
}

/** Places of given words in a question, in order; none where one is not there. */
function locate(words: readonly string[], question: string): readonly PlacedWord[] {
  const found: PlacedWord[] = [];
  let from = 0;
  for (const text of words) {
    const start = question.indexOf(text, from);
    if (start === -1) return [];
    found.push({ text, start });
    from = start + text.length;
  }
  return found;
}

/** Spider's dev questions with the splits of Spider-SS, both below a folder of data. */
export async function spiderSsQuestions(
  data: string,
  dataset: Dataset,
  parser: EnglishParser,
): Promise<SpiderSsQuestions> {
  const read = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(data, ...path), 'utf8'));
  const records = recordsSchema.parse(read('spider-ss', 'dev.json'));
  const words = wordsSchema.parse(read('spider', 'dev.json'));
  const all = [...dataset.examples()];
  const parsed = await parser.parse(all.map(({ question }) => question));
  let [unknown, hashed] = [0, 0];
  const questions = all.flatMap((example, at): AnnotatedQuestion[] => {
    const tokens = itemAt(parsed, at);
    const given = locate(itemAt(words, at).question_toks, example.question);
    const found = peopleStarts(example.question, itemAt(records, at), [tokens, given]);
    if (found === null) unknown++;
    else if (found.certainty === 'hash') hashed++;
    return found === null ? [] : [{ example, tokens, people: found.starts.slice(1) }];
  });
  return { questions, unknown, hashed };
}

/** Our own annotation of questions of Spider's train. */
export async function trainQuestions(
  root: string,
  dataset: Dataset,
  parser: EnglishParser,
): Promise<readonly AnnotatedQuestion[]> {
  const file = join(root, 'bench', 'split', 'train-breaks.json');
  const { questions } = trainSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const byId = new Map([...dataset.examples()].map((example) => [example.id, example]));
  const examples = questions.map(({ id }) => {
    const example = byId.get(id);
    if (example === undefined) throw new Error(`${file}: there is no example ${id} in Spider's train.json`);
    return example;
  });
  const parsed = await parser.parse(examples.map(({ question }) => question));
  return examples.map((example, i) => ({
    example,
    tokens: itemAt(parsed, i),
    people: itemAt(questions, i).breaks,
  }));
}
