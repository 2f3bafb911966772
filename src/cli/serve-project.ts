import { once } from 'node:events';
import { countNoun } from '../counts.js';
import { renderGuidelines } from '../annotate/guidelines/guidelines.js';
import { renderSplitGuidelines } from '../annotate/guidelines/split-guidelines.js';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import { createAnnotationApp } from '../annotate/server/annotation-app.js';
import { InviteTokens, personalLink } from '../annotate/server/invite-tokens.js';
import { ModelNameAids } from '../annotate/server/model-name-aids.js';
import { builtPageFolder, PageAssets } from '../annotate/server/page-assets.js';
import { causeText } from '../cause-text.js';
import { ConfigError } from '../errors.js';
import { isLoopback } from '../http/http-url.js';
import { hostNamesOf, type RunningServer, serveLocally, untilTold } from '../http/local-server.js';
import { RECIPES } from '../recipes/recipes.js';
import { StageResources } from '../recipes/stage-resources.js';
import { createStageContext, type RunHost } from '../run/run-host.js';
import type { ModelSettings } from './model-settings.js';

/** The project to serve, and its audience. */
export interface ServeOptions {
  readonly project: string;
  readonly port: number;
  readonly host: string;
  readonly allowRemote: boolean;
  readonly judge: boolean;
}

function requireLocal({ host, allowRemote }: ServeOptions): void {
  if (isLoopback(host) || allowRemote) return;
  throw new ConfigError(`${host} can be reached from other machines`, {
    fix: 'Give --allow-remote if that is meant: whoever has a link, or reads the traffic, can then answer.',
  });
}

function printLinks(project: AnnotationProject, file: string, { url }: RunningServer): void {
  const links = InviteTokens.open(project, file);
  const people = project.people();
  const width = Math.max(0, ...people.map(({ name }) => name.length));
  console.log(`${project.settings.name}: ${countNoun(project.summary().items, 'item')}. Each person’s own link:`);
  for (const { name, role } of people)
    console.log(`  ${name.padEnd(width)}  ${role.padEnd(9)}  ${personalLink(url, links.tokenOf(name))}`);
}

function openAids(resources: StageResources, { judge }: ServeOptions, host: RunHost): ModelNameAids {
  return new ModelNameAids(resources, createStageContext(0, host), {
    judge,
    onMissing: (part, error) => {
      // A question that the end of the server cuts off is no fault of the judge.
      if (!host.signal.aborted) host.note(`warning: names are checked without ${part}: ${causeText(error)}`);
    },
  });
}

function guidelinesOf(project: AnnotationProject): string {
  return project.summary().kindCounts.SPLIT === undefined ? renderGuidelines() : renderSplitGuidelines();
}

/** Serves a project until the process is told to end. */
async function serve(
  project: AnnotationProject,
  options: ServeOptions,
  { settings, device }: ModelSettings,
  host: RunHost,
): Promise<void> {
  const resources = new StageResources(settings, RECIPES.cta, { jobs: 1, device });
  const aids = openAids(resources, options, host);
  const app = createAnnotationApp(project, {
    assets: PageAssets.load(builtPageFolder()),
    guidelines: guidelinesOf(project),
    hosts: hostNamesOf(options.host),
    aids,
    onFault: (error) => host.note(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  const server = await serveLocally(app, options.host, options.port);
  try {
    printLinks(project, options.project, server);
    host.note('Ctrl+C ends it; every saved answer is kept.');
    await aids.open();
    if (!host.signal.aborted) await once(host.signal, 'abort');
  } finally {
    await server.close();
    await resources.dispose();
  }
}

/**
 * Opens a project and serves it until the process is told to end.
 * @throws ConfigError where others could reach it and that was not asked for
 */
export async function serveProject(options: ServeOptions, settings: ModelSettings, host: RunHost): Promise<void> {
  requireLocal(options);
  const project = AnnotationProject.open(options.project);
  try {
    const told: RunHost = {
      signal: untilTold(),
      note: (line) => host.note(line),
      progress: (...step) => host.progress(...step),
    };
    if (!isLoopback(options.host))
      host.note(`warning: ${options.host} can be reached from other machines, and nothing on the way is encrypted`);
    await serve(project, options, settings, told);
  } finally {
    project.close();
  }
}
