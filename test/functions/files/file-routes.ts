import { compression } from '../../../adapters/runtime/http/compression.ts';
import { publicRoute } from '../../../adapters/runtime/http/route.ts';
import { getFileContract, headFileContract } from '../../../core/api/files.ts';
import type { FileStorage } from '../../../core/jobs/ports.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { getFile, headFile } from '../../../functions/files/open-file.ts';
import { memoryConcurrencyLimits } from '../../../lab/simulation/memory/concurrency-limits.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryPlaybackRecords } from '../../../lab/simulation/memory/playback-records.ts';
import { aGatewayEvent } from '../../builders/http/a-gateway-event.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';
import { aFileBucket } from '../../builders/storage/a-file-bucket.ts';
import { foreignSet, own, set, storedFile } from './stored-set.ts';

/** Jobs of `fileRoutes` besides `own`: another with the same set, one of `foreignSet`, one whose set is at a provider. */
export const [other, foreign, atProvider] = [2, 3, 4].map((n) => aJobId(n));

/** Reads a file of the set at the provider. */
export const readStored = async (key: string) => set[key.replace('videos/', '')] ?? '';

/** The routes of files, and completed jobs with a set each. */
export async function fileRoutes() {
  const { bucket, store } = await aFileBucket();
  const jobs = memoryJobTable();
  const playbacks = memoryPlaybackRecords();
  const concurrency = memoryConcurrencyLimits();
  const opened: string[] = [];
  const provider: FileStorage = {
    readText: readStored,
    sign: async ({ key, filename }) => `https://provider.example/${key}?name=${filename}`,
  };
  let ids = 0;

  const complete = async (jobId = '', names: string[] = [], storageOf?: (name: string) => StoredFile['storage']) => {
    const files = Object.fromEntries(names.map((name) => [name, storedFile(jobId, name, storageOf?.(name))]));
    await jobs.write({
      job: aCompletedJob({ jobId, files, urlSecret: `the secret of ${jobId}` }),
      guard: { absent: true },
    });
  };
  await complete(own, await store(own, set));
  await complete(other, await store(other, set));
  await complete(foreign, [...(await store(foreign, foreignSet)), 'media_9.m3u8']);
  await complete(atProvider, Object.keys(set), (name) => ({ storageProviderId: 'sp_1', key: `videos/${name}` }));

  /** Sends a request for a URL so many seconds after `start`. */
  const open = async (url: string, afterSeconds = 0, method: 'GET' | 'HEAD' = 'GET') => {
    const deps = {
      jobs,
      playbacks,
      bucket,
      openProvider: async ({ storageProviderId }: { storageProviderId: string }) => {
        opened.push(storageProviderId);
        return provider;
      },
      concurrency,
      limitOfOwner: (ownerId: string) => ownerId,
      maxPlaylistReads: 4,
      newId: () => `permit-${++ids}`,
      clock: { now: () => new Date(start.getTime() + afterSeconds * 1_000) },
    };
    const handler =
      method === 'GET'
        ? publicRoute(getFileContract, getFile(deps), compression)
        : publicRoute(headFileContract, headFile(deps));
    const { pathname, searchParams } = new URL(url);
    const [, , , , id = '', , output = '', file = ''] = pathname.split('/').map(decodeURIComponent);
    const event = aGatewayEvent({ params: { id, output, file }, query: Object.fromEntries(searchParams) });
    const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 20_000 };
    const { statusCode: status = 0, headers = {}, body = '' } = await handler(event, context as never);
    return { status, headers, text: String(body), location: String(headers.location) };
  };
  return {
    jobs,
    playbacks,
    concurrency,
    /** The ids of the storage providers that were opened. */
    opened,
    /** The storage provider, whose reads a test may replace. */
    provider,
    complete,
    open,
  };
}
