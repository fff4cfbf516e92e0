import * as z from 'zod';
import { hdrMetadataOf, hdrTransferOf, luminanceSchema } from './ffprobe-output.ts';
import { withFrameRate, withMeasuredRate } from './measured-rate.ts';
import type { Probe, VideoStream } from './probe.ts';
import { mayMisstateRate, mayStateFieldRate } from './stated-properties.ts';
import { isBroadcast, mainVideo } from './streams.ts';
import { turnSchema, withFrameTurn } from './turn.ts';

/** The first frames of a stream, for what no header has, and the sequence header of MPEG-2. */
export type FrameReading = { stream: number; frames: number; readsSequenceHeader?: true };

/** Codecs whose containers often do not state that frames are interlaced: each frame does. */
const codecsWithInterlacedFrames = ['dvvideo', 'mpeg4', 'mpeg2video', 'mjpeg', 'vc1', 'ffv1', 'v210', 'rawvideo'];

/** Packets: each may be a single field. */
const packetsOfFieldRate = 24;

/**
 * Codecs whose frames may state an orientation. DVB (ETSI TS 101 154) states the transfer of SDR in their headers, and HLG in
 * a message of each keyframe.
 */
const codecsWithTurn = ['h264', 'hevc'];

/** More than one: the second may be predicted. */
const framesOfTurn = 4;

/** Codecs whose frames may carry closed captions (ATSC A/53 part 4). */
const codecsWithCaptions = ['h264', 'hevc', 'mpeg2video'];

const framesOfInterlacing = 10;

/** A second: MPEG-2 may code a still start of an interlaced video as progressive frames. */
const framesOfSegmentation = 30;

/** Two thirds of a second at 60 frames per second: of CEA-708, each frame has captions or an empty packet of them. */
const framesOfCaptions = 40;

/**
 * The frames to read of the main video; undefined if its headers say all. PQ has its peak in the first frame: HEVC has it
 * only there.
 */
export function frameReading(
  probe: Probe,
  { readsCaptions = false }: { readsCaptions?: boolean | undefined },
): FrameReading | undefined {
  const video = mainVideo(probe);
  if (video === undefined || video.framesPerSecond === undefined) return undefined;
  const { codec, index: stream, isInterlaced, hasUnknownFieldOrder = false } = video;
  const mayBeInterlaced = isInterlaced || hasUnknownFieldOrder || codecsWithInterlacedFrames.includes(codec);
  const frames = Math.max(
    codecsWithTurn.includes(codec) ? framesOfTurn : 0,
    video.hdrTransfer === 'pq' ? 1 : 0,
    isInterlaced || codec === 'mpeg2video' ? framesOfSegmentation : 0,
    mayBeInterlaced ? framesOfInterlacing : 0,
    mayBeInterlaced && mayStateFieldRate(probe, video) ? packetsOfFieldRate : 0,
    readsCaptions && codecsWithCaptions.includes(codec) ? framesOfCaptions : 0,
  );
  if (frames === 0) return undefined;
  return { stream, frames, ...(codec === 'mpeg2video' && { readsSequenceHeader: true }) };
}

const entries = [
  'packet=flags',
  'frame=interlaced_frame,best_effort_timestamp_time,color_transfer,pict_type',
  'frame_side_data=side_data_type,max_content,max_luminance,rotation,displaymatrix',
].join(':');

export function frameArguments({ stream, frames, readsSequenceHeader }: FrameReading): string[] {
  return [
    ...['-print_format', 'json', '-select_streams', String(stream), '-read_intervals', `%+#${frames}`],
    ...['-show_entries', readsSequenceHeader ? `stream=extradata:${entries}` : entries],
    ...(readsSequenceHeader ? ['-show_data'] : []),
  ];
}

const sideDataSchema = z.object({
  ...luminanceSchema.shape,
  ...turnSchema.shape,
  side_data_type: z.string().optional().catch(undefined),
});
const packetSchema = z.object({ type: z.literal('packet'), flags: z.string().optional() });
const frameSchema = z.object({
  type: z.literal('frame'),
  interlaced_frame: z.unknown().optional(),
  best_effort_timestamp_time: z.coerce.number().optional().catch(undefined),
  color_transfer: z.string().optional().catch(undefined),
  pict_type: z.string().optional(),
  side_data_list: z.array(sideDataSchema).optional(),
});
const answerSchema = z.object({
  packets_and_frames: z.array(z.union([packetSchema, frameSchema])),
  streams: z.array(z.object({ extradata: z.string().optional() })).optional(),
});

/** Whether a recording of a broadcast begins between keyframes, by the output of `frameArguments`: nothing decodes before the first one. */
export function startsWithoutKeyframe({ container }: Pick<Probe, 'container'>, json: string): boolean {
  const [first] = answerSchema.parse(JSON.parse(json)).packets_and_frames.filter(({ type }) => type === 'packet');
  return isBroadcast({ container }) && first?.type === 'packet' && first.flags?.includes('K') === false;
}

