// Writes docs/api/<entrypoint>.md from the doc comments of what each entrypoint exports:
//   npm run docs:api
// With --check it writes nothing and fails where a page is out of date.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRYPOINTS = join(ROOT, 'src/entrypoints');
const PAGES = join(ROOT, 'docs/api');

const files = readdirSync(ENTRYPOINTS).map((name) => join(ENTRYPOINTS, name));
const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const program = ts.createProgram(files, ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options);
const checker = program.getTypeChecker();

/** What an exported name stands for: through re-exports, and through `typeof` of a job that is loaded when called. */
function originOf(symbol) {
  const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const type = own.valueDeclaration?.type;
  return type !== undefined &&
    ts.isTypeQueryNode(type) &&
    own.valueDeclaration.getSourceFile().fileName.includes('/entrypoints/')
    ? originOf(checker.getSymbolAtLocation(type.exprName))
    : own;
}

/** The declaration without the bodies of functions, private members, and the values of those whose type it says. */
function signatureOf(node) {
  const source = node.getSourceFile();
  if (ts.isFunctionDeclaration(node)) return source.text.slice(node.getStart(), node.body?.pos ?? node.end).trim();
  if (ts.isClassDeclaration(node)) return classOf(node, source);
  if (ts.isVariableDeclaration(node)) {
    const type = checker.typeToString(checker.getTypeAtLocation(node), node, ts.TypeFormatFlags.None);
    return `const ${node.name.getText()}: ${type}`;
  }
  return node.getText();
}

function classOf(node, source) {
  const heritage = node.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
  const isPublic = (member) =>
    !(member.name !== undefined && ts.isPrivateIdentifier(member.name)) &&
    !member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  const members = node.members.filter(isPublic).map((member) => {
    const typed = ts.isPropertyDeclaration(member) ? member.type : undefined;
    const text = source.text.slice(member.getFullStart(), member.body?.pos ?? typed?.end ?? member.end).trim();
    return `  ${text.endsWith(';') ? text : `${text};`}`;
  });
  return [`class ${node.name.getText()}${heritage} {`, ...members, '}'].join('\n');
}

function renderExport(symbol) {
  const origin = originOf(symbol);
  const [node] = origin.declarations ?? [];
  if (node === undefined) return [];
  const words = ts.displayPartsToString(origin.getDocumentationComment(checker));
  const thrown = origin
    .getJsDocTags()
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => `Throws ${ts.displayPartsToString(text)}`);
  const code = ['```ts', signatureOf(node).replace(/^export (declare )?/, ''), '```'].join('\n');
  const place = relative(ROOT, node.getSourceFile().fileName);
  const name = symbol.getName();
  return [[`## ${name}`, words, ...thrown, code, `Source: \`${place}\``].filter((part) => part !== '').join('\n\n')];
}

function renderPage(file) {
  const source = program.getSourceFile(file);
  const entrypoint = basename(file, '.ts');
  const purpose = /\/\*\*\n([\s\S]*?)\n \* @module/.exec(source.text)?.[1].replaceAll(/^ \* ?/gm, '') ?? '';
  const all = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const rank = (symbol) => (originOf(symbol).flags & ts.SymbolFlags.Value ? 0 : 1);
  const sorted = [...all].sort((a, b) => rank(a) - rank(b) || (a.getName() < b.getName() ? -1 : 1));
  const example = join(ROOT, 'examples/entrypoints', `${entrypoint}.mjs`);
  return `${[
    '<!-- Written by `npm run docs:api` from doc comments: change those, not this page. -->',
    `# perturbql/${entrypoint}`,
    purpose,
    ['```js', readFileSync(example, 'utf8').trimEnd(), '```'].join('\n'),
    ...sorted.flatMap(renderExport),
  ].join('\n\n')}\n`;
}

mkdirSync(PAGES, { recursive: true });
for (const file of files) {
  const page = join(PAGES, `${basename(file, '.ts')}.md`);
  const text = renderPage(file);
  if (!process.argv.includes('--check')) writeFileSync(page, text);
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    process.stderr.write(`${relative(ROOT, page)} is out of date: run npm run docs:api\n`);
    process.exitCode = 1;
  }
}
