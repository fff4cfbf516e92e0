import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import type { ReadAt } from '../media/boxes.ts';
import { type CommandInput, inputGuards } from '../media/ffmpeg/command.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import { isMedia, type PacketTimes } from '../media/probe/measured-duration.ts';
import type { Probe, Stream } from '../media/probe/probe.ts';
import { readWebpAnimation, withWebpAnimation } from '../media/probe/read-webp.ts';
import { isBroadcast, mainAudio, mainVideo } from '../media/probe/streams.ts';
import { readCueEndSeconds } from '../media/probe/subtitles.ts';
import { type CompleteSettings, readLines, runCommand } from './run.ts';

/** Larger than any real subtitle file. The rest of a larger file is ignored. */
const maxSubtitleBytes = 64 * 1024 * 1024;

/** Time limit of reading a whole source. The job's signal may end it earlier. */
const maxReadSeconds = 600;

type MeasuredFile = Pick<CommandInput, 'path' | 'isRemote'> & { probe: Probe };

/**
 * When the streams of a file end. Reads all packets without decoding, once; of a broadcast the main video and the main audio,
 * once each, since only ffmpeg follows timestamps that start again, and of several streams it reports the end of the first.
 */
export async function measureEnds(
  settings: CompleteSettings,
  file: MeasuredFile,
  signal: AbortSignal,
): Promise<PacketTimes> {
  if (!isBroadcast(file.probe)) return readPacketEnds(settings, file, signal);
  const ends = new Map<number, number>();
  for (const stream of [mainVideo(file.probe), mainAudio(file.probe)]) {
    const seconds = stream && (await copyToEnd(settings, { ...file, index: stream.index }, signal));
    if (seconds) ends.set(stream.index, seconds);
  }
  return { ends };
}

/** Arguments for ffprobe that print a line for each packet of a file, and then one for its start time. */
const packetTimeArguments = [
  ...['-show_entries', 'packet=stream_index,pts_time,dts_time,duration_time:format=start_time'],
  ...['-print_format', 'csv'],
];

/** Of a packet whose duration is missing, or rounded down from that of a false rate, as in FLV. */
const maxMissingSeconds = 0.002;

/** A frame before a pause may be shown for longer than the one behind it. */
const maxFrameSeconds = 0.25;

/** A clock that starts again steps back by more than this, to its start or this much behind it. */
const restartToleranceSeconds = 1;

/** Finds the ends of all streams from ffprobe's output: `add` each line, then `finish`. */
export function packetEndParser({ streams, mediaStartSeconds = 0 }: Pick<Probe, 'streams' | 'mediaStartSeconds'>): {
  add(line: string): void;
  finish(): PacketTimes;
} {
  const last = new Map<number, { time: number; first: number; decodeTime: number; end: number; distance: number }>();
  const clocked = new Set(streams.filter(isMedia).map(({ index }) => index));
  let startSeconds = 0;
  let restart: number | undefined;
  const endOf = ({ index, kind }: Stream): number => {
    const { time, end, distance } = last.get(index) ?? { time: 0, end: startSeconds, distance: 0 };
    return kind === 'video' && end - time < maxMissingSeconds ? Math.max(end, time + distance) : end;
  };
  return {
    add(line) {
      const [kind, ...fields] = line.split(',');
      // ffprobe prints `N/A` for an unknown value.
      if (kind === 'format') startSeconds = (Number(fields[0]) || 0) + mediaStartSeconds;
      if (kind !== 'packet') return;
      const [index = 0, pts = Number.NaN, dts = Number.NaN, duration = Number.NaN] = fields.map(Number);
      const time = Number.isNaN(pts) ? dts : pts;
      if (Number.isNaN(time)) return;
      const decodeTime = Number.isNaN(dts) ? pts : dts;
      const before = last.get(index) ?? { time, first: decodeTime, decodeTime, end: time, distance: 0 };
      const isStart = decodeTime < before.first + restartToleranceSeconds;
      const isRestart = isStart && decodeTime < before.decodeTime - restartToleranceSeconds;
      if (isRestart && clocked.has(index)) restart ??= before.end;
      last.set(index, {
        first: before.first,
        time: Math.max(time, before.time),
        decodeTime,
        end: Math.max(before.end, time + (duration || 0)),
        distance: Math.min(maxFrameSeconds, Math.max(0, decodeTime - before.decodeTime)),
      });
    },
    finish: () => ({
      ends: new Map(streams.map((stream) => [stream.index, Math.max(0, endOf(stream) - startSeconds)])),
      ...(restart !== undefined && { restartSeconds: restart - startSeconds }),
    }),
  };
}

async function readPacketEnds(
  settings: CompleteSettings,
  { path, isRemote = false, probe }: MeasuredFile,
  signal: AbortSignal,
): Promise<PacketTimes> {
  const guards = inputGuards(settings.encoderLimits, { isRemote });
  const call = {
    path: settings.ffprobePath,
    arguments: ['-loglevel', 'level+warning', ...guards, ...packetTimeArguments, path],
    directory: tmpdir(),
    remote: isRemote ? [path] : [],
  };
  const parser = packetEndParser(probe);
  const options = { ...settings, signal, timeLimitSeconds: maxReadSeconds };
  const finished = await readLines(call, options, parser.add);
  if (finished.exitCode !== 0 || finished.termination) throw classifyFailure(finished);
  return parser.finish();
}

async function copyToEnd(
  settings: CompleteSettings,
  { index, probe: _, ...input }: MeasuredFile & { index: number },
  signal: AbortSignal,
): Promise<number> {
  let seconds = 0;
  const outputArguments = ['-map', `0:${index}`, '-c', 'copy', '-f', 'null', '-'];
  await runCommand(
    settings,
    { inputs: [input], outputArguments },
    {
      directory: tmpdir(),
      signal,
      timeLimitSeconds: maxReadSeconds,
      stallSeconds: settings.probeSeconds,
      onReport: (report) => {
        seconds = Math.max(seconds, report.seconds ?? 0);
      },
    },
  );
  return seconds;
}

/** End of the last cue of an SRT or WebVTT file in seconds; undefined for a file without cues. */
export async function measureCues(path: string): Promise<number | undefined> {
  const input = createReadStream(path, { encoding: 'utf8', end: maxSubtitleBytes - 1 });
  let last: number | undefined;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = readCueEndSeconds(line);
    if (end !== undefined) last = Math.max(last ?? 0, end);
  }
  return last;
}

/** Adds the frame size and duration of an animated WebP, which ffprobe does not report. */
export async function measureWebp(probe: Probe, readAt: ReadAt): Promise<Probe> {
  const animation = await readWebpAnimation(readAt);
  return animation ? withWebpAnimation(probe, animation) : probe;
}
