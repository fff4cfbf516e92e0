import type { PacketReader } from '../../../core/chunks/ports.ts';
import { JobError } from '../../../core/errors.ts';
import { EncodeError } from '../../../core/media/encode-error.ts';
import type { Encoder } from '../../../core/media/ports.ts';
import type { Disk } from './disk.ts';
import type { Invocation } from './invocation.ts';
import { type Made, madeBy, picturesOf, probeOf, readUrl, soundOf, sourceOf } from './media.ts';
import type { World } from './world.ts';

const steps = 4;
const joinMs = 60;

/** A stand-in for ffmpeg and ffprobe: it takes its time, may fail, and stops when it is told to. */
export function encoderOf(
  { log, scheduler }: Pick<World, 'log' | 'scheduler'>,
  { app, id, jobId = '', call, clock }: Invocation,
  disk: Disk,
): { encoder: Encoder; packets: PacketReader } {
  let made = 0;
  const encoder: Encoder = {
    version: async () => 'ffmpeg version 7.1',
    filters: async () => new Set(['scale']),
    probe: (path, { of } = {}) =>
      call('encoder.probe', async () => probeOf(disk.read(path).made), {
        instead: refused(of === 'output' ? 'TRANSCODE_ERROR' : 'INPUT_UNREACHABLE'),
      }),
    run: async (command, { signal, timeLimitSeconds, onProgress }) => {
      const { outputArguments } = command;
      await call('encoder.run', async () => undefined, { instead: refused('TRANSCODE_ERROR') });
      const result = madeBy(command, disk.read);
      const neededMs = millisecondsFor(result);
      const begunAt = scheduler.now();
      try {
        for (let step = 1; step <= steps; step++) {
          await clock.sleep(Math.ceil(Math.min(neededMs, timeLimitSeconds * 1_000) / steps), signal);
          signal.throwIfAborted();
          onProgress?.({ percent: Math.floor((99 * step) / steps) });
          if (step === 2 && isBad(result)) throw failed(outputArguments, !isPart(result));
          // It reads all the while, and through a door finds that an object was replaced.
          if (step < steps) madeBy(command, disk.read);
        }
        if (neededMs > timeLimitSeconds * 1_000) throw overdue(timeLimitSeconds);
      } finally {
        log({ kind: 'encoded', app, invocation: id, jobId, begunAt, made: result });
      }
      const etag = `${scheduler.now()}-${id}-${++made}`;
      disk.write(outputArguments.at(-1) ?? '', { made: result, etag, sizeBytes: 50_000 });
      return { arguments: outputArguments, log: '' };
    },
  };
  const reading = { instead: refused('TRANSCODE_ERROR') };
  const packets: PacketReader = {
    pictures: (path) => call('packets.pictures', async () => picturesOf(disk.read(path).made), reading),
    sound: (path) => call('packets.sound', async () => soundOf(disk.read(path).made), reading),
  };
  return { encoder, packets };
}

function millisecondsFor(result: Made): number {
  if (result.kind === 'joined') return joinMs;
  const { encodeMs } = readUrl(sourceOf(result));
  if (result.kind === 'sound') return encodeMs / 10;
  return result.kind === 'chunk' ? encodeMs / 2 : encodeMs;
}

function isPart({ kind }: Made): boolean {
  return kind === 'chunk' || kind === 'sound';
}

function isBad(result: Made): boolean {
  const { kind } = readUrl(sourceOf(result));
  return kind === 'broken' || (kind === 'stubborn' && result.kind === 'chunk' && result.fromSeconds > 0);
}

/** What the program says where it could do its work no better. */
export function refused(code: 'INPUT_UNREACHABLE' | 'TRANSCODE_ERROR'): () => Promise<never> {
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
