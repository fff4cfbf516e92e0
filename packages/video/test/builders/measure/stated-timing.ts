import { bareFfmpeg } from '../media/bare-ffmpeg.ts';

/** The timing that the headers of an H.264 or H.265 stream state. */
export type StatedTiming = { framesPerSecond: number; isFixed: boolean };

export async function statedTiming(path: string): Promise<StatedTiming> {
  const firstPacket = ['-map', '0:v:0', '-c', 'copy', '-frames:v', '1', '-bsf:v', 'trace_headers'];
  const log = await bareFfmpeg(['-i', path, ...firstPacket, '-f', 'null', '-']);
  const field = (name: string) => Number(new RegExp(`\\b(?:vui_)?${name} +[01]+ = (\\d+)`).exec(log)?.[1]);
  const ticksPerSecond = field('time_scale') / field('num_units_in_tick');
  const isH264 = log.includes('Sequence Parameter Set') && !log.includes('Video Parameter Set');
  return {
    // A tick is a field in H.264 and a frame in H.265.
    framesPerSecond: isH264 ? ticksPerSecond / 2 : ticksPerSecond,
    isFixed: field('fixed_frame_rate_flag') === 1,
  };
}
