import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import { atOutputRate, type RateChange } from '../../media/filters/deinterlace.ts';
import { exactRate } from '../../media/frame-rate.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/**
 * Filters of packets that state the constant frame rate of the source in an H.264 stream. x264 states the time base, such
 * as 12,800 ticks a second, which some players and analyzers take for the rate. A variable rate has no better one, and a
 * converted rate is the time base. x265 states the rate itself, VP9 and SVT-AV1 none.
 */
export function statedRateFilters(codec: VideoCodec, video: VideoStream, change: RateChange): string[] {
  const { framesPerSecond, baseFramesPerSecond } = atOutputRate(video, change);
  const isConstant = framesPerSecond !== undefined && framesPerSecond === baseFramesPerSecond;
  if (codec !== 'h264' || change.framesPerSecond !== undefined || !isConstant) return [];
  const [frames, seconds] = exactRate(framesPerSecond).exact.split('/').map(Number);
  // A tick is a field (ITU-T H.264, E.2.1).
  return [`h264_metadata=tick_rate=${2 * Number(frames)}/${seconds}`];
}
