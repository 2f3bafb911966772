import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationProject } from '../../../src/annotate/project/annotation-project.js';
import { InviteTokens, personalLink } from '../../../src/annotate/server/invite-tokens.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { createSampleProject } from '../sample-project.js';

let temp: ReturnType<typeof makeTempFolder>;
let file: string;
let project: AnnotationProject;
beforeEach(() => {
  temp = makeTempFolder();
  ({ file } = createSampleProject(temp.path));
  project = AnnotationProject.open(file);
});
afterEach(() => {
  project.close();
  temp.remove();
});

describe('the book of links', () => {
  it('gives the same link at every start', () => {
    const first = InviteTokens.open(project, file);
    const tokens = ['Ada', 'Ben', 'Rita'].map((name) => first.tokenOf(name));
    expect(new Set(tokens).size).toBe(3);
    const second = InviteTokens.open(project, file);
    expect(['Ada', 'Ben', 'Rita'].map((name) => second.tokenOf(name))).toEqual(tokens);
    expect(tokens.map((token) => project.personByToken(token)?.name)).toEqual(['Ada', 'Ben', 'Rita']);
  });

  it('makes a new one where the old one has been renewed', () => {
    const old = InviteTokens.open(project, file).tokenOf('Ada');
    project.renewToken('Ada');
    const token = InviteTokens.open(project, file).tokenOf('Ada');
    expect(token).not.toBe(old);
    expect(project.personByToken(token)?.name).toBe('Ada');
  });

  it('never takes one person’s token for another’s', () => {
    const token = InviteTokens.open(project, file).tokenOf('Ada');
    writeFileSync(`${file}.links.json`, JSON.stringify({ version: 1, tokens: { Ben: token } }));
    expect(project.personByToken(InviteTokens.open(project, file).tokenOf('Ben'))?.name).toBe('Ben');
  });

  it('is for its owner’s eyes, and the project holds no token', () => {
    const token = InviteTokens.open(project, file).tokenOf('Ada');
    expect(statSync(`${file}.links.json`).mode & 0o077).toBe(0);
    expect(readFileSync(`${file}.links.json`, 'utf8')).toContain(token);
    for (const part of [file, `${file}-wal`]) expect(readFileSync(part).includes(token), part).toBe(false);
  });

  it('that is damaged is named with what to do', () => {
    writeFileSync(`${file}.links.json`, '{"version": 1}');
    expect(() => InviteTokens.open(project, file)).toThrow(
      expect.objectContaining({
        code: 'INPUT_FORMAT',
        fix: 'Remove it: new links are made at the next start.',
      }) as Error,
    );
  });
});

describe('a link', () => {
  it('holds the token where no server sees it', () => {
    const url = new URL(personalLink('http://127.0.0.1:4747', 'a-token'));
    expect([url.pathname, url.search, url.hash]).toEqual(['/', '', '#token=a-token']);
  });
});
