import type { PacketReader } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { argumentTexts, EncodeError } from '@media-jobs/video/ffmpeg';
import type { Disk } from './disk.ts';
import type { Invocation } from './invocation-types.ts';
import {
  audioSpanOf,
  audioTimingOf,
  frameIndexOf,
  inputSeconds,
  type MediaOrigin,
  movieOf,
  originOfOutput,
  parseInputUrl,
  probeOf,
  sourceUrlOf,
} from './media-origin.ts';
import type { World } from './world.ts';

const steps = 4;
const joinMs = 60;

/** Simulates ffmpeg and ffprobe: they take virtual time, may fail, and stop on abort. */
export function simulatedEncoder(
  { log, scheduler, plan }: Pick<World, 'log' | 'scheduler' | 'plan'>,
  invocation: Invocation,
  disk: Disk,
): { media: Encoder; packets: PacketReader } {
  const { app, id, call, clock } = invocation;
  let made = 0;
  const slowness = plan.slownessOf(app);
  const media: Encoder = {
    version: async () => 'ffmpeg version 7.1',
    canCompare: async () => false,
    compare: async () => {
      throw new Error('The simulation plans no comparison');
    },
    readText: () => Promise.reject(new Error('The simulation reads no text')),
    writeText: () => Promise.reject(new Error('The simulation writes no text')),
    probe: (path, { role } = {}) =>
      call('encoder.probe', async () => probeOf(disk.read(path).made), {
        instead: rejecting(role === 'output' ? 'TRANSCODE_ERROR' : 'INPUT_UNREACHABLE'),
      }),
    run: async (command, { signal, timeLimitSeconds, onProgress }) => {
      const outputArguments = argumentTexts(command.outputArguments);
      await call('encoder.run', async () => undefined, { instead: rejecting('TRANSCODE_ERROR') });
      if (outputArguments.includes('-xerror')) {
        for (const { path } of command.inputs) disk.read(path);
        return { arguments: outputArguments, log: '' };
      }
      const result = originOfOutput(command, disk.read);
      const neededMs = slowness * millisecondsFor(result);
      const begunAt = scheduler.now();
      try {
        for (let step = 1; step <= steps; step++) {
          await clock.sleep(Math.ceil(Math.min(neededMs, timeLimitSeconds * 1_000) / steps), signal);
          signal.throwIfAborted();
          onProgress?.({ percent: Math.floor((99 * step) / steps) });
          if (step === 2 && isBad(result)) throw failed(outputArguments, !isPart(result));
          // It reads during the whole run: through the proxy it notices that an object was replaced.
          if (step < steps) originOfOutput(command, disk.read);
        }
        if (neededMs > timeLimitSeconds * 1_000) throw overdue(timeLimitSeconds);
      } finally {
        log({ kind: 'encoded', app, invocation: id, jobId: invocation.jobId ?? '', begunAt, made: result });
      }
      const etag = `${scheduler.now()}-${id}-${++made}`;
      const sizeBytes = sizeOf(result);
      disk.write(outputArguments.at(-1) ?? '', { made: result, etag, sizeBytes });
      return { arguments: outputArguments, log: '' };
    },
  };
  const reading = { instead: rejecting('TRANSCODE_ERROR') };
  const packets: PacketReader = {
    readFrameIndex: (path) =>
      call('packetReader.readFrameIndex', async () => frameIndexOf(disk.read(path).made), reading),
    readAudioTiming: (path) =>
      call('packetReader.readAudioTiming', async () => audioTimingOf(disk.read(path).made), reading),
    readAudioRange: (path) =>
      call('packetReader.readAudioRange', async () => audioSpanOf(disk.read(path).made), reading),
  };
  return { media, packets };
}

function millisecondsFor(result: MediaOrigin): number {
  if (result.kind === 'joined') return joinMs;
  const input = parseInputUrl(sourceUrlOf(result));
  const { encodeMs } = input;
  if (input.kind === 'film' && result.kind === 'chunk')
    return (encodeMs * (result.toSeconds - result.fromSeconds)) / inputSeconds(input);
  if (result.kind === 'audio') return encodeMs / 10;
  return result.kind === 'chunk' ? encodeMs / 2 : encodeMs;
}

function sizeOf(result: MediaOrigin): number {
  if (result.kind === 'chunk') return movieOf(result).length;
  return parseInputUrl(sourceUrlOf(result)).kind === 'bulky' ? 5e9 : 50_000;
}

function isPart({ kind }: MediaOrigin): boolean {
  return kind === 'chunk' || kind === 'audio';
}

function isBad(result: MediaOrigin): boolean {
  const { kind } = parseInputUrl(sourceUrlOf(result));
  return kind === 'broken' || (kind === 'brokenChunk' && result.kind === 'chunk' && result.fromSeconds > 0);
}

/** An answer that rejects with a job error. */
export function rejecting(code: 'INPUT_UNREACHABLE' | 'TRANSCODE_ERROR'): () => Promise<never> {
  return async () => {
    throw new JobError(code, 'It did not work.', { retryable: true });
  };
}

function failed(args: string[], retryable: boolean): EncodeError {
  const message = 'It cannot be encoded.';
  return new EncodeError({ code: 'TRANSCODE_ERROR', message, retryable }, { arguments: args, log: message });
}

function overdue(seconds: number): JobError {
  return new JobError('TIMEOUT', `The encoding was ended after ${seconds} s`, { retryable: false });
}
