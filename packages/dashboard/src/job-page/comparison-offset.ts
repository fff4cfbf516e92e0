import type { JobResource } from '@media-jobs/core/api';
import type { Comparison } from '@media-jobs/video/recipes';

/** Seconds into the input at which the result starts; undefined if the two cannot be shown side by side. */
export function comparisonOffsetSeconds(
  { request, output_files: files }: JobResource,
  comparison: Comparison,
): number | undefined {
  const fileType = files?.output?.file_type;
  if (comparison === 'none' || (fileType !== 'video' && fileType !== 'image')) return undefined;
  if (comparison === 'same-time') return 0;
  const start = request.recipe?.start;
  return typeof start === 'number' ? start : 0;
}
