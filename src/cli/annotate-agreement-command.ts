import { z } from 'zod';
import { PROJECT_OPTION } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { JSON_OPTION, SEED_OPTION } from './shared-options.js';

/** `perturbql annotate agreement`. */
export const command = defineCommand({
  options: z.object({ ...PROJECT_OPTION, ...SEED_OPTION, ...JSON_OPTION }),
  example: 'perturbql annotate agreement --project project.db',
  async run({ project: file, seed }) {
    const [{ AnnotationProject }, { projectAgreement }, { renderAgreementLines }] = await Promise.all([
      import('../annotate/project/annotation-project.js'),
      import('../annotate/agreement/agreement-report.js'),
      import('../annotate/agreement/agreement-lines.js'),
    ]);
    return AnnotationProject.with(file, { readonly: true }, (project) => {
      const json = projectAgreement(project, seed);
      return { json, lines: renderAgreementLines(json) };
    });
  },
});
