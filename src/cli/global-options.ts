import { z } from 'zod';
import { choice, flag, text } from '../options/option-field.js';

/** The configuration file that is read where none is named. */
export const DEFAULT_CONFIG = 'perturbql.config.json';

/** The options that every command takes. */
export const GLOBAL_OPTIONS = z.object({
  config: text('file', `options and settings (default: ${DEFAULT_CONFIG} where it exists)`, {
    flagOnly: true,
  }).exactOptional(),
  quiet: flag('show neither progress nor notes', { flagOnly: true }),
  verbose: flag('show progress every second, which configuration file is read, and details of results', {
    flagOnly: true,
  }),
  progress: choice(['text', 'json'], 'form', 'how progress and notes are written to the error stream', {
    flagOnly: true,
  }).default('text'),
});
