import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { PAGES, pagesBelow, PROJECT, readPage } from './markdown-pages.js';
import { stumblesIn } from './plain-words.js';

/** Prose of a page line by line, without code, comments and addresses. */
function proseLines(page: string): readonly string[] {
  const text = readPage(page).replace(/^( *)(`{3,})[^]*?^\1\2/gm, (block) => block.replace(/[^\n]/g, ''));
  return text.replaceAll(/<!--.*?-->|`[^`\n]*`|\]\([^)]*\)/g, '').split('\n');
}

function templateSpans(template: ts.TemplateLiteral): readonly ts.TemplateSpan[] {
  return ts.isNoSubstitutionTemplateLiteral(template) ? [] : template.templateSpans;
}

/** The text of a template, with a figure in the place of each value. */
function templateText(template: ts.TemplateLiteral): string {
  const { text } = ts.isNoSubstitutionTemplateLiteral(template) ? template : template.head;
  return (
    text +
    templateSpans(template)
      .map(({ literal }) => `0${literal.text}`)
      .join('')
  );
}

/** Text between the tags of markup. */
function textOfMarkup(markup: string): string {
  return markup.replaceAll(/<[^>]*>/g, '');
}

/** What a source file says to people in help texts, messages and pages: texts with a space in them. */
function textsOf(file: string): readonly { readonly line: number; readonly text: string }[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: { line: number; text: string }[] = [];
  const add = (node: ts.Node, text: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (text.trim().includes(' ')) texts.push({ line: line + 1, text });
  };
  const visit = (node: ts.Node): void => {
    const isMarkup = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html';
    // Other tags are of queries and of parts of texts.
    if (ts.isTaggedTemplateExpression(node) && !isMarkup) return;
    if (isMarkup) {
      add(node, textOfMarkup(templateText(node.template)));
      for (const { expression } of templateSpans(node.template)) visit(expression);
      return;
    }
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) add(node, node.text);
    else if (ts.isTemplateExpression(node)) add(node, templateText(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

const sources = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(PROJECT, 'src', name));

/** Pages of today, without the history of changes; notes keep what was written at their time. */
const OURS = [
  ...PAGES.filter((page) => page !== 'CHANGELOG.md'),
  ...['data', 'python', 'training'].flatMap(pagesBelow).filter((page) => /\w\/\w+\/README\.md$|^python/.test(page)),
];

describe('plain words', () => {
  it.each(OURS)('in %s', (page) => {
    expect(proseLines(page).flatMap((line, i) => stumblesIn(`${page}:${i + 1}`, line))).toEqual([]);
  });

  it('in help texts, messages and pages', () => {
    const found = sources.flatMap((file) =>
      textsOf(file).flatMap(({ line, text }) => stumblesIn(`${relative(PROJECT, file)}:${line}`, text)),
    );
    expect(found).toEqual([]);
  });
});
