import { referencingFilePattern, streamPlaylistPattern } from '@media-jobs/video/media';
import * as z from 'zod';
import { jobResultSchema } from './job-result.ts';
import { workPrefix } from './stored-file.ts';

const plannedUploadSchema = z.object({
  /** Unless it is that of the publication. */
  storageProviderId: z.string().optional(),
  key: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number(),
  /** Unset before the provider has answered. */
  uploadId: z.string().optional(),
  /** Unset before all bytes are uploaded. */
  etags: z.array(z.string()).optional(),
});

/**
 * The uploads of a job's files to its storage providers, by one attempt. Stored in the media bucket before the first request
 * to the provider, so that any function can complete or abort the uploads of a crashed worker.
 */
export const publicationSchema = z.object({
  storageProviderId: z.string(),
  /**
   * In the metadata of each object, which tells it from an object of another publication under the same key. An attempt has
   * several publications if its join is repeated.
   */
  mark: z.string(),
  /** In the order in which they become visible. */
  uploads: z.array(plannedUploadSchema),
  result: jobResultSchema,
});

export type Publication = z.infer<typeof publicationSchema>;

/** Prefix in the media bucket of the publications of a job. */
export function publicationPrefix(jobId: string): string {
  return `${workPrefix(jobId)}publications/`;
}

/** The key of a publication in the media bucket. */
export function publicationKeyOf(jobId: string, publicationId: string): string {
  return `${publicationPrefix(jobId)}${publicationId}.json`;
}

/** The mark of a publication, from its key. */
export function publicationMark(jobId: string, publicationKey: string): string {
  return `${jobId}/${publicationKey.slice(publicationPrefix(jobId).length, -'.json'.length)}`;
}

/**
 * Orders files so that one which references others becomes visible after them: media files, then playlists of streams,
 * then the playlists that name these.
 */
export function publicationOrder<File extends { filename: string }>(files: readonly File[]): File[] {
  const rank = ({ filename }: File) => {
    if (!referencingFilePattern.test(filename)) return 0;
    return streamPlaylistPattern.test(filename) ? 1 : 2;
  };
  return [...files].sort((a, b) => rank(a) - rank(b));
}
