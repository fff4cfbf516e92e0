import { type FfprobeStream, ffprobeOutputSchema } from './ffprobe-output.ts';
import type { Probe } from './probe.ts';
import { isKnown, mainVideo } from './streams.ts';

/** As ffmpeg's log describes a stream of its first input. */
const loggedStream =
  /^ +Stream #0:(\d+)(?:\[0x([\da-f]+)\])?(?:\([^)]*\))?: (Video|Audio|Subtitle|Data|Attachment): (\w+)(?:.*?, ([\d.]+)(k?) tbn)?/gm;

type NumberedStream = { kind: string; codec: string; id: number | undefined; ticksPerSecond: number | undefined };

/**
 * Why a recipe would encode another stream than this probe describes: ffprobe and ffmpeg of different versions may number
 * streams differently. From 7 on, ffmpeg lists the still image of an animated AVIF before its track.
 * @param json output of `ffprobeArguments`
 * @param log of ffmpeg at level info, with the streams of the input
 */
export function describeOtherNumbering(probe: Probe, json: string, log: string): string | undefined {
  const { streams } = ffprobeOutputSchema.parse(JSON.parse(json));
  const logged = new Map([...log.matchAll(loggedStream)].map((match) => [Number(match[1]), readLogged(match)]));
  const video = mainVideo(probe);
  const used = probe.streams.filter(
    (stream) => stream === video || ((stream.kind === 'audio' || stream.kind === 'subtitle') && isKnown(stream)),
  );
  for (const { index, kind } of used) {
    const [stated, opened] = [streams.find((stream) => stream.index === index), logged.get(index)];
    if (stated === undefined || opened === undefined || isSame(readStated(stated), opened)) continue;
    return (
      `Stream ${index} of the input is ${kind} in ffprobe, and another stream in ffmpeg, which numbers the streams of this file ` +
      'in another way: a wrong one would be encoded. Install ffprobe and ffmpeg of the same version'
    );
  }
  return undefined;
}

function readLogged([, , id, kind = '', codec = '', ticks, thousands]: RegExpExecArray): NumberedStream {
  return {
    kind: kind.toLowerCase(),
    codec,
    id: id === undefined ? undefined : Number.parseInt(id, 16),
    ticksPerSecond: ticks === undefined ? undefined : Number(ticks) * (thousands ? 1000 : 1),
  };
}

function readStated({
  codec_type: kind = '',
  codec_name: codec = '',
  id,
  time_base: base,
}: FfprobeStream): NumberedStream {
  const [numerator = 1, denominator] = (base ?? '').split('/').map(Number);
  return { kind, codec, id, ticksPerSecond: denominator && denominator / numerator };
}

function isSame(one: NumberedStream, other: NumberedStream): boolean {
  const { id = other.id, ticksPerSecond: ticks = other.ticksPerSecond } = one;
  // The log rounds them.
  const difference = Math.abs((ticks ?? 0) - (other.ticksPerSecond ?? ticks ?? 0));
  const hasSameTicks = difference <= 0.005 + 0.01 * (ticks ?? 0);
  return one.kind === other.kind && one.codec === other.codec && id === (other.id ?? id) && hasSameTicks;
}
