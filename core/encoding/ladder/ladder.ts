import { evenSize, fitInside, requireEncodableSize, type Size } from '../../media/frame-size.ts';
import type { VideoStream } from '../../media/probe/probe.ts';

/** One size in which a stream is offered. */
export type Rendition = Size & {
  /** By its shorter side, as people say it: `1080p`. */
  name: string;
  /** What its bit rate never exceeds for long. */
  maxRateKbps: number;
};

const shorterSides = [2160, 1440, 1080, 720, 480, 360];

// Two rungs closer than this look alike and cost twice.
const closest = 0.8;

/**
 * The sizes to offer of a video, largest first: its own as far as `most` pixels of its shorter side allow, and the
 * usual ones below. Never larger than the video.
 */
export function buildLadder(video: VideoStream, most: number): [Rendition, ...Rendition[]] {
  const own = Math.min(video.width, video.height);
  const top = Math.min(own, most);
  const sides: number[] = [];
  for (const side of shorterSides) if (side <= (sides.at(-1) ?? top) * closest) sides.push(side);
  return [rungOf(video, top), ...sides.map((side) => rungOf(video, side))];
}

function rungOf(video: VideoStream, shorterSide: number): Rendition {
  const side = video.width < video.height ? 'width' : 'height';
  const size = requireEncodableSize(evenSize(fitInside(video, { [side]: shorterSide })));
  const name = `${Math.min(size.width, size.height)}p`;
  return { ...size, name, maxRateKbps: maxRateKbps(size, video.framesPerSecond ?? 0) };
}

/**
 * 5 Mbit/s at 1080p, and less below it by the power law that published ladders follow closely; fast pictures differ
 * less from one to the next, so that twice as many need less than twice the rate.
 */
function maxRateKbps({ width, height }: Size, framesPerSecond: number): number {
  const atOrdinaryRates = 5000 * ((width * height) / (1920 * 1080)) ** 0.75;
  return Math.max(100, Math.round((framesPerSecond > 32 ? 1.4 : 1) * atOrdinaryRates));
}
