import { JobError } from '../errors.ts';
import type { EncoderSettings } from '../media/codecs/encoder-arguments.ts';
import { defaultPreset, type Preset, presets, type VideoCodec } from '../media/codecs/video-codecs.ts';
import type { Size } from '../media/frame-size.ts';
import type { VideoStream } from '../media/probe/probe.ts';
import { type Encoding, outputSizes } from './encoding.ts';

/** The memory of a worker, and the CPUs that it shows to ffmpeg. */
export type WorkerMemory = { sizeBytes: number; cpuCount: number };

/** Lambda kills the whole function at its memory size: the worker ends ffmpeg while there is room to report it. */
export const memoryReserve = 0.06;

const workerBytes = 250 * 2 ** 20;

/** What ffmpeg may use on a worker. */
export function availableBytes({ sizeBytes }: Pick<WorkerMemory, 'sizeBytes'>): number {
  return Math.max(0, sizeBytes * (1 - memoryReserve) - workerBytes);
}

/** Resident memory: megabytes at any size, and bytes for each pixel of a frame. */
type Measured = readonly [baseMb: number, bytesPerPixel: number];

/** An encoder as it is, and with `savesMemory`. Without `saving` that changes nothing. */
type ByMode = { usual: Measured; saving?: Measured };

/** Frames of 8 bits, at any size and for each pixel: a process that only decodes. */
const decoding: Measured = [29, 22];

/**
 * Each encoder on two CPUs, without decoding: output of `lab/encoder-memory.ts`. The lines of h264 and h265 are from
 * ffmpeg 7.0 and frames of 360p to 1080p and exceed 2160p by up to 7 %. Those of av1 are from 720p and 2160p, the larger of
 * SVT-AV1 2.0 and of 2.3, which takes a tenth more as it is and a tenth less when it saves memory. The line of vp9 is an
 * estimate from 360p and 720p at its fastest speed. A preset without a line has that of the next slower one.
 */
const encoders: Record<VideoCodec, Partial<Record<Preset, ByMode>> & { slower: ByMode }> = {
  h264: {
    ultrafast: { usual: [4, 51] },
    superfast: { usual: [7, 110] },
    veryfast: { usual: [9, 134] },
    faster: { usual: [12, 166], saving: [9, 134] },
    fast: { usual: [14, 198], saving: [8, 134] },
    medium: { usual: [16, 232], saving: [9, 137] },
    slow: { usual: [18, 270], saving: [9, 142] },
    slower: { usual: [23, 323], saving: [11, 166] },
  },
  h265: {
    ultrafast: { usual: [25, 201] },
    superfast: { usual: [29, 233] },
    faster: { usual: [49, 278], saving: [43, 246] },
    fast: { usual: [50, 278], saving: [43, 246] },
    medium: { usual: [69, 313], saving: [55, 246] },
    slow: { usual: [75, 347], saving: [55, 246] },
    slower: { usual: [114, 505], saving: [71, 296] },
  },
  vp9: { slower: { usual: [24, 165] } },
  av1: {
    fast: { usual: [164, 386], saving: [80, 266] },
    medium: { usual: [209, 407], saving: [70, 287] },
    slower: { usual: [238, 492], saving: [65, 318] },
  },
};

function measuredFor(codec: VideoCodec, preset: Preset): ByMode {
  const lines = encoders[codec];
  const slower = presets.slice(presets.indexOf(preset)).find((name) => lines[name] !== undefined);
  return (slower && lines[slower]) ?? lines.slower;
}

/** Threads for further CPUs hold frames: x264 with nine threads instead of three, as on six CPUs, takes a third more. */
const growthPerCpu = 0.08;
const measuredCpus = 2;

type Use = Pick<EncoderSettings, 'preset' | 'savesMemory'> & {
  codec: VideoCodec;
  /** Of each encoder. */
  sizes: readonly Size[];
  source: Size & { bitDepth: number };
  cpuCount: number;
};

/** The largest resident memory, in bytes, of an ffmpeg that decodes one video and encodes it to these sizes. */
export function peakMemoryBytes({ codec, sizes, source, cpuCount, ...settings }: Use): number {
  const { preset = defaultPreset[codec], savesMemory = false } = settings;
  const { usual, saving = usual } = measuredFor(codec, preset);
  const encoder = savesMemory ? saving : usual;
  const growth = 1 + growthPerCpu * Math.max(0, cpuCount - measuredCpus);
  const decoded = bytesOf(decoding, source) * (source.bitDepth > 8 ? 2 : 1);
  return sizes.reduce((sum, size) => sum + bytesOf(encoder, size) * growth, decoded);
}

function bytesOf([baseMb, bytesPerPixel]: Measured, { width, height }: Size): number {
  return baseMb * 2 ** 20 + bytesPerPixel * width * height;
}

/** The encoding as it fits, if need be with fewer buffered frames. @throws JobError `INPUT_TOO_LARGE` if neither fits */
export function fitMemory<Fitted extends Encoding>(
  encoding: Fitted,
  source: VideoStream,
  memory: WorkerMemory | undefined,
): Fitted {
  if (memory === undefined) return encoding;
  const sizes = outputSizes(encoding);
  const { cpuCount } = memory;
  const peakBytes = (savesMemory: boolean) => peakMemoryBytes({ ...encoding, savesMemory, sizes, source, cpuCount });
  const available = availableBytes(memory);
  if (peakBytes(false) <= available) return encoding;
  if (peakBytes(true) <= available) return { ...encoding, savesMemory: true };
  const { codec, preset = defaultPreset[codec] }: Encoding = encoding;
  const names = sizes.map(({ width, height }) => `${width}x${height}`).join(', ');
  const message =
    `Encoding ${names} with ${codec} and the preset ${preset} needs about ${megabytes(peakBytes(true))} MB of memory; ` +
    `the worker has ${megabytes(available)} MB for it. Choose a smaller frame size, fewer sizes, a faster preset or h264; ` +
    "the service's operator can raise transcoder.memoryMb, or set fargate";
  throw new JobError('INPUT_TOO_LARGE', message);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
