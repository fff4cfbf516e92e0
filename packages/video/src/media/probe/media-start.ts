import type { FfprobeStream } from './ffprobe-output.ts';
import { isMedia } from './measured-duration.ts';
import type { Probe } from './probe.ts';
import { endSecondsOf, isBroadcast, isKnown, streamsOfProgram } from './streams.ts';

/**
 * The probe of a file with times from its first video or audio, of the program with its main video. The file itself may
 * start earlier: with another program, teletext, subtitles, or audio that ffmpeg cannot decode.
 * @param fileStart timestamp in seconds from which its times count
 */
export function fromMediaStart(
  probe: Probe,
  { streams, fileStart }: { streams: readonly FfprobeStream[]; fileStart: number },
): Probe {
  const start = Math.max(fileStart, mediaStart(probe, streams) ?? fileStart);
  const mediaStartSeconds = start - fileStart;
  const isMoved = mediaStartSeconds > 0;
  const isStated = isMoved || (isBroadcast(probe) && start > 0);
  const file = { ...probe, ...(isStated && { startTimestampSeconds: start }) };
  if (!isMoved) return file;
  const streamsFromStart = probe.streams.map((stream) => ({
    ...stream,
    startSeconds: Math.max(0, stream.startSeconds - mediaStartSeconds),
  }));
  const moved = { ...file, mediaStartSeconds, streams: streamsFromStart };
  return { ...moved, durationSeconds: endSecondsOf(moved, streamsOfProgram(moved).filter(isMedia)) };
}

function mediaStart(probe: Probe, streams: readonly FfprobeStream[]): number | undefined {
  const own = streamsOfProgram(probe)
    .filter((stream) => isMedia(stream) && isKnown(stream))
    .map(({ index }) => index);
  const starts = streams.filter(({ index }) => own.includes(index)).flatMap((each) => each.start_time ?? []);
  return starts.length === 0 ? undefined : Math.min(...starts);
}
