import type { Hono } from 'hono';
import type { ItemToReview } from '../api-shapes.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { AgreementTask } from './agreement-task.js';
import { LARGEST_ANSWER, savedAnswerBody } from './answer-body.js';
import { readBody } from '../../http/request-body.js';
import { sendSaved } from './send-saved.js';
import { requireReviewer, type SignedIn } from './sign-in.js';

/** Adds the reviewers' routes: everyone's answers, their results, and the agreement between people. */
export function addReviewerRoutes(api: Hono<SignedIn>, project: AnnotationProject): void {
  api.use('/review/*', requireReviewer);
  api.get('/review', (c) => c.json(project.disagreements()));
  api.get('/review/:id', (c) => {
    const id = c.req.param('id');
    const [answers, adjudication] = [project.answersTo(id), project.adjudication(id)];
    return c.json({ ...project.item(id), answers, adjudication } satisfies ItemToReview);
  });
  api.put('/review/:id', async (c) => {
    const { answer, baseRevision } = await readBody(c, savedAnswerBody, LARGEST_ANSWER);
    return sendSaved(c, project.adjudicate(c.req.param('id'), c.get('person').name, answer, baseRevision));
  });
  const agreement = new AgreementTask(project.file);
  api.get('/agreement', requireReviewer, async (c) => c.json(await agreement.measure()));
}
