import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Extension, EXTENSIONS, filesOf } from './extension-fixtures.js';
import { PROJECT, tableRows } from './markdown-pages.js';

const run = promisify(execFile);

/** Files that mention a type which grows with a registry: there an entry that is missing shows. */
const GROWING =
  /\b(?:NaturalnessRuleId|CandidateSourceKind|DatasetFormat|MetricName|PairMetric|MetricSection|RelationId|VictimKind|VictimChoice)\b/;

function add({ file, text, edits }: Extension, root: string): void {
  writeFileSync(join(root, file), text);
  for (const edit of edits) {
    const path = join(root, edit.file);
    const source = readFileSync(path, 'utf8');
    const at = source.indexOf(edit.before);
    if (at === -1)
      throw new Error(`${edit.file} has no ${JSON.stringify(edit.before)}: repair test/docs/extension-fixtures.ts`);
    writeFileSync(path, source.slice(0, at) + edit.text + source.slice(at));
  }
}

/** What the compiler says of the changed files and of those that mention a type that grew. */
function typeErrors(root: string, sources: readonly string[]): readonly string[] {
  const read = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(read.config, { ...ts.sys, readDirectory: () => [] }, root);
  const program = ts.createProgram({ rootNames: [...sources], options: { ...options, noEmit: true } });
  return sources.flatMap((path) => {
    const source = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  });
}

describe('a part of each kind that CONTRIBUTING.md counts files for', () => {
  const root = mkdtempSync(join(tmpdir(), 'perturbql-extensions-'));
  let sources: readonly string[] = [];
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  beforeAll(async () => {
    cpSync(join(PROJECT, 'src'), join(root, 'src'), { recursive: true });
    for (const shared of ['node_modules', 'models', 'data', 'package.json']) {
      symlinkSync(join(PROJECT, shared), join(root, shared));
    }
    for (const extension of EXTENSIONS) add(extension, root);
    sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith(join('annotate', 'web')))
      .map((path) => join(root, 'src', path));
    await build({ entryPoints: [...sources], outdir: join(root, 'dist'), format: 'esm', platform: 'node' });
  });

  const cli = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { cwd: PROJECT });
    return stdout;
  };

  it.each(EXTENSIONS.map((extension) => [extension.kind, extension] as const))(
    'a %s takes the files that the table says, and no other',
    (kind, extension) => {
      const row = tableRows('CONTRIBUTING.md').find(([first]) => first === `a ${kind}`) ?? [];
      const files = filesOf(extension);
      expect(row[1]).toBe(String(files.length));
      expect(files.slice(1).filter((file) => !row[2]?.includes(`\`${file}\``))).toEqual([]);
    },
  );

  it('needs nothing else to type-check', { timeout: 120_000 }, () => {
    const changed = new Set(EXTENSIONS.flatMap((extension) => filesOf(extension)).map((file) => join(root, file)));
    const concerned = sources.filter((path) => changed.has(path) || GROWING.test(readFileSync(path, 'utf8')));
    expect(concerned.map((path) => basename(path))).toContain('evaluate.ts');
    expect(typeErrors(root, concerned)).toEqual([]);
  });

  it('shows in list and help, and does its work', { timeout: 120_000 }, async () => {
    const [verdicts, page] = [join(root, 'verdicts.jsonl'), join(root, 'page.html')];
    const examples = ['--gold', 'examples/gold.sql', '--pred', 'examples/gold.sql', '--tables', 'examples/tables.json'];
    const [lists, help, mutateHelp, attackHelp, scores] = await Promise.all([
      cli('list', '--json'),
      cli('augment', '--help'),
      cli('mutate', '--help'),
      cli('attack', '--help'),
      cli('evaluate', '--metrics', 'length', '--verdicts', verdicts, '--report', page, ...examples),
    ]);
    const { 'naturalness rules': rules, 'candidate sources': from } = JSON.parse(lists) as Record<string, string[]>;
    expect(rules).toContain('no-please');
    expect(from).toContain('echo');
    expect(help).toContain('renamed-spider');
    expect(mutateHelp.replaceAll(/\s+/g, ' ')).toContain('QDn, QDt, SH');
    expect(attackHelp).toContain('"parrot"');
    expect(attackHelp).toContain('--times <n>');
    expect(scores).toContain('equal length, length:1: 1.000');
    expect(scores).toContain('longest by 0');
    expect(readFileSync(verdicts, 'utf8')).toContain('"length":{"outcome":"correct","longer":0}');
    expect(readFileSync(page, 'utf8')).toMatch(/Equal length[^]{0,600}?100\.0%/);
  });
});
