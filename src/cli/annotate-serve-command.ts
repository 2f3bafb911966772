import { once } from 'node:events';
import { z } from 'zod';
import { renderGuidelines } from '../annotate/guidelines/guidelines.js';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import { createAnnotationApp } from '../annotate/server/annotation-app.js';
import { LinkBook, personalLink } from '../annotate/server/link-book.js';
import { ModelNameAids } from '../annotate/server/model-name-aids.js';
import { builtPageFolder, PageAssets } from '../annotate/server/page-assets.js';
import { hostNamesOf, type RunningServer, serveLocally, untilTold } from '../http/local-server.js';
import { ConfigError } from '../errors.js';
import { isLoopback } from '../http/http-url.js';
import { RECIPES } from '../recipes/recipes.js';
import { StageResources } from '../recipes/stage-resources.js';
import { createStageContext } from '../run/run-host.js';
import { ConsoleHost } from './console-host.js';
import { portOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions } from './run-context.js';

const schema = z.object({
  project: z.string().min(1),
  port: portOption,
  host: z.string().min(1),
  allowRemote: z.boolean().default(false),
  judge: z.boolean(),
});
type ServeOptions = z.infer<typeof schema>;

function requireLocal({ host, allowRemote }: ServeOptions): void {
  if (isLoopback(host) || allowRemote) return;
  throw new ConfigError(`${host} can be reached from other machines`, {
    fix: 'Give --allow-remote if that is meant: whoever has a link, or reads the traffic, can then answer.',
  });
}

function printLinks(project: AnnotationProject, file: string, { url }: RunningServer): void {
  const links = LinkBook.open(project, file);
  const people = project.people();
  const width = Math.max(0, ...people.map(({ name }) => name.length));
  console.log(`${project.settings.name}: ${project.summary().items} items. Each person’s own link:`);
  for (const { name, role } of people)
    console.log(`  ${name.padEnd(width)}  ${role.padEnd(9)}  ${personalLink(url, links.tokenOf(name))}`);
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function openAids(resources: StageResources, { judge }: ServeOptions, host: ConsoleHost): ModelNameAids {
  return new ModelNameAids(resources, createStageContext(0, host), {
    judge,
    onMissing: (part, error) => {
      // A question that the end of the server cuts off is no fault of the judge.
      if (!host.signal.aborted) host.note(`warning: names are checked without ${part}: ${explain(error)}`);
    },
  });
}

/** Serves a project until the process is told to end. */
async function serve(project: AnnotationProject, options: ServeOptions, host: ConsoleHost): Promise<void> {
  const { settings, device } = parseCommonOptions({});
  const resources = new StageResources(settings, RECIPES.cta, { workers: 1, device });
  const aids = openAids(resources, options, host);
  const app = createAnnotationApp(project, {
    assets: PageAssets.load(builtPageFolder()),
    guidelines: renderGuidelines(),
    hosts: hostNamesOf(options.host),
    aids,
    onFault: (error) => host.note(`fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  const server = await serveLocally(app, options.host, options.port);
  try {
    printLinks(project, options.project, server);
    host.note('Ctrl+C ends it; every answer is kept as it is saved.');
    await aids.open();
    if (!host.signal.aborted) await once(host.signal, 'abort');
  } finally {
    await server.close();
    await resources.dispose();
  }
}

/** `perturbql annotate serve`. */
export async function run(raw: RawOptions): Promise<void> {
  const options = parseOptions(schema, raw);
  requireLocal(options);
  const project = AnnotationProject.open(options.project);
  try {
    const host = new ConsoleHost(untilTold());
    if (!isLoopback(options.host))
      host.note(`warning: ${options.host} can be reached from other machines, and nothing on the way is encrypted`);
    await serve(project, options, host);
  } finally {
    project.close();
  }
}
