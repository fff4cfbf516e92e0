import type { JobResource } from '@media-jobs/core/api';
import type { RecipeDescription } from '../job/use-recipes.ts';
import type { Source } from './source.ts';
import type { MeasuredMedia } from './source-media.ts';

/** The source of the job to duplicate: what is known of it, and a URL of an upload that is still kept. */
export type KnownSource = { source: Source; media: MeasuredMedia | undefined; url?: string | undefined };

/**
 * What a completed job tells of its input, for the estimate of a copy: its size, the duration of a result that lasts as long,
 * and the largest frame among its files. Undefined without such a result.
 */
export function originalMedia(
  { request, inputSizeBytes, output_files = {} }: JobResource,
  recipes: readonly RecipeDescription[],
): MeasuredMedia | undefined {
  const recipe = recipes.find(({ name }) => name === request.recipe?.name);
  if (recipe?.comparison !== 'same-time' || request.input === undefined) return undefined;
  const files = Object.values(output_files);
  const durationSeconds = Math.max(0, ...files.map(({ duration = 0 }) => duration));
  if (durationSeconds === 0) return undefined;
  const [largest] = files.toSorted((one, other) => (other.height ?? 0) - (one.height ?? 0));
  const { width, height } = largest ?? {};
  const frame = width === undefined || height === undefined ? {} : { width, height };
  return { durationSeconds, ...frame, ...(inputSizeBytes !== undefined && { sizeBytes: inputSizeBytes }) };
}
