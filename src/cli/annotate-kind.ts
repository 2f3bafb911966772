import { z } from 'zod';
import type { AnnotationKind } from '../annotate/annotation.js';

/** `--kind rpl|add` of the commands that take one kind or, where it is left out, both. */
export const kindOption = z
  .enum(['rpl', 'add'])
  .optional()
  .transform((kind): AnnotationKind | null => (kind === undefined ? null : kind === 'rpl' ? 'RPL' : 'ADD'));
