import { chunkSettingsSchema } from '../../../core/chunks/settings.ts';
import { JobError } from '../../../core/errors.ts';
import { inputLimitsSchema } from '../../../core/media/limits.ts';
import type { TranscodePorts } from '../../../functions/transcode/app.ts';
import { aPictureIndex } from '../../builders/a-picture-index.ts';
import { aProbe } from '../../builders/a-probe.ts';
import type { Invocation } from './invocation.ts';

const steps = 4;
const downloadMs = 800;

/**
 * What an input is, from its URL `https://media.example/<kind>/<milliseconds that encoding takes>`: `good`, `gone` (it
 * cannot be downloaded) or `broken` (it cannot be encoded).
 */
function readUrl(url: string): { kind: string; encodeMs: number } {
  const [, kind = '', encodeMs = ''] = new URL(url).pathname.split('/');
  return { kind, encodeMs: Number(encodeMs) };
}

/** Stand-ins for the download, ffmpeg and the disk: they take time, may fail, and stop when they are told to. */
export function workerTools({
  call,
  clock,
}: Invocation): Pick<
  TranscodePorts,
  | 'packets'
  | 'chunking'
  | 'workFiles'
  | 'serviceVersion'
  | 'download'
  | 'encoder'
  | 'openWorkspace'
  | 'limits'
  | 'stallSeconds'
  | 'fontsDirectory'
> {
  let input = { kind: '', encodeMs: 0 };
  const refused = (code: 'INPUT_UNREACHABLE' | 'TRANSCODE_ERROR') => async () => {
    throw new JobError(code, 'It did not work.', { retryable: true });
  };
  return {
    download: async ({ url, signal, onProgress }) => {
      input = readUrl(url);
      const unreachable = refused('INPUT_UNREACHABLE');
      await call('download', input.kind === 'gone' ? unreachable : async () => undefined, {
        instead: unreachable,
      });
      await clock.sleep(downloadMs, signal);
      signal.throwIfAborted();
      onProgress({ bytes: 100_000, totalBytes: 100_000 });
      return { bytes: 100_000, finalUrl: url };
    },
    encoder: {
      version: async () => 'ffmpeg version 7.1',
      filters: async () => new Set(['scale']),
      probe: (_path, { of } = {}) =>
        call('encoder.probe', async () => aProbe(), {
          instead: refused(of === 'output' ? 'TRANSCODE_ERROR' : 'INPUT_UNREACHABLE'),
        }),
      run: async ({ outputArguments }, { signal, timeLimitSeconds, onProgress }) => {
        const broken = refused('TRANSCODE_ERROR');
        await call('encoder.run', async () => undefined, { instead: broken });
        for (let step = 1; step <= steps; step++) {
          await clock.sleep(Math.min(input.encodeMs, timeLimitSeconds * 1_000) / steps, signal);
          signal.throwIfAborted();
          onProgress?.({ percent: Math.floor((99 * step) / steps) });
          if (input.kind === 'broken' && step === 2) return broken();
        }
        return { arguments: outputArguments, log: '' };
      },
    },
    openWorkspace: () =>
      call('workspace.open', async () => ({
        downloadPath: (name) => `/tmp/job/${name}`,
        makeDirectory: async (name) => `/tmp/job/${name}`,
        free: async () => undefined,
        sizeBytes: async () => 50_000,
        writeText: async () => undefined,
        readText: async () => '',
        remove: () => call('workspace.remove', async () => undefined),
      })),
    packets: { pictures: async () => aPictureIndex() },
    chunking: { settings: chunkSettingsSchema.parse({}), processors: 2 },
    workFiles: {
      readText: async () => undefined,
      writeText: async () => undefined,
      find: async () => undefined,
    },
    serviceVersion: '1.0.0',
    fontsDirectory: '/fonts',
    limits: inputLimitsSchema.parse({}),
    stallSeconds: 60,
  };
}