/** More than the distance of keyframes in a broadcast. */
const maxPacketsBeforeKeyframe = 600;

/** Arguments of ffprobe that list the first packets of a stream, for `fromKeyframe`. */
export function keyframeArguments({ stream }: FrameReading): string[] {
  const selected = ['-select_streams', String(stream), '-read_intervals', `%+#${maxPacketsBeforeKeyframe}`];
  return [...selected, '-show_entries', 'packet=pts_time,flags', '-print_format', 'csv=p=0'];
}

/** The probe with the stream from its first keyframe on, and the reading of as many frames from there. */
export function fromKeyframe(
  probe: Probe,
  reading: FrameReading,
  csv: string,
): { probe: Probe; reading: FrameReading } {
  const packets = csv.split('\n').map((line) => line.split(','));
  const before = packets.findIndex(([, flags]) => flags?.includes('K'));
  const lateSeconds = Number(packets[before]?.[0]) - (probe.startTimestampSeconds ?? 0);
  if (!(lateSeconds > 0)) return { probe, reading };
  const streams = probe.streams.map((stream) => {
    if (stream.index !== reading.stream || lateSeconds < stream.startSeconds) return stream;
    const durationSeconds = stream.durationSeconds && stream.durationSeconds + stream.startSeconds - lateSeconds;
    return { ...stream, startSeconds: lateSeconds, durationSeconds };
  });
  return { probe: { ...probe, streams }, reading: { ...reading, frames: reading.frames + before } };
}

/** Whether frames need others, by the same output. */
export function hasPredictedFrames(json: string): boolean {
  const { packets_and_frames: read } = answerSchema.parse(JSON.parse(json));
  return read.some((each) => each.type === 'frame' && (each.pict_type === 'P' || each.pict_type === 'B'));
}

/**
 * Adds to the stream what its first frames say, from ffprobe's output of `frameArguments`. A broadcast may start with a film
 * or a black frame, which are progressive, and continue with fields: if its header allows them, it counts as interlaced, at
 * the rate of its frames.
 */
export function withFrames(probe: Probe, { stream: index }: FrameReading, json: string): Probe {
  const { packets_and_frames: read, streams: [header] = [] } = answerSchema.parse(JSON.parse(json));
  const frames = read.filter((each) => each.type === 'frame');
  const packets = read.filter((each) => each.type === 'packet');
  const sideData = frames.flatMap((frame) => frame.side_data_list ?? []);
  const interlaced = frames.filter((frame) => frame.interlaced_frame === 1).length;
  const isProgressive = frames.length > 0 && interlaced === 0;
  const isMostlyInterlaced = interlaced > frames.length / 2;
  const mayHaveFields = interlaced > 0 || allowsFields(header?.extradata);
  const transfer = frames[0]?.color_transfer;
  const found = ({ isInterlaced, hdrTransfer, hdrMetadata: stated }: VideoStream): Partial<VideoStream> => ({
    hasUnknownFieldOrder: undefined,
    isInterlaced: isInterlaced || mayHaveFields,
    hasSegmentedFrames: (isInterlaced ? isProgressive : mayHaveFields && !isMostlyInterlaced) || undefined,
    hasCaptions: sideData.some(({ side_data_type: type }) => type === 'ATSC A53 Part 4 Closed Captions') || undefined,
    hdrMetadata: hdrTransfer === 'pq' ? hdrMetadataOf(sideData, stated) : undefined,
    hidesFirstFrames: packets[0]?.flags?.includes('D') || undefined,
    ...(hdrTransferOf(transfer) === 'hlg' && { colorTransfer: transfer, hdrTransfer: 'hlg' }),
  });
  const times = frames.flatMap(({ best_effort_timestamp_time: time }) => time ?? []);
  const streams = probe.streams.map((stream) => {
    if (stream.kind !== 'video' || stream.index !== index) return stream;
    const video = withFrameTurn({ ...stream, ...found(stream) }, frames[0] ?? {});
    const rated = mayStateFieldRate(probe, video) ? withFrameRate(video, times) : video;
    const hasFields = stream.isInterlaced || stream.hasUnknownFieldOrder;
    return hasFields && mayMisstateRate(probe) ? withMeasuredRate(rated, times, probe) : rated;
  });
  return { ...probe, streams };
}

/**
 * Whether `progressive_sequence` is 0 in the sequence extension of MPEG-2 (ISO 13818-2, 6.2.2.3), in ffprobe's hexadecimal
 * dump: an address, up to eight groups of two bytes, and the bytes as text in each line.
 */
function allowsFields(dump = ''): boolean {
  const bytes = dump.replace(/^[\da-f]{8}: (.{40}).*$/gm, '$1').replace(/\s/g, '');
  const [, flags] = /^(?:..)*?000001b51.(..)/.exec(bytes) ?? [];
  return flags !== undefined && (Number.parseInt(flags, 16) & 0b1000) === 0;
}
