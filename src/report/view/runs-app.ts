import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { hashToken, matchesToken } from '../../http/access-token.js';
import { ApiError } from '../../http/api-error.js';
import { forbidStoring, requireHost, requireOwnReading, sendSecurityHeaders } from '../../http/request-checks.js';
import { renderDocument } from '../document/render-document.js';
import { findRuns, isReport, RunFiles } from './find-runs.js';
import { RunFigures } from './run-figures.js';
import { runsDocument } from './runs-document.js';

export interface RunsAppOptions {
  /** The folder whose runs are shown. */
  readonly folder: string;
  /** Whoever has it may read; part of every address. */
  readonly token: string;
  /** Host names, without ports, that the server answers to. */
  readonly hosts: ReadonlySet<string>;
  /** Is told of faults, which the answer does not describe. */
  readonly onFault: (error: unknown) => void;
  /** What is known of the runs already; default: nothing. */
  readonly files?: RunFiles;
}

/**
 * Pages bring style and script with them and load nothing. A page is of an origin of its own (`sandbox`), so that the
 * script of one can't read another: a report may come from someone else.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-scripts',
];

const nothingHere = (): ApiError => new ApiError('not-found', 'there is nothing at this path');

function requireToken(token: string): MiddlewareHandler {
  const hash = hashToken(token);
  return async (c, next) => {
    // Like any path that leads nowhere, so that a guess learns nothing.
    if (!matchesToken(c.req.param('token') ?? '', hash)) throw nothingHere();
    await next();
  };
}

/** The bytes of a file below a folder; null where a symbolic link stands on the way, or nothing. */
function readBelow(root: string, place: string): Uint8Array<ArrayBuffer> | null {
  const file = join(root, place);
  try {
    return realpathSync(file) === file ? new Uint8Array(readFileSync(file)) : null;
  } catch {
    return null;
  }
}

/** Returns the place that an address names, decoded once; null if it is no encoding. */
function placeOf(c: Context): string | null {
  const encoded = c.req.path.split('/').slice(3).join('/');
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** A report is sent only where it is that of a run found now: a path is looked up, never followed. */
function sendReport(c: Context, folder: string, known: RunFiles): Response {
  const report = placeOf(c);
  const bytes = report === null || !isReport(folder, report, known) ? null : readBelow(realpathSync(folder), report);
  if (report === null || bytes === null) throw nothingHere();
  const type = report.endsWith('.json') ? 'application/json' : 'text/html';
  return c.body(bytes, 200, { 'Content-Type': `${type}; charset=utf-8` });
}

function sendRuns(c: Context, folder: string, known: RunFiles, figures: RunFigures): Response {
  const found = findRuns(folder, known);
  return c.body(renderDocument(runsDocument(found, (run) => figures.of(found, run))), 200, {
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/** The page over a folder's runs, at `/<token>/`, and their reports below it; read only. */
export function createRunsApp({ folder, token, hosts, onFault, files = new RunFiles() }: RunsAppOptions): Hono {
  const app = new Hono();
  const figures = new RunFigures();
  app.use(sendSecurityHeaders(CONTENT_SECURITY_POLICY), forbidStoring);
  app.use(requireHost(hosts, 'perturbql view'), requireOwnReading);
  app.use('/:token/*', requireToken(token));
  app.get('/:token/', (c) => sendRuns(c, folder, files, figures));
  app.get('/:token/reports/*', (c) => sendReport(c, folder, files));
  app.notFound((c) => c.text(nothingHere().message, 404));
  app.onError((error, c) => {
    if (error instanceof ApiError) return c.text(error.message, error.code === 'not-found' ? 404 : 403);
    onFault(error);
    return c.text('the server failed at this request; see what it printed in its terminal', 500);
  });
  return app;
}
