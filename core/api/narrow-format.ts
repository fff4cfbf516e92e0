import { findRecipe } from '@media-jobs/video/recipes';
import type * as z from 'zod';

/** Narrows the choices in the issue of an unknown format to the formats that its recipe writes. */
export function narrowFormat(issue: z.core.$ZodRawIssue, recipe: string | undefined): void {
  const { formats } = findRecipe(recipe ?? '') ?? {};
  if (issue.code === 'invalid_value' && formats) Object.assign(issue, { values: formats });
}
