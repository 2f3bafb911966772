import { Hono } from 'hono';
import { AnnotationRefusal, type RefusalReason } from '../project/annotation-refusal.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { finalAnswerOf } from '../project/answer-schema.js';
import { addAnnotatorRoutes, goesWithOf, LARGEST_ANSWER, savedAnswerBody, sendSaved } from './annotator-routes.js';
import { ApiError, type ApiErrorCode, sendError } from '../../http/api-error.js';
import { FailedSignIns, requireReviewer, requireSignIn, type SignedIn } from './sign-in.js';
import { type NameAids, NO_AIDS } from './name-aids.js';
import type { PageAssets } from './page-assets.js';
import {
  forbidStoring,
  readBody,
  requireHost,
  requireOwnOrigin,
  sendSecurityHeaders,
} from '../../http/request-checks.js';
import type { ItemToReview, AgreementReport } from '../api-shapes.js';
import { openWorkerPool } from '../../run/worker-pool.js';

/** Measures a project's agreement in a thread of its own: over many items it takes long, and saves must not wait. */
class AgreementTask {
  readonly #file: string;
  #running: Promise<AgreementReport> | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** The current agreement; who asks while it is being measured gets the same. */
  measure(): Promise<AgreementReport> {
    this.#running ??= this.#start().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #start(): Promise<AgreementReport> {
    const pool = openWorkerPool('annotate/server/agreement-worker', 1);
    try {
      return (await pool.run(this.#file)) as AgreementReport;
    } finally {
      await pool.destroy();
    }
  }
}

export interface AnnotationAppOptions {
  readonly assets: PageAssets;
  /** Guidelines page, as markup of our own. */
  readonly guidelines: string;
  /** Host names, without ports, that the server answers to; IPv6 addresses in brackets. */
  readonly hosts: ReadonlySet<string>;
  readonly aids?: NameAids;
  /** Is told of faults, which the answer does not describe. */
  readonly onFault: (error: unknown) => void;
  /** Epoch milliseconds; for tests. */
  readonly now?: () => number;
}

/** Only the page's own files, no inline script or style, no frame around it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const REFUSALS: Readonly<Record<RefusalReason, ApiErrorCode>> = {
  'unknown-item': 'not-found',
  'unknown-person': 'not-found',
  'bad-person': 'bad-request',
  'not-assigned': 'forbidden',
  'not-a-reviewer': 'forbidden',
  'bad-answer': 'bad-request',
};

function toApiError(error: unknown, onFault: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AnnotationRefusal)
    return new ApiError(REFUSALS[error.reason], error.message, { fix: error.fix });
  onFault(error);
  return new ApiError('internal', 'the server failed at this request', { fix: 'See what it printed in its terminal.' });
}

function createApi(project: AnnotationProject, options: AnnotationAppOptions): Hono<SignedIn> {
  const api = new Hono<SignedIn>();
  api.use(forbidStoring);
  api.get('/health', (c) => c.json({ ok: true }));
  api.use(requireSignIn(project, new FailedSignIns(options.now ?? Date.now)));
  addAnnotatorRoutes(api, project, options.aids ?? NO_AIDS, options.guidelines);
  addReviewerRoutes(api, project);
  return api;
}

/**
 * The annotation page and its JSON API over a project. Every answer of the API but `health` needs a token of the project
 * in `Authorization: Bearer`; errors are `{error: {code, message, fix?}}`.
 */
export function createAnnotationApp(project: AnnotationProject, options: AnnotationAppOptions): Hono<SignedIn> {
  const app = new Hono<SignedIn>();
  app.use(
    sendSecurityHeaders(CONTENT_SECURITY_POLICY),
    requireHost(options.hosts, 'perturbql annotate serve'),
    requireOwnOrigin,
  );
  app.route('/api', createApi(project, options));
  app.get('*', (c) => {
    const asset = options.assets.find(c.req.path);
    if (asset === null) throw new ApiError('not-found', 'there is nothing at this path');
    // Asked again at each load, and sent again only where it has changed.
    const headers = { 'Content-Type': asset.type, ETag: asset.etag, 'Cache-Control': 'no-cache' };
    const isKnown = c.req.header('if-none-match') === asset.etag;
    return isKnown ? c.body(null, 304, headers) : c.body(asset.body, 200, headers);
  });
  app.notFound((c) => sendError(c, new ApiError('not-found', 'there is nothing at this path')));
  app.onError((error, c) => sendError(c, toApiError(error, options.onFault)));
  return app;
}

/** Adds the reviewers' routes: everyone's answers, their results, and the agreement between people. */
function addReviewerRoutes(api: Hono<SignedIn>, project: AnnotationProject): void {
  api.use('/review/*', requireReviewer);
  api.get('/review', (c) => c.json(project.disagreements()));
  api.get('/review/:id', (c) => {
    const id = c.req.param('id');
    const [answers, adjudication] = [project.answersTo(id), project.adjudication(id)];
    const reviewed = project.item(id);
    const goesWith = goesWithOf(reviewed.item.kind, project.scores(id));
    const { accepted = [], written = [] } = finalAnswerOf(reviewed.item, answers, null) ?? {};
    const majority = [...accepted, ...written];
    return c.json({ ...reviewed, answers, adjudication, majority, goesWith } satisfies ItemToReview);
  });
  api.put('/review/:id', async (c) => {
    const { answer, baseRevision } = await readBody(c, savedAnswerBody, LARGEST_ANSWER);
    return sendSaved(c, project.adjudicate(c.req.param('id'), c.get('person').name, answer, baseRevision));
  });
  const agreement = new AgreementTask(project.file);
  api.get('/agreement', requireReviewer, async (c) => c.json(await agreement.measure()));
}
