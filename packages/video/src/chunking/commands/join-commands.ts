import { isLadderEncoding } from '../../encoding/encoding.ts';
import { fragmentArguments } from '../../encoding/ladder/packaging.ts';
import { audioTrackArguments, dropOtherStreams, languageArguments } from '../../encoding/options.ts';
import type { PlannedOutput } from '../../encoding/plan.ts';
import { lastFrameUntil, statedEndSeconds } from '../../encoding/video/frame-times.ts';
import { codecTagArguments, projectionArguments } from '../../media/codecs/encoder-arguments.ts';
import { type Command, type CommandInput, concatListInput } from '../../media/ffmpeg/command.ts';
import { containerArguments } from '../../media/formats.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { ticksToSeconds } from '../frame-index/frame-index.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import { chunkedRenditions, firstAudioTask } from '../plan/chunk-tasks.ts';
import { outputTracks } from '../plan/chunked-clips.ts';
import type { Chunk } from '../plan/cut-video.ts';
import { audioChunksInput, renumberPackets } from './audio-command.ts';

export type JoinedVideo = {
  name: string;
  path: string;
  /** The finished file that has the audio to verify. Left out where there is none, or where another rendition has it. */
  audioPath?: string | undefined;
};

export type JoinCommands = {
  commands: Command[];
  /** What the commands write, in the order of the renditions. */
  videos: JoinedVideo[];
};

export type JoinFiles = {
  /** Path or URL of a file of a task, both by their numbers. */
  taskFile(task: number, file: number): string;
  /** Whether those are URLs of a range proxy. */
  isRemote?: boolean;
  directory: string;
};

export type JoinWork = Pick<
  ChunkedWork,
  'source' | 'format' | 'encoding' | 'chunks' | 'clips' | 'audioChunks' | 'hasFinalFragments' | 'frameTimes' | 'outputs'
>;

/** A track, the input that has it, and arguments for its packets by the specifier of the output stream. */
type Audio = { track: AudioStream; input: CommandInput; packetArguments(specifier: string): string[] };

/** The commands that write all outputs from encoded chunks, without encoding: but for the renditions that S3 assembles. */
export function joinCommands(work: JoinWork, joined: JoinFiles): JoinCommands {
  const { encoding, chunks, outputs } = work;
  const { taskFile, isRemote, directory } = joined;
  const startSeconds = startSecondsOf(work);
  const videos = chunkedRenditions(work).map((rendition) =>
    concatInput(
      rendition.chunks.map(({ chunk, task, file }) => ({ chunk, path: taskFile(task, file) })),
      { areRemote: isRemote, startSeconds },
    ),
  );
  const audio = audioInputs(work, joined);
  const files = outputs.map((output) => ({ ...output, path: `${directory}/${output.filename}` }));
  if (encoding.segmenting !== undefined) {
    const isAudioOnly = work.hasFinalFragments === true;
    const command = packageCommand(work, { videos: isAudioOnly ? [] : videos, audio, files });
    return {
      commands: command.inputs.length === 0 ? [] : [{ ...command, durationSeconds: endSecondsOf(chunks) }],
      videos: packagedVideos(files),
    };
  }
  return {
    commands: files.map(({ path }, file) => ({
      ...joinCommand(work, { video: videos[file], audio, path }),
      durationSeconds: endSecondsOf(chunks),
    })),
    videos: files.map(({ name, path }) => ({ name, path, audioPath: audio.length === 0 ? undefined : path })),
  };
}

function audioInputs(work: JoinWork, { taskFile, isRemote }: JoinFiles): Audio[] {
  const { format, audioChunks = [] } = work;
  const firstTask = firstAudioTask(work);
  return outputTracks(work).map((track, file) => {
    const pathOf = (number: number) => taskFile(firstTask + number, file);
    const ofTrack = audioChunks.flatMap(({ tracks }) => tracks[file] ?? []);
    const [first] = ofTrack;
    if (first === undefined) {
      const input = { path: pathOf(0), isTrusted: true, isRemote };
      return { track, input, packetArguments: () => [] };
    }
    const located = ofTrack.map((chunk, number) => ({ ...chunk, path: pathOf(number) }));
    const input = audioChunksInput(located, { format, areRemote: isRemote });
    return { track, input, packetArguments: (specifier) => renumberPackets(first, specifier) };
  });
}

