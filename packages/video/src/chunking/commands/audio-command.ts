import { sourceFlows } from '../../cost-model/filter-cost.ts';
import { commandCost } from '../../cost-model/plan-cost.ts';
import { expectedSeconds, type Processors, spread } from '../../cost-model/processors.ts';
import { audioArguments } from '../../encoding/audio/map-audio.ts';
import { joinedAudioArguments } from '../../encoding/concat/concat-audio.ts';
import { dropOtherStreams, fullDynamicRange } from '../../encoding/options.ts';
import { type Argument, type Command, type CommandInput, concatListInput } from '../../media/ffmpeg/command.ts';
import { fromMediaStart, seekArguments } from '../../media/ffmpeg/seek.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { seekOptions, timelineOriginOptions } from '../frame-index/frame-index.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import type { AudioTask, TaskFiles, TaskWork } from '../plan/chunk-tasks.ts';
import { type ChunkedClip, outputTracks } from '../plan/chunked-clips.ts';
import { packetSeconds, type TrackChunk } from '../plan/cut-audio.ts';
import { maxTaskSeconds } from '../settings.ts';
import { clipsAudio } from './clips-audio.ts';

/** Encodes each track into a file, as in a single pass. Of a chunk, the lead-in and lead-out are left out. */
export function audioCommand(
  { source, encoding, format, timelineOrigin, clips }: WholeAudio & Pick<TaskWork, 'timelineOrigin'>,
  { tracks, chunk }: AudioTask,
  files: TaskFiles,
): Command {
  if (clips) return clipsCommand({ clips, encoding, format }, { tracks, chunk }, files);
  const { sources, isRemote, outputPath } = files;
  const [path = ''] = sources;
  const range = encoding.range;
  const { inputOptions, outputOptions } = seekArguments(source, range);
  const options = [...seekOptions(chunk ?? {}, timelineOrigin), ...timelineOriginOptions(timelineOrigin)];
  return {
    inputs: [
      {
        path,
        options: [...fullDynamicRange(source), ...(range ? fromMediaStart(inputOptions, source) : options)],
        isRemote,
      },
    ],
    outputArguments: [
      ...tracks.flatMap((track, file) => {
        const trackChunk = chunk?.tracks[file];
        return [
          ...audioArguments([track], { ...encoding, format, samples: trackChunk ? [trackChunk.source] : [] }),
          ...outputOptions,
          ...['-vn', ...dropOtherStreams],
          ...(trackChunk ? [...keepPackets(trackChunk, 'a'), ...moveToStart(trackChunk)] : []),
          ...audioContainer(format, track),
          outputPath(file),
        ];
      }),
      // A seek goes to a keyframe of the video, if ffmpeg reads it, and the audio decoder starts there.
      ...(range ? ['-map', `0:${requireVideo(source).index}`, '-c', 'copy'] : []),
      ...(range ? [...outputOptions, '-f', 'null', '-'] : []),
    ],
    durationSeconds: range ? range.end - range.start : (chunk?.durationSeconds ?? tracks[0]?.durationSeconds),
  };
}

function clipsCommand(
  { clips, encoding, format }: Pick<TaskWork, 'encoding' | 'format'> & { clips: readonly ChunkedClip[] },
  { tracks, chunk }: AudioTask,
  { outputPath, ...files }: TaskFiles,
): Command {
  const [track] = tracks;
  if (track === undefined) throw new TypeError('Expected a track');
  const trackChunk = chunk?.tracks[0];
  const { inputs, graph } = clipsAudio(clips, { chunk: trackChunk }, { ...files, firstInput: 0 });
  return {
    inputs,
    outputArguments: [
      ...['-filter_complex', graph, ...joinedAudioArguments(format, encoding.audioBitrateKbps)],
      ...['-vn', ...dropOtherStreams],
      ...(trackChunk ? [...keepPackets(trackChunk, 'a'), ...moveToStart(trackChunk)] : []),
      ...audioContainer(format, track),
      outputPath(0),
    ],
    durationSeconds: chunk?.durationSeconds ?? track.durationSeconds,
  };
}

/** Arguments that encode the tracks of a chunk beside its video in an output, at the times of the source. */
export function audioOfChunk(
  { encoding, format }: Pick<TaskWork, 'encoding' | 'format'>,
  { tracks, chunk }: AudioTask,
  output: number,
): Argument[] {
  const cut = chunk?.tracks ?? [];
  return [
    ...audioArguments(tracks, { ...encoding, format, output, samples: cut.map(({ source }) => source) }),
    ...cut.flatMap((track, index) => keepPackets(track, `a:${index}`)),
  ];
}

