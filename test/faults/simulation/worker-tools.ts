import { chunkSettingsSchema } from '../../../core/chunks/settings.ts';
import type { MediaFiles } from '../../../core/jobs/ports.ts';
import { inputLimitsSchema } from '../../../core/media/limits.ts';
import type { Workspace } from '../../../core/media/workspace.ts';
import type { EncodePartPorts } from '../../../functions/encode-part/app.ts';
import type { TranscodePorts } from '../../../functions/transcode/app.ts';
import { newDisk } from './disk.ts';
import { doorsTo } from './door.ts';
import { encoderOf, refused } from './encoder.ts';
import type { Invocation } from './invocation.ts';
import { aSource, isCut, readUrl } from './media.ts';
import { portsOf } from './ports.ts';
import type { Services } from './services.ts';

const second = 1_000;
/** One that is to be cut is larger: a worker's heart beats while it comes. */
const downloadMs = { short: 800, long: 2_300 };

/** The ports of a function that works on media, with stand-ins for ffmpeg and the disk. */
export function workerPorts(services: Services, invocation: Invocation) {
  const { world } = services;
  const { call } = invocation;
  const disk = newDisk();
  const ports = portsOf(services, invocation);
  const upload: MediaFiles['upload'] = ({ path, key }) => {
    const file = disk.read(path);
    return call('files.upload', async () => world.bucket.put(key, file));
  };
  return {
    ...ports,
    ...encoderOf(world, invocation, disk),
    files: { ...ports.files, upload },
    openDoor: doorsTo(world.bucket, disk, invocation),
    openWorkspace: () => call('openWorkspace', async () => workspaceOf(invocation)),
    download: downloadOf(invocation, disk),
    limits: inputLimitsSchema.parse({}),
    chunking: { settings: chunkSettingsSchema.parse({ targetChunkSeconds: 2 }), processors: 2 },
    serviceVersion: '1.0.0',
    fontsDirectory: '/fonts',
    stallSeconds: 60,
    retentionMs: 7 * 86_400 * second,
    onUnexpected: () => undefined,
  } satisfies TranscodePorts & EncodePartPorts;
}

function workspaceOf({ call }: Invocation): Workspace {
  return {
    downloadPath: (name) => `/tmp/job/${name}`,
    makeDirectory: async (name) => `/tmp/job/${name}`,
    free: async () => undefined,
    sizeBytes: async () => 50_000,
    writeText: async () => undefined,
    readText: async () => '',
    remove: () => call('workspace.remove', async () => undefined),
  };
}

function downloadOf(
  { call, clock }: Invocation,
  disk: ReturnType<typeof newDisk>,
): TranscodePorts['download'] {
  return async ({ url, path, signal, onProgress }) => {
    const unreachable = refused('INPUT_UNREACHABLE');
    const { kind } = readUrl(url);
    const fetch = kind === 'gone' ? unreachable : async () => undefined;
    await call('download', fetch, { instead: unreachable });
    await clock.sleep(isCut(kind) ? downloadMs.long : downloadMs.short, signal);
    signal.throwIfAborted();
    const source = aSource(url);
    disk.write(path, source);
    const { sizeBytes: bytes } = source;
    onProgress({ bytes, totalBytes: bytes });
    return { bytes };
  };
}
