import { projectAgreement } from '../agreement/agreement-report.js';
import type { AgreementReport } from '../api-shapes.js';
import { AnnotationProject } from '../project/annotation-project.js';

/** Runs in a thread: measures the agreement of the project in a file. */
export default function measureAgreement(file: string): AgreementReport {
  return AnnotationProject.with(file, { readonly: true }, projectAgreement);
}
