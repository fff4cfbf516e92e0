import type { JobResource } from '../../core/api/job-resource.ts';

/** Recipes whose result runs by another clock than its input. */
const ofAnotherTime = new Set(['speed', 'pipeline']);

/**
 * How many seconds of the input come before the first frame of the result; nothing where the two cannot be looked at side
 * by side, as a film and a sheet of its pictures.
 */
export function comparisonOffsetSeconds({ request, output_files: files }: JobResource): number | undefined {
  // A pipeline has no recipe of its own, and may do anything to the time of its input.
  const { name, start } = request.recipe ?? { name: 'pipeline', start: 0 };
  const kind = files?.output?.file_type;
  if (kind === 'image' && name === 'image') return 0;
  if (kind !== 'video' || ofAnotherTime.has(name)) return undefined;
  return name === 'clip' && typeof start === 'number' ? start : 0;
}
