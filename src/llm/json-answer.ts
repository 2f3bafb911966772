import { withoutInvisible, withoutSpecialTokens, withoutThinking } from '../chat/clean-answer.js';
import { jsonIn } from '../json-in.js';

/** One fence around all of an answer, as many models have it. */
const FENCED = /^```(?:json)?[ \t]*\r?\n([^`]*)```$/i;

/**
 * The one JSON value that an answer is and nothing else. What templates leave around an answer (thinking, special tokens)
 * and one code fence around all of it are taken away; undefined where there is anything else.
 */
export function readJsonAnswer(answer: string): unknown {
  const text = withoutSpecialTokens(withoutThinking(withoutInvisible(answer))).trim();
  return jsonIn(FENCED.exec(text)?.[1] ?? text);
}
