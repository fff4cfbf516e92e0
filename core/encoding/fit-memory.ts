import { JobError } from '../errors.ts';
import { availableBytes, peakMemoryBytes, type WorkerMemory } from '../media/codecs/encoder-memory.ts';
import { defaultPreset } from '../media/codecs/video-codecs.ts';
import type { VideoStream } from '../media/probe/probe.ts';
import { type Encoding, outputSizes } from './encoding.ts';

/**
 * The encoding as it fits into the worker's memory: unchanged if it does, otherwise with fewer buffered frames. Without
 * `memory` there is no limit.
 * @throws JobError `INPUT_TOO_LARGE` if neither fits
 */
export function fitMemory<Fitted extends Encoding>(
  encoding: Fitted,
  source: VideoStream,
  memory: WorkerMemory | undefined,
): Fitted {
  if (memory === undefined) return encoding;
  const sizes = outputSizes(encoding);
  const { cpuCount } = memory;
  const peakBytes = (savesMemory: boolean) =>
    peakMemoryBytes({ ...encoding, savesMemory, sizes, source, cpuCount });
  const available = availableBytes(memory);
  if (peakBytes(false) <= available) return encoding;
  if (peakBytes(true) <= available) return { ...encoding, savesMemory: true };
  const { codec, preset = defaultPreset[codec] }: Encoding = encoding;
  const names = sizes.map(({ width, height }) => `${width}x${height}`).join(', ');
  const message =
    `Encoding ${names} with ${codec} and the preset ${preset} needs about ${megabytes(peakBytes(true))} MB of memory; ` +
    `the worker has ${megabytes(available)} MB for it. Choose a smaller frame size, fewer sizes, a faster preset or h264; ` +
    "the service's operator can raise transcoder.memoryMb";
  throw new JobError('INPUT_TOO_LARGE', message);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
