import { JobError } from '@media-jobs/video/errors';
import { mapConcurrent } from '../async.ts';
import type { JobResult } from '../jobs/job-result.ts';
import { type Publication, publicationKeyOf, publicationMark, publicationOrder } from '../jobs/publication.ts';
import type { Unpublished } from '../jobs/record.ts';
import {
  type Destination,
  distinctNameOf,
  folderOf,
  type Place,
  placeOf,
  providersOf,
  type StoredFile,
} from '../jobs/stored-file.ts';
import { renderKey } from '../storage/object-key.ts';
import { type DescribedOutput, storeOutputs } from '../worker/outputs.ts';
import type { StoringPorts } from '../worker/ports.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { discardPublication } from './discard-publication.ts';
import { publicationStores } from './publication-stores.ts';
import { type UploadLimit, uploadInTime } from './upload-limit.ts';

export type FinishedResult = { outputs: readonly DescribedOutput[]; result: Omit<JobResult, 'files'> };

/**
 * Uploads finished files to the job's destination. In the media bucket the result is complete. At a storage provider the
 * files are invisible until their publication is completed. A provider that takes longer than `limit` fails the job, and
 * its files are kept for a retry.
 */
export async function storeResult(
  deps: StoringPorts,
  context: WorkerContext,
  { outputs, result }: FinishedResult,
  limit?: UploadLimit,
): Promise<JobResult | { publicationKey: string; finished: FinishedResult }> {
  const { destination } = context.job;
  if (destination === undefined) return { ...result, files: await storeOutputs(deps, context, outputs) };
  // Outputs for the bucket of the stage beside others for a provider.
  const kept = outputs.filter(({ file }) => placeOf(destination, folderOf(file)) === undefined);
  await storeOutputs(deps, context, kept);
  try {
    const { publicationKey } = await uploadInTime(deps, context, {
      totalBytes: sum(outputs.map(({ sizeBytes }) => sizeBytes)),
      limit,
      upload: (limited) => uploadToProvider(deps, limited, { destination, outputs, result }),
    });
    return { publicationKey, finished: { outputs, result } };
  } catch (cause) {
    throw await keepForRetry(deps, context, { cause, outputs, result });
  }
}

/** A publication whose bytes are all at the provider, invisible, and the key of its text in the media bucket. */
export type ReadyPublication = { publication: Publication; publicationKey: string };

type Result = Omit<Publication['result'], 'files'>;

const maxConcurrentFiles = 4;

/**
 * Uploads finished files to the provider of a job, as multipart uploads that nobody sees yet. Before each step the
 * publication in the media bucket names what may exist at the provider. After an error nothing is left there.
 */
async function uploadToProvider(
  deps: StoringPorts,
  context: WorkerContext,
  { destination, outputs, result }: { destination: Destination; outputs: readonly DescribedOutput[]; result: Result },
): Promise<ReadyPublication> {
  const { job, signal, report } = context;
  const storeOf = publicationStores(deps.openObjectStore, job, destination);
  const prefixes = new Map<string, string | undefined>();
  for (const storageProviderId of providersOf(destination))
    prefixes.set(storageProviderId, (await storeOf({ storageProviderId })).prefix);
  const publicationKey = publicationKeyOf(job.jobId, deps.newId());
  const mark = publicationMark(job.jobId, publicationKey);
  const plan = { destination, prefixes, mark, job, result };
  const { publication, sources } = planPublication(outputs, plan);
  const save = () => deps.files.writeText(publicationKey, JSON.stringify(publication));
  try {
    await save();
    const objects = await Promise.all(
      publication.uploads.map(async (upload, index) => {
        const { headers, storageClass, tags } = sources[index]?.place ?? destination;
        return { upload, store: await storeOf(upload), object: { ...upload, headers, storageClass, tags, mark } };
      }),
    );
    for (const [store, own] of Map.groupBy(objects, ({ store }) => store)) {
      await store.prepare?.(
        own.map(({ object }) => object),
        signal,
      );
    }
    for (const { upload, store, object } of objects) {
      signal.throwIfAborted();
      upload.uploadId = (await store.begin(object, signal)).uploadId;
    }
    await save();
    const totalBytes = sum(publication.uploads.map(({ sizeBytes }) => sizeBytes));
    const sentBytes = new Map<number, number>();
    await mapConcurrent([...publication.uploads.entries()], maxConcurrentFiles, async ([index, upload]) => {
      const { key, uploadId = '' } = upload;
      const onProgress = (bytes: number) => {
        sentBytes.set(index, bytes);
        const fraction = totalBytes === 0 ? 0 : sum([...sentBytes.values()]) / totalBytes;
        report({ stage: 'uploading', fraction });
      };
      const path = sources[index]?.path ?? '';
      const store = await storeOf(upload);
      upload.etags = await store.send({ key, uploadId }, { path, signal, onProgress });
    });
    await save();
    return { publication, publicationKey };
  } catch (error) {
    await discardPublication(deps, job, publication);
    throw error;
  }
}

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

/** The provider did not take the files. They wait in the media bucket for a retry of the job. */
export class UnpublishedError extends JobError {
  readonly unpublished: Unpublished;

  constructor({ code, message, retryable }: JobError, unpublished: Unpublished) {
    super(code, message, { retryable });
    this.unpublished = unpublished;
  }
}

/**
 * Stores files in the media bucket that a provider did not take; returns the error of the job. Files of a retried job are
 * there already.
 */
export async function keepForRetry(
  deps: StoringPorts,
  context: WorkerContext,
  { cause, outputs, result }: { cause: unknown; outputs: readonly DescribedOutput[]; result: Result },
): Promise<unknown> {
  const { job, signal } = context;
  if (!(cause instanceof JobError) || cause.code !== 'UPLOAD_ERROR' || signal.aborted) return cause;
  if (job.unpublished !== undefined) return new UnpublishedError(cause, job.unpublished);
  try {
    const files = await storeOutputs(deps, context, outputs);
    const { jobId, attempt } = job;
    return new UnpublishedError(cause, { jobId, attempt, result: { ...result, files } });
  } catch (error) {
    deps.onUnexpected(job, error);
    return cause;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
