import { type Destination, type Place, placeOf } from '../jobs/destination.ts';
import type { JobResult } from '../jobs/job-result.ts';
import { type Publication, publicationOrder } from '../jobs/publication.ts';
import { distinctNameOf, folderOf, type StoredFile } from '../jobs/stored-file.ts';
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
): { publication: Publication; pathOf: ReadonlyMap<string, string>; placeOfKey: ReadonlyMap<string, Place> } {
  const { prefix, destination } = placement;
  const { storageProviderId } = destination;
  const isSent = ({ file }: DescribedOutput) => placeOf(destination, folderOf(file)) !== undefined;
  const ordered = publicationOrder(
    outputs.filter(isSent).map((output) => ({ ...output, filename: distinctNameOf(output.file) })),
  );
  const located = assignKeys(ordered, placement);
  const files = located.map(({ name, file, key }) => [name, { ...file, storage: { storageProviderId, key, prefix } }]);
  const kept = outputs.filter((output) => !isSent(output)).map(({ name, file }) => [name, file]);
  return {
    publication: {
      storageProviderId,
      mark,
      uploads: located.map(({ file, key, sizeBytes }) => ({ key, sizeBytes, mimeType: file.mime_type })),
      result: { ...result, files: Object.fromEntries([...kept, ...files]) },
    },
    pathOf: new Map(located.map(({ key, path = '' }) => [key, path])),
    placeOfKey: new Map(located.map(({ key, file }) => [key, placeOf(destination, folderOf(file)) ?? destination])),
  };
}

/**
 * The key of each file. Files of a template without `{name}` get their name before the extension, so that keys differ. Files
 * that differ only in an extension that the template does not have get it: subtitles and their playlist.
 */
function assignKeys<File extends { name: string; filename: string; file: StoredFile }>(
  files: readonly File[],
  { destination, prefix, job }: Placement,
): (File & { key: string })[] {
  const named = files.map((file) => {
    const [, stem = '', extension = ''] = /^(.*?)\.([^.]*)$/.exec(file.filename) ?? [];
    const { keyTemplate } = placeOf(destination, folderOf(file.file)) ?? destination;
    const isOutput = destination.ofOutputs !== undefined;
    const isOfSet = isOutput && file.name.includes('/');
    const name = isOfSet ? `${folderOf(file.file)}/${stem}` : stem;
    const fields = { jobId: job.jobId, name, extension, date: job.createdAt.slice(0, 10) };
    const key = renderKey(keyTemplate, fields, prefix);
    if (files.length === 1 || keyTemplate.includes('{name}') || (isOutput && !isOfSet)) return { file, key, extension };
    return { file, key: `${key.replace(/\.[^./]*$/, '')}-${name}.${extension}`, extension };
  });
  const byKey = Map.groupBy(named, ({ key }) => key);
  return named.map(({ file, key, extension }) => ({
    ...file,
    key: byKey.get(key)?.length === 1 ? key : `${key}.${extension}`,
  }));
}
