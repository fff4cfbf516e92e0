import type { FfprobeStream } from './ffprobe-output.ts';

/**
 * Whether a track of PCM has separate channels, of which editing programs play the first two as left and right: one of
 * more than two whose file states no loudspeakers, in WAV or beside the video of an MXF, as in D-10. ffmpeg takes eight for
 * 7.1, with the third in the center. Six are 5.1 in most files, and so are the tracks of cinema in MXF without video.
 */
export function hasDiscreteChannels(
  { codec_name: codec, channels = 0, channel_layout: layout }: FfprobeStream,
  { container, hasVideo }: { container: string; hasVideo: boolean },
): boolean {
  const isStated = layout !== undefined && layout !== 'unknown';
  if (isStated || codec?.startsWith('pcm_') !== true || channels <= 2 || channels === 6) return false;
  return container === 'wav' || (container === 'mxf' && hasVideo);
}
