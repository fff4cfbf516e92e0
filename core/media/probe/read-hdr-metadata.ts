import * as z from 'zod';
import type { HdrMetadata, Probe, VideoStream } from './probe.ts';
import { mainVideo } from './streams.ts';

/** The PQ stream whose peak must be read from its first frame: HEVC has it only there. */
export function pqVideo(probe: Probe): VideoStream | undefined {
  const video = mainVideo(probe);
  return video?.hdrTransfer === 'pq' ? video : undefined;
}

/** Arguments for the content light level and the mastering display of the first frame of a stream. */
export function hdrMetadataArguments({ index }: VideoStream): string[] {
  return [
    ...['-print_format', 'json', '-select_streams', String(index), '-read_intervals', '%+#1'],
    ...['-show_entries', 'frame_side_data=max_content,max_luminance'],
  ];
}

const nits = z.unknown().optional().transform(readNits);
const sideDataSchema = z.object({ max_content: nits, max_luminance: nits });
const answerSchema = z.object({
  frames: z.array(z.object({ side_data_list: z.array(sideDataSchema).optional() })),
});

/** Adds the metadata from ffprobe's output of `hdrMetadataArguments` to the stream of that index. */
export function withHdrMetadata(probe: Probe, { index }: VideoStream, json: string): Probe {
  const sideData = answerSchema.parse(JSON.parse(json)).frames.flatMap((frame) => frame.side_data_list ?? []);
  const hdrMetadata: HdrMetadata = {
    maxContentNits: sideData.find((data) => data.max_content !== undefined)?.max_content,
    masteringPeakNits: sideData.find((data) => data.max_luminance !== undefined)?.max_luminance,
  };
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' && stream.index === index ? { ...stream, hdrMetadata } : stream,
  );
  return { ...probe, streams };
}

/** `1000` or the ratio `10000000/10000`; undefined for 0 and for other text. */
function readNits(value: unknown): number | undefined {
  const [numerator = Number.NaN, denominator = 1] = String(value).split('/').map(Number);
  const found = numerator / denominator;
  return Number.isFinite(found) && found > 0 ? found : undefined;
}
