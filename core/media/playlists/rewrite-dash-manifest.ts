import { signalledFps } from '../frame-rate.ts';
import type { SegmentRates } from './segment-rates.ts';

/** What the finished files tell of a stream: `seconds` is how long each of its segments plays. */
export type SegmentedStream = SegmentRates & {
  segmentDurationsSeconds: readonly number[];
  framesPerSecond?: number;
};

const ticksPerSecond = 1_000_000;

/**
 * A manifest that says of each segment when it is played. ffmpeg says one length of all, by which players would look for
 * a moment in the wrong place, the farther off the later it is. `streams` are by the names of their files.
 */
export function rewriteDashManifest(text: string, streams: ReadonlyMap<string, SegmentedStream>): string {
  const longest = Math.max(
    ...[...streams.values()].flatMap(({ segmentDurationsSeconds }) =>
      segmentDurationsSeconds.reduce(longer, 0),
    ),
  );
  return text
    .replace(/(?<=<MPD\b[^>]*\bprofiles=")[^"]*/, 'urn:mpeg:dash:profile:isoff-main:2011')
    .replace(/(?<=<MPD\b[^>]*\bmaxSegmentDuration=")[^"]*/, `PT${longest.toFixed(3)}S`)
    .replace(/(?<=<AdaptationSet\b[^>]*\bframeRate=")[^"]*/, (said) => saidRate(said, streams))
    .replace(/<Representation\b[\s\S]*?<\/Representation>/g, (representation) => {
      const stream = streams.get(/<BaseURL>([^<]*)/.exec(representation)?.[1] ?? '');
      return stream === undefined ? representation : finishedStream(representation, stream);
    });
}

function finishedStream(representation: string, { peak, segmentDurationsSeconds }: SegmentedStream): string {
  return representation
    .replace(/(?<=<Representation\b[^>]*\bbandwidth=")\d+/, String(Math.ceil(peak)))
    .replace(
      /<SegmentList timescale="\d+" duration="\d+"( startNumber="\d+")?>/,
      (_, start = '') =>
        `<SegmentList timescale="${ticksPerSecond}"${start}>\n${timeline(segmentDurationsSeconds)}`,
    );
}

/** Of a variable rate ffmpeg may say one that no player has. */
function saidRate(said: string, streams: ReadonlyMap<string, SegmentedStream>): string {
  const measured = [...streams.values()].find(({ framesPerSecond }) => framesPerSecond)?.framesPerSecond;
  const [frames = 0, seconds = 1] = said.split('/').map(Number);
  const baseFramesPerSecond = frames / seconds;
  return signalledFps({ baseFramesPerSecond, ...(measured && { framesPerSecond: measured }) }) ?? said;
}

/** Lengths that follow each other and are alike are written once. */
function timeline(seconds: readonly number[]): string {
  const runs: { length: number; count: number }[] = [];
  for (const each of seconds) {
    const length = Math.round(each * ticksPerSecond);
    const last = runs.at(-1);
    if (last?.length === length) last.count += 1;
    else runs.push({ length, count: 1 });
  }
  const entries = runs.map(({ length, count }, run) => {
    const begin = run === 0 ? 't="0" ' : '';
    const repeated = count === 1 ? '' : ` r="${count - 1}"`;
    return `<S ${begin}d="${length}"${repeated} />`;
  });
  return `<SegmentTimeline>${entries.join('')}</SegmentTimeline>`;
}

function longer(one: number, other: number): number {
  return Math.max(one, other);
}