function joinCommand(
  work: JoinWork,
  { video, audio, path }: { video: CommandInput | undefined; audio: readonly Audio[]; path: string },
): Command {
  const { source, format, encoding } = work;
  const lastFrame = lastFrameUntil(requireVideo(source), encoding, { endSeconds: outputEndSeconds(work), format });
  return {
    inputs: [...(video ? [video] : []), ...audio.map(({ input }) => input)],
    outputArguments: [
      ...['-map', '0:v:0', '-c:v', 'copy', ...codecTagArguments(encoding.codec, format)],
      ...projectionArguments(requireVideo(source), isLadderEncoding(encoding) ? {} : encoding.transform),
      ...lastFrame,
      ...audio.flatMap(({ packetArguments }, index) => [
        ...['-map', `${index + 1}:a:0`, `-c:a:${index}`, 'copy'],
        ...packetArguments(`a:${index}`),
      ]),
      ...audioTrackArguments(
        audio.map(({ track }) => track),
        { audioTracks: encoding.audioTracks, format },
      ),
      ...dropOtherStreams,
      ...containerArguments(format),
      path,
    ],
  };
}

/** Writes each rendition, of which it concatenates the chunks, and each audio track into a file of a stream. */
function packageCommand(
  work: JoinWork,
  { videos, audio, files }: { videos: CommandInput[]; audio: readonly Audio[]; files: readonly Located[] },
): Command {
  const { source, encoding } = work;
  const pathOf = (number: number) => files.find(({ track }) => track?.number === number)?.path ?? '';
  const segmentSeconds = files.find(({ playlist }) => playlist)?.playlist?.segmentSeconds ?? 0;
  const renditions = chunkedRenditions(work);
  const video = requireVideo(source);
  // As in a single pass, whose playlists state the same end.
  const endSeconds = statedEndSeconds(source, video);
  const lastFrame = endSeconds === undefined ? [] : lastFrameUntil(video, encoding, { endSeconds, format: 'mp4' });
  return {
    inputs: [...videos, ...audio.map(({ input }) => input)],
    outputArguments: [
      ...renditions
        .slice(0, videos.length)
        .flatMap(({ codec }, file) => [
          ...['-map', `${file}:v:0`, '-c:v', 'copy', ...codecTagArguments(codec, 'mp4')],
          ...projectionArguments(video, {}),
          ...lastFrame,
          ...dropOtherStreams,
          ...fragmentArguments({ kind: 'video' }),
          pathOf(file),
        ]),
      ...audio.flatMap(({ track, packetArguments }, index) => [
        ...['-map', `${videos.length + index}:a:0`, '-c:a', 'copy', ...packetArguments('a')],
        ...languageArguments('a', [track], 'mp4'),
        ...dropOtherStreams,
        ...fragmentArguments({ kind: 'audio', segmentSeconds }),
        pathOf(renditions.length + index),
      ]),
    ],
  };
}

type Located = PlannedOutput & { path: string };

/** Each rendition has its own file, and so has the audio. The other outputs are playlists. */
function packagedVideos(files: readonly Located[]): JoinedVideo[] {
  const audio = files.find(({ expectation }) => expectation?.audio);
  return files
    .filter(({ expectation }) => expectation?.video)
    .map(({ name, path }, file) => ({ name, path, audioPath: file === 0 ? audio?.path : undefined }));
}

/** The chunks of a rendition as one input. `-copyts`: ffmpeg would move the start of a video that starts late to 0. */
function concatInput(
  chunks: readonly { chunk: Chunk; path: string }[],
  { startSeconds, ...options }: { areRemote?: boolean | undefined; startSeconds: number },
): CommandInput {
  // Differences of rounded times: to round each duration would accumulate drift.
  const microseconds = (seconds: number) => Math.round(seconds * 1e6);
  const files = chunks.map(({ chunk, path }) => ({
    path,
    seconds: (microseconds(chunk.startSeconds + chunk.durationSeconds) - microseconds(chunk.startSeconds)) / 1e6,
  }));
  const list = concatListInput(files, options);
  return { ...list, options: ['-copyts', '-itsoffset', startSeconds.toFixed(6), ...(list.options ?? [])] };
}

function startSecondsOf({ frameTimes: { firstPts, timeBase } }: JoinWork): number {
  return ticksToSeconds(firstPts, timeBase);
}

/** When the outputs end. Chunks count from the start of the source, outputs from that of a time range. */
function outputEndSeconds({ chunks, ...work }: JoinWork): number {
  return startSecondsOf({ chunks, ...work }) + (endSecondsOf(chunks) ?? 0) - (chunks[0]?.startSeconds ?? 0);
}

function endSecondsOf(chunks: readonly Chunk[]): number | undefined {
  const last = chunks.at(-1);
  return last && last.startSeconds + last.durationSeconds;
}
