import { parentPort, workerData } from 'node:worker_threads';
import { present } from '../../present.js';
import { projectAgreement } from '../agreement/agreement-report.js';
import { AnnotationProject } from '../project/annotation-project.js';

const project = AnnotationProject.open(workerData as string, { readonly: true });
try {
  present(parentPort, 'parentPort').postMessage(projectAgreement(project));
} finally {
  project.close();
}
