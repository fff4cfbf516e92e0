import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** The last frame of a GIF is often held, and an MP4 says how long only of the frame that is stored last. */
export function keepLastFrameArguments(video: VideoStream): string[] {
  return isGif(video) ? ['-bf', '0'] : [];
}

/**
 * Arguments that hold it until the output ends, in seconds, where the encoder forgets how long frames last. Only where
 * the length of the input is the sum of its frames: what was cut short must not look as long as it says it is.
 */
export function lastFrameDurationArguments(
  video: VideoStream,
  { codec, endSeconds }: { codec: VideoCodec; endSeconds: number | undefined },
): string[] {
  if (!isGif(video) || codec !== 'av1' || endSeconds === undefined) return [];
  const rest = `${endSeconds.toFixed(6)}/TB-PTS`;
  return ['-bsf:v', `setts=duration='if(eq(NEXT_PTS,NOPTS),max(DURATION,${rest}),DURATION)'`];
}

function isGif({ codec }: VideoStream): boolean {
  return codec === 'gif';
}
