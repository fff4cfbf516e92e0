import type { FfprobeStream } from './ffprobe-output.ts';
import type { Probe, Stream } from './probe.ts';

/**
 * Whether an audio track may have no packets: the header of a fragmented MP4 does not count them. Nothing tells an empty
 * track of MPEG-TS from an encrypted one, so such an input is rejected.
 */
export function mayBeEmpty(
  { nb_frames: packets }: Pick<FfprobeStream, 'nb_frames'>,
  { container }: Pick<Probe, 'container'>,
): boolean {
  return container.includes('mp4') && !packets;
}

/** Arguments for ffprobe that print a line for the first packet of a stream, and nothing for a stream without packets. */
export function firstPacketArguments({ index }: Pick<Stream, 'index'>): string[] {
  const selected = ['-select_streams', String(index), '-read_intervals', '%+#1'];
  return [...selected, '-show_entries', 'packet=stream_index', '-print_format', 'csv'];
}
