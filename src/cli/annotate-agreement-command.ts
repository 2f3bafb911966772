import { z } from 'zod';
import { renderAgreementLines } from '../annotate/agreement/agreement-lines.js';
import { projectAgreement } from '../annotate/agreement/agreement-report.js';
import { AnnotationProject } from '../annotate/project/annotation-project.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions } from './run-context.js';

const schema = z.object({ project: z.string().min(1), json: z.boolean().default(false) });

/** `perturbql annotate agreement`. */
export async function run(raw: RawOptions): Promise<void> {
  const { project: file, json } = parseOptions(schema, raw);
  const { seed } = parseCommonOptions({ seed: raw.seed });
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    const report = projectAgreement(project, seed);
    if (json) console.log(JSON.stringify(report, null, 2));
    else for (const line of renderAgreementLines(report)) console.log(line);
  } finally {
    project.close();
  }
}
