import * as z from 'zod';
import { AppError } from '../errors.ts';
import { jsonText } from '../json-text.ts';
import type { Watch } from '../watches/watch.ts';
import type { Batch } from './batch.ts';

/** A line of the listing of a backfill. Without an ETag there is no object of this key. */
export const listedLineSchema = jsonText(
  z.object({
    id: z.string(),
    versionId: z.string().optional(),
    etag: z.string().optional(),
    sizeBytes: z.number().default(0),
  }),
);

/** The watch of a backfill, with the version of its preset that the whole backfill keeps. Throws AppError NOT_FOUND. */
export function watchOfBackfill(
  ofStage: readonly Watch[],
  { ownerId, backfill, request }: Pick<Batch, 'ownerId' | 'backfill' | 'request'>,
): Watch {
  const watch = ofStage.find(({ name, ownerId: owner }) => name === backfill?.watch && owner === ownerId);
  if (watch === undefined) throw new AppError('NOT_FOUND', `There is no watch ${backfill?.watch} any more.`);
  return { ...watch, preset: String(request.preset) };
}
