import type { JobResult } from '../jobs/job-result.ts';
import { type Publication, publicationOrder } from '../jobs/publication.ts';
import {
  type Destination,
  distinctNameOf,
  folderOf,
  type Place,
  placeOf,
  type StoredFile,
} from '../jobs/stored-file.ts';
import { renderKey } from '../storage/object-key.ts';
import type { DescribedOutput } from '../worker/outputs.ts';

type Placement = {
  destination: Destination;
  /** The prefix of each storage provider, by its id. */
  prefixes: ReadonlyMap<string, string | undefined>;
  job: { jobId: string; createdAt: string };
};

/** The publication of finished files before its first upload, and for each upload the path on the disk and its place. */
export function planPublication(
  outputs: readonly DescribedOutput[],
  { mark, result, ...placement }: Placement & { mark: Publication['mark']; result: Omit<JobResult, 'files'> },
): { publication: Publication; sources: readonly { path: string; place: Place }[] } {
  const { prefixes, destination } = placement;
  const isSent = ({ file }: DescribedOutput) => placeOf(destination, folderOf(file)) !== undefined;
  const ordered = publicationOrder(
    outputs.filter(isSent).map((output) => ({ ...output, filename: distinctNameOf(output.file) })),
  );
  const located = assignKeys(ordered, placement);
  const files = located.map(({ name, file, key, place: { storageProviderId } }) => {
    const storage = { storageProviderId, key, prefix: prefixes.get(storageProviderId) };
    return [name, { ...file, storage }];
  });
  const kept = outputs.filter((output) => !isSent(output)).map(({ name, file }) => [name, file]);
  return {
    publication: {
      storageProviderId: destination.storageProviderId,
      mark,
      uploads: located.map(({ file, key, sizeBytes, place: { storageProviderId } }) => ({
        ...(storageProviderId !== destination.storageProviderId && { storageProviderId }),
        ...{ key, sizeBytes, mimeType: file.mime_type },
      })),
      result: { ...result, files: Object.fromEntries([...kept, ...files]) },
    },
    sources: located.map(({ path = '', place }) => ({ path, place })),
  };
}

/**
 * The key of each file. Files of a template without `{name}` get their name before the extension, so that keys differ. Files
 * that differ only in an extension that the template does not have get it: subtitles and their playlist.
 */
function assignKeys<File extends { name: string; filename: string; file: StoredFile }>(
  files: readonly File[],
  { destination, prefixes, job }: Placement,
): (File & { key: string; place: Place })[] {
  const named = files.map((file) => {
    const [, stem = '', extension = ''] = /^(.*?)\.([^.]*)$/.exec(file.filename) ?? [];
    const place = placeOf(destination, folderOf(file.file)) ?? destination;
    const { keyTemplate, storageProviderId } = place;
    const isOutput = destination.ofOutputs !== undefined;
    const isOfSet = isOutput && file.name.includes('/');
    const name = isOfSet ? `${folderOf(file.file)}/${stem}` : stem;
    const fields = { jobId: job.jobId, name, extension, date: job.createdAt.slice(0, 10) };
    const key = renderKey(keyTemplate, fields, prefixes.get(storageProviderId));
    if (files.length === 1 || keyTemplate.includes('{name}') || (isOutput && !isOfSet))
      return { file, key, extension, place };
    return { file, key: `${key.replace(/\.[^./]*$/, '')}-${name}.${extension}`, extension, place };
  });
  const nameOf = ({ key, place }: { key: string; place: Place }) => `${place.storageProviderId} ${key}`;
  const byKey = Map.groupBy(named, nameOf);
  return named.map(({ extension, ...each }) => {
    const { file, place } = each;
    return { ...file, place, key: byKey.get(nameOf(each))?.length === 1 ? each.key : `${each.key}.${extension}` };
  });
}