/** The same of clips, with the inputs that have their audio. `moveSeconds` is when the clip of the video starts. */
export function clipsAudioOfChunk(
  { clips, encoding, format }: Pick<TaskWork, 'encoding' | 'format'> & { clips: readonly ChunkedClip[] },
  { chunk }: AudioTask,
  { moveSeconds, ...files }: Parameters<typeof clipsAudio>[2] & { moveSeconds: number },
): { inputs: CommandInput[]; outputArguments: Argument[] } {
  const [track] = chunk?.tracks ?? [];
  if (track === undefined) throw new TypeError('Expected a chunk of one track');
  const moveSamples = Math.round(moveSeconds * track.sampleRateHz);
  const { inputs, graph } = clipsAudio(clips, { chunk: track, moveSamples }, files);
  const moved = { ...track, startSample: track.startSample - moveSamples };
  return {
    inputs,
    outputArguments: [
      ...['-filter_complex', graph, ...joinedAudioArguments(format, encoding.audioBitrateKbps)],
      ...keepPackets(moved, 'a:0'),
    ],
  };
}

function keepPackets(chunk: TrackChunk, specifier: string): string[] {
  const { firstPacket, endPacket, delaySamples, sampleRateHz } = chunk;
  // Half a packet earlier: the comparison does not depend on rounding.
  const bound = (packet: number) => (packetSeconds(chunk, packet - 0.5) - delaySamples / sampleRateHz).toFixed(6);
  const dropped = [
    ...(firstPacket === 0 ? [] : [`lt(pts*tb,${bound(firstPacket)})`]),
    ...(endPacket === undefined ? [] : [`gte(pts*tb,${bound(endPacket)})`]),
  ];
  return [`-bsf:${specifier}`, `noise=drop='${dropped.join('+')}'`];
}

/** Moves the start of the chunk to 0, where every container keeps the encoder delay. */
function moveToStart(chunk: TrackChunk): string[] {
  return ['-output_ts_offset', (-packetSeconds(chunk, chunk.firstPacket)).toFixed(6)];
}

/** The container of the output: it preserves the encoder delay. */
function audioContainer(format: VideoFormat, { sampleRateHz }: AudioStream): string[] {
  if (isMatroska(format)) return ['-f', 'matroska'];
  // The default movie timescale rounds the start of a late track to milliseconds.
  return ['-movie_timescale', String(sampleRateHz || 48_000), '-f', 'mp4'];
}

function isMatroska(format: VideoFormat): boolean {
  return format === 'mkv' || format === 'webm';
}

export function audioChunksInput(
  chunks: readonly (TrackChunk & { path: string })[],
  { format, areRemote }: { format: VideoFormat; areRemote?: boolean | undefined },
): CommandInput {
  const files = chunks.map((chunk) => {
    const { path, firstPacket, endPacket = firstPacket + 1 } = chunk;
    return { path, seconds: packetSeconds(chunk, endPacket) - packetSeconds(chunk, firstPacket) };
  });
  const list = concatListInput(files, { areRemote });
  if (isMatroska(format)) return list;
  // The parser of E-AC-3 makes a shorter last packet whole again.
  return { ...list, options: ['-fflags', '+noparse', ...(list.options ?? [])] };
}

/** Gives the packets of concatenated chunks the times of a single pass, by their numbers. The last may be shorter. */
export function renumberPackets(
  { startSample, delaySamples, packetSamples, sampleRateHz }: TrackChunk,
  specifier: string,
): string[] {
  const times = `ts=${startSample - delaySamples}+N*${packetSamples}`;
  const duration = `duration='if(eq(NEXT_PTS,NOPTS),round(DURATION*TB*${sampleRateHz}),${packetSamples})'`;
  return [`-bsf:${specifier}`, `setts=${times}:${duration}:time_base=1/${sampleRateHz}`];
}

export type WholeAudio = Pick<ChunkedWork, 'source' | 'encoding' | 'format'> & Pick<TaskWork, 'clips'>;

/** The wall seconds that the audio of an encoding in chunks is expected to take as one task. */
export function wholeAudioSeconds(work: WholeAudio, processors: Processors): number {
  const tracks = outputTracks(work);
  if (tracks.length === 0) return 0;
  const probes = work.clips?.map(({ source }) => source) ?? [work.source];
  const sources = [...probes.keys()].map(String);
  const timelineOrigin = { containerSeconds: 0, fileSeconds: 0 };
  const command = audioCommand({ ...work, timelineOrigin }, { tracks }, { sources, outputPath: String });
  const flows = new Map(probes.map((probe, number) => [String(number), sourceFlows(probe)]));
  return expectedSeconds(commandCost(command, flows), processors);
}

/** Why audio that is one task may need longer than a function has; undefined if it does not. */
export function longAudioReason(
  work: WholeAudio & Pick<ChunkedWork, 'audioChunks'>,
  processors: Processors,
): string | undefined {
  const seconds = work.audioChunks ? 0 : Math.ceil(wholeAudioSeconds(work, processors) * spread);
  return seconds <= maxTaskSeconds
    ? undefined
    : `its audio would take up to ${seconds} s as one task, and a function has ${maxTaskSeconds} s`;
}
