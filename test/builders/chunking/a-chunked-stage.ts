import { randomUUID } from 'node:crypto';
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { findFonts } from '@media-jobs/video/local-programs';
import { hashFile, openWorkspace, packetReader } from '@media-jobs/video/runner';
import { anEncoder, ffmpegPrograms } from '@media-jobs/video/testing';
import { mediaFiles } from '../../../adapters/s3/media-files.ts';
import { headObject } from '../../../adapters/s3/read-object.ts';
import { workFiles } from '../../../adapters/s3/work-files.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import type { ChunkedExecutionInput } from '../../../core/jobs/chunked-ports.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { parseStorageUrl } from '../../../core/storage/storage-url.ts';
import type { ClaimPorts, FunctionPorts } from '../../../core/worker/ports.ts';
import type { JoinChunksDeps } from '../../../functions/join-chunks/app.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';
import { workerPorts } from '../jobs/worker-ports.ts';
import { aMediaBucket, type MediaBucket } from '../storage/a-media-bucket.ts';
import { rangeProxiesTo } from '../storage/a-range-proxy.ts';

export type ChunkedDeps = FunctionPorts & ClaimPorts & JoinChunksDeps;

/** The dependencies of the worker functions: real ffmpeg, an S3 emulator, tables in memory. */
export type ChunkedStage = {
  ports: ChunkedDeps;
  bucket: MediaBucket;
  machine: ReturnType<typeof memoryJobStateMachine<ChunkedExecutionInput>>;
  /** Jobs that were sent to the queue. */
  sent: JobRef[];
  /** Errors that functions reported as unexpected. */
  unexpected: unknown[];
  /** The folder of all workspaces. */
  disk: string;
  /** The keys below a prefix, in their order. */
  keys(prefix: string): Promise<string[]>;
  read(key: string): Promise<Buffer>;
  /** Downloads an object; returns its path. */
  fetch(key: string): Promise<string>;
  remove(key: string): Promise<void>;
};

/** A stage whose clients name a file of this disk as `https://media.example/<path>`. */
export async function aChunkedStage(): Promise<ChunkedStage> {
  const [bucket, disk] = [await aMediaBucket(), await aTemporaryFolder()];
  const machine = memoryJobStateMachine();
  const sent: JobRef[] = [];
  const unexpected: unknown[] = [];
  const ports = portsOn({ bucket, disk, machine, sent, unexpected });
  const slot = { Bucket: bucket.bucket };
  const read = async (key: string) => {
    const { Body } = await bucket.client.send(new GetObjectCommand({ ...slot, Key: key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  return {
    ports,
    bucket,
    machine,
    sent,
    unexpected,
    disk,
    async keys(prefix) {
      const { Contents = [] } = await bucket.client.send(new ListObjectsV2Command({ ...slot, Prefix: prefix }));
      return Contents.map(({ Key = '' }) => Key);
    },
    read,
    async fetch(key) {
      const path = join(await aTemporaryFolder(), key.replaceAll('/', '-'));
      await writeFile(path, await read(key));
      return path;
    },
    async remove(key) {
      await bucket.client.send(new DeleteObjectCommand({ ...slot, Key: key }));
    },
  };
}

function portsOn({
  bucket,
  disk,
  machine,
  sent,
  unexpected,
}: Pick<ChunkedStage, 'bucket' | 'disk' | 'machine' | 'sent' | 'unexpected'>): ChunkedDeps {
  const { queue, ...ports } = workerPorts();
  return {
    ...ports,
    parallel: machine,
    queue: { ...queue, send: async (ref) => void sent.push(ref) },
    media: anEncoder(),
    packets: packetReader(ffmpegPrograms),
    files: { ...mediaFiles(bucket.client, bucket.bucket), ...workFiles(bucket.client, bucket.bucket) },
    openObjectStore: async () => memoryObjectStore(),
    openRangeProxy: rangeProxiesTo(bucket),
    openWorkspace: () => openWorkspace(disk),
    sources: {
      findStored: async ({ url }) => {
        const stored = parseStorageUrl(url);
        if (stored === undefined) return undefined;
        const { etag, totalBytes } = await headObject(bucket, stored, new AbortController().signal);
        return { ...stored, etag, sizeBytes: totalBytes };
      },
      download: async ({ url, path }) => {
        await copyFile(clipPath(url), path);
        return { bytes: (await stat(path)).size, sha256: await hashFile(path) };
      },
    },
    deliveries: { send: async () => undefined },
    clock: systemClock,
    newId: randomUUID,
    fontsDirectory: findFonts(),
    chunking: chunkSettingsSchema.parse({ targetChunkSeconds: 3 }),
    onUnexpected: (_, cause) => void unexpected.push(cause),
    onDeliveryStartFailed: (_, cause) => void unexpected.push(cause),
  };
}

/** The URL of a file of this disk for clients of the stage. */
export function clipUrl(path: string): string {
  return `https://media.example${path}`;
}

function clipPath(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}
