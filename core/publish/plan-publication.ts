import type { Destination } from '../jobs/destination.ts';
import type { JobResult } from '../jobs/job-result.ts';
import { type Publication, publicationOrder } from '../jobs/publication.ts';
import { distinctNameOf } from '../jobs/stored-file.ts';
import { renderKey } from '../storage/object-key.ts';
import type { DescribedOutput } from '../worker/outputs.ts';

type Placement = {
  destination: Destination;
  /** The prefix of the storage provider. */
  prefix: string | undefined;
  job: { jobId: string; createdAt: string };
};

/** The publication of finished files before its first upload, and the path on the disk of each key. */
export function planPublication(
  outputs: readonly DescribedOutput[],
  { mark, result, ...placement }: Placement & { mark: Publication['mark']; result: Omit<JobResult, 'files'> },
): { publication: Publication; pathOf: ReadonlyMap<string, string> } {
  const { prefix } = placement;
  const { storageProviderId } = placement.destination;
  const ordered = publicationOrder(outputs.map((output) => ({ ...output, filename: distinctNameOf(output.file) })));
  const located = assignKeys(ordered, placement);
  const files = located.map(({ name, file, key }) => [name, { ...file, storage: { storageProviderId, key, prefix } }]);
  return {
    publication: {
      storageProviderId,
      mark,
      uploads: located.map(({ file, key, sizeBytes }) => ({ key, sizeBytes, mimeType: file.mime_type })),
      result: { ...result, files: Object.fromEntries(files) },
    },
    pathOf: new Map(located.map(({ key, path = '' }) => [key, path])),
  };
}

/**
 * The key of each file. Files of a template without `{name}` get their name before the extension, so that keys differ. Files
 * that differ only in an extension that the template does not have get it: subtitles and their playlist.
 */
function assignKeys<File extends { filename: string }>(
  files: readonly File[],
  { destination: { keyTemplate }, prefix, job }: Placement,
): (File & { key: string })[] {
  const named = files.map((file) => {
    const [, name = '', extension = ''] = /^(.*?)\.([^.]*)$/.exec(file.filename) ?? [];
    const fields = { jobId: job.jobId, name, extension, date: job.createdAt.slice(0, 10) };
    const key = renderKey(keyTemplate, fields, prefix);
    if (files.length === 1 || keyTemplate.includes('{name}')) return { file, key, extension };
    return { file, key: `${key.replace(/\.[^./]*$/, '')}-${name}.${extension}`, extension };
  });
  const byKey = Map.groupBy(named, ({ key }) => key);
  return named.map(({ file, key, extension }) => ({
    ...file,
    key: byKey.get(key)?.length === 1 ? key : `${key}.${extension}`,
  }));
}
