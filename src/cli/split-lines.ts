import type { DependencyToken } from '../compositional/parser/parse.js';
import type { SplitResult } from '../compositional/split/split-questions.js';

function treeLines(tokens: readonly DependencyToken[], at: number, depth: number): readonly string[] {
  const { text, label, tag } = tokens[at] ?? { text: '', label: '', tag: '' };
  const own = `${'  '.repeat(depth + 1)}${text}  ${label} ${tag}`;
  const children = [...tokens.keys()].filter((child) => child !== at && tokens[child]?.head === at);
  return [own, ...children.flatMap((child) => treeLines(tokens, child, depth + 1))];
}

/** A question's sub-sentences, one a line, and what depends on what in it. */
export function renderSplit({ id, tokens, segments }: SplitResult): readonly string[] {
  const roots = [...tokens.keys()].filter((at) => tokens[at]?.head === at);
  return [
    `${id}:`,
    ...segments.map(({ text }, i) => `  ${i + 1}. ${text.trim()}`),
    ...roots.flatMap((root) => treeLines(tokens, root, 1)),
    '',
  ];
}
