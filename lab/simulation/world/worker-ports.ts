import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import type { MediaFiles } from '../../../core/jobs/ports.ts';
import type { AssembledPart } from '../../../core/storage/assembly.ts';
import type { ChunkPorts, ClaimPorts, FunctionPorts, Sources } from '../../../core/worker/ports.ts';
import { type Disk, newDisk } from './disk.ts';
import { rejecting, simulatedEncoder } from './encoder.ts';
import type { Invocation } from './invocation-types.ts';
import { aSource, isChunkable, parseInputUrl } from './media-origin.ts';
import { maxRunningChunks } from './owner-limits.ts';
import { portsOf } from './ports.ts';
import { openRangeProxiesTo } from './range-proxy.ts';
import type { Services } from './services.ts';

const second = 1_000;
/** A chunkable input is larger: the worker sends a heartbeat during its download. */
const downloadMs = { short: 800, long: 2_300 };

/** The dependencies of a media function, with simulated ffmpeg and disk. */
export function workerPorts(services: Services, invocation: Invocation) {
  const { world } = services;
  const { call } = invocation;
  const disk = newDisk();
  const ports = portsOf(services, invocation);
  const upload: MediaFiles['upload'] = ({ path, key }) => {
    const file = disk.read(path);
    return call('files.upload', async () => world.bucket.put(key, file));
  };
  const assemble: MediaFiles['assemble'] = ({ key, parts }) =>
    call('files.assemble', async () => {
      const object = world.bucket.assemble(parts.flatMap(keysOfPart));
      world.bucket.put(key, object);
      return { etag: object.etag };
    });
  const downloadStored: MediaFiles['download'] = ({ key, path }) =>
    call('files.download', async () => {
      const object = world.bucket.find(key);
      if (object === undefined) return undefined;
      disk.write(path, object);
      return { bytes: object.sizeBytes };
    });
  return {
    kind: 'function',
    ...ports,
    ...simulatedEncoder(world, invocation, disk),
    files: { ...ports.files, upload, assemble, download: downloadStored },
    openRangeProxy: openRangeProxiesTo(world.bucket, disk, invocation),
    openWorkspace: () => call('openWorkspace', async () => workspaceOf(invocation, disk)),
    sources: {
      download: downloadOf(services, invocation, disk),
      // No input of the simulation is at a storage provider.
      findStored: async () => undefined,
    },
    maxDownloadBytes: 9_000_000_000,
    limits: inputLimitsSchema.parse({}),
    chunking: chunkSettingsSchema.parse({ targetChunkSeconds: 2 }),
    processors: { count: 2, slowness: 1 },
    fargate: {
      processors: { count: 4, slowness: 1 },
      memory: { sizeBytes: 8 * 2 ** 30, cpuCount: 4 },
      machine: ports.fargateMachine,
      maxSeconds: 12 * 3_600,
      maxDownloadBytes: 90_000_000_000,
    },
    maxRunningChunks,
    // Both kinds of turn occur.
    claims: {
      short: { current: { claims: invocation.id } },
      long: { current: { claims: invocation.id } },
      economy: { current: { claims: invocation.id } },
      batch: { current: { claims: invocation.id } },
    },
    onClaimed: ({ jobId }) => invocation.claimed(jobId),
    fontsDirectory: '/fonts',
    stallSeconds: 60,
    retentionMs: 7 * 86_400 * second,
    onUnexpected: () => undefined,
  } satisfies FunctionPorts & ChunkPorts & ClaimPorts;
}

function keysOfPart(part: AssembledPart): string[] {
  const ranges = 'copied' in part ? [part.copied] : part.uploaded;
  return ranges.flatMap((range) => ('key' in range ? range.key : []));
}

function workspaceOf({ call }: Invocation, disk: Disk): Workspace {
  return {
    downloadPath: (name) => `/tmp/job/${name}`,
    makeDirectory: async (name) => `/tmp/job/${name}`,
    removePath: async () => undefined,
    sizeBytes: async (path) => disk.read(path).sizeBytes,
    writeText: async () => undefined,
    readText: async () => '',
    replaceFile: async () => undefined,
    openFile: () => Promise.reject(new Error('The simulation has no files')),
    remove: () => call('workspace.remove', async () => undefined),
  };
}

function downloadOf(
  { world: { bucket } }: Services,
  { call, clock }: Invocation,
  disk: ReturnType<typeof newDisk>,
): Sources['download'] {
  return async ({ url, path, signal, onProgress, asRemote }) => {
    const unreachable = rejecting('INPUT_UNREACHABLE');
    const { kind } = parseInputUrl(url);
    const fetch = kind === 'gone' ? unreachable : async () => undefined;
    await call('download', fetch, { instead: unreachable });
    await clock.sleep(isChunkable(kind) || kind === 'film' ? downloadMs.long : downloadMs.short, signal);
    signal.throwIfAborted();
    const source = aSource(url);
    if (asRemote !== undefined && (kind === 'large' || kind === 'replaced')) {
      const { sizeBytes, etag: value } = source;
      return { bytes: sizeBytes, location: { input: 0, validator: { header: 'etag', value }, sizeBytes } };
    }
    if (asRemote !== undefined && kind === 'rangeless') {
      asRemote.onCopy?.();
      await call('copy', async () => bucket.put(asRemote.copyKey, source), { instead: unreachable });
      return { bytes: source.sizeBytes, location: { key: asRemote.copyKey, etag: source.etag } };
    }
    disk.write(path, source);
    const { sizeBytes: bytes } = source;
    onProgress({ bytes, totalBytes: bytes });
    return { bytes, sha256: '0'.repeat(64) };
  };
}
