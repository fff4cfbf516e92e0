import { rejectInput } from '../../errors.ts';
import { copiedCodecs, copiedVideoArguments, formatsThatCopy } from '../../media/codecs/copied-codecs.ts';
import type { TimeRange } from '../../media/ffmpeg/seek.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import { fontExtension } from '../../media/probe/fonts.ts';
import type { AudioStream, Probe, Stream, SubtitleStream, VideoStream } from '../../media/probe/probe.ts';
import { describeCodecs, encryptedEntry, endSecondsOf, mainAudio, mainVideo } from '../../media/probe/streams.ts';
import { isTextTrack, subtitleTracks } from '../../media/probe/subtitles.ts';
import { addFrames } from '../../media/timecode.ts';
import { overlapsRange, selectAudioTracks } from '../audio/map-audio.ts';
import { audioTrackArguments, keepChapters, languageArguments, outputFile, timecodeArguments } from '../options.ts';
import type { CopyCheck, Plan, PlanInput } from '../plan.ts';
import { decodeCopy, decodeSeams, seamsOfCopy } from './seams.ts';

/** The containers whose timestamps a copy can rely on. AVI has none, and Ogg and ASF none of every frame. */
const readableContainers = ['mp4', 'matroska', 'mpegts', 'flv', 'mxf'];

type CopyOptions = {
  /** Indexes of the audio tracks to keep; default: all. */
  audioTracks?: readonly number[] | undefined;
  /** Seconds of the input. `start` is the time of a keyframe. */
  range?: TimeRange;
};

/**
 * A plan that copies the video, the audio tracks and the subtitles of the input without encoding.
 * @throws JobError `INPUT_UNSUPPORTED` if the format cannot hold one of the codecs
 */
export function copyStreams(input: PlanInput<unknown, VideoFormat>, { audioTracks, range }: CopyOptions): Plan {
  const { probe, format } = input;
  const alternative = range ? 'accuracy frame' : 'transcode';
  const video = requireCopyable(probe, format, alternative);
  const audio = selectAudioTracks(probe, audioTracks ?? 'all').filter(
    (track) => range === undefined || overlapsRange(probe, track, range),
  );
  for (const track of audio) requireCodec(track, format, alternative);
  const subtitles = keptSubtitles(probe, format);
  const durationSeconds = range ? range.end - range.start : endSecondsOf(probe, [video, ...audio]);
  const { width, height, codec } = video;
  const main = mainAudio({ ...probe, streams: audio });
  const { output, path } = outputFile(input, {
    durationSeconds,
    ...(!range && subtitles.length > 0 && { maxDurationSeconds: endSecondsOf(probe, subtitles) }),
    video: { codec, width, height },
    audio: main && { codec: main.codec, tracks: audio.length },
  });
  const outputArguments = [
    ...['-map', `0:${video.index}`, ...copiedVideoArguments(video, format)],
    ...audio.flatMap(({ index }) => ['-map', `0:${index}`]),
    ...['-c:a', 'copy'],
    ...subtitles.flatMap((track, position) => subtitleArguments(track, position, format)),
    ...fontArguments(probe, subtitles, format),
    ...(range ? rangeArguments(range) : endOfEdits(probe, [video, ...audio, ...subtitles])),
    ...(range && subtitles.length > 0 ? endCuesWith(range) : []),
    ...audioTrackArguments(audio, { audioTracks, format, keepsTitles: true }),
    ...languageArguments('s', subtitles, format, { keepsTitles: true }),
    ...defaultSubtitleArguments(subtitles, format),
    '-dn',
    ...keepChapters,
    ...timecodeArguments(range ? { timecode: timecodeAt(range.start, probe, video) } : probe, format),
    ...containerArguments(format),
    path,
  ];
  const options = range && range.start > 0 ? ['-ss', range.start.toFixed(6)] : [];
  const copiedStreams = [video, ...audio, ...subtitles].map((stream) => (range ? withinRange(stream, range) : stream));
  return {
    commands: [{ inputs: [{ path: input.inputPath, options }], outputArguments, durationSeconds }],
    outputs: [{ ...output, copiedStreams }],
    copyCheck: checkOf({ path, durationSeconds, alternative }, input, { video, audio, range }),
  };
}

/** Ends a copy of these streams where an edit list of MP4 ends them: ffmpeg copies all samples of a track. */
export function endOfEdits(probe: Probe, streams: readonly Stream[]): string[] {
  const endSeconds = probe.container.includes('mp4') ? endSecondsOf(probe, [...streams]) : undefined;
  return endSeconds === undefined ? [] : ['-t', endSeconds.toFixed(6)];
}

/** The start of a range is the seam of the copy: a source whose index is wrong does not decode there either. */
function checkOf(
  { path, durationSeconds, alternative }: { path: string; durationSeconds?: number | undefined; alternative: string },
  { inputPath }: Pick<PlanInput<unknown>, 'inputPath'>,
  { video, audio, range }: { video: VideoStream; audio: readonly Stream[]; range?: TimeRange | undefined },
): CopyCheck {
  const seams = seamsOfCopy(durationSeconds);
  const file = decodeCopy(path, range ? [0] : seams, { video, streams: ['v:0', 'a'] });
  const sourceStreams = [video, ...audio].map(({ index }) => String(index));
  return {
    file: [file],
    ...(!range && { source: decodeSeams(inputPath, seams, { streams: sourceStreams }) }),
    otherwise: () =>
      rejectInput(`The copy of the video does not decode${range ? ' at its start' : ''}. Use ${alternative}`),
  };
}

function withinRange(stream: Stream, { start, end }: TimeRange): Stream {
  const startSeconds = Math.max(0, stream.startSeconds - start);
  return { ...stream, startSeconds, durationSeconds: Math.max(0, end - start - startSeconds) };
}

function requireCopyable(probe: Probe, format: VideoFormat, alternative: string): VideoStream {
  const video = mainVideo(probe);
  if (video === undefined) rejectInput('This recipe needs a video stream; the input has none');
  if (!readableContainers.some((container) => probe.container.includes(container))) {
    rejectInput(
      `A copy needs the timestamps of MP4, MOV, MKV, WebM, MPEG-TS, FLV or MXF; the input is ${probe.container}. Use ${alternative}`,
    );
  }
  requireCodec(video, format, alternative);
  if (video.hidesFirstFrames && alternative === 'transcode' && !['mp4', 'mov'].includes(format)) {
    rejectInput(
      `An edit list of the input cuts it between keyframes, and ${format} has none. Use mp4 or mov, or transcode`,
    );
  }
  if (video.dolbyVision === 'incompatible' && format === 'mov') {
    rejectInput('mov cannot hold Dolby Vision without a compatible base layer (profile 5). Use mp4 or mkv');
  }
  return video;
}

/** What a copy would lose. */
const splices = {
  descriptions:
    'needs other decoder settings from some time on (several sample descriptions), and a copy keeps only the first',
  edits: 'is put together of several parts by an edit list, which a copy would not keep',
};

function requireCodec(stream: VideoStream | AudioStream, format: VideoFormat, alternative: string): void {
  const { kind, codec, index, splicedBy } = stream;
  const track = `The ${kind} of stream ${index}`;
  if (encryptedEntry.test(codec)) rejectInput(`${track} is ${describeCodecs([stream])}`);
  if (splicedBy) rejectInput(`${track} ${splices[splicedBy]}. Use ${alternative}`);
  if (copiedCodecs[format][kind].includes(codec)) return;
  const others = formatsThatCopy(kind, codec);
  const hint = others.length === 0 ? alternative : `${others.join(' or ')}, or ${alternative}`;
  rejectInput(`${format} cannot hold ${codec}, the ${kind} of stream ${index}, without encoding. Use ${hint}`);
}

/** Subtitles as images that Matroska stores. It has no codec ID for teletext and XSUB. */
const matroskaImages = ['dvb_subtitle', 'dvd_subtitle', 'hdmv_pgs_subtitle'];

/** The subtitles that the format can hold: text in all, images only in mkv. */
export function keptSubtitles(probe: Probe, format: VideoFormat): SubtitleStream[] {
  return subtitleTracks(probe).filter(
    (track) => isTextTrack(track) || (format === 'mkv' && matroskaImages.includes(track.codec)),
  );
}

function subtitleArguments(track: SubtitleStream, position: number, format: VideoFormat): string[] {
  const { subtitleEncoder } = copiedCodecs[format];
  // Matroska has no timed text of MP4, and no captions of a video stream.
  const encoder = subtitleEncoder ?? (['mov_text', 'eia_608', 'text'].includes(track.codec) ? 'srt' : 'copy');
  // ffmpeg's encoder would lose the positions of the cues.
  const isCopied = track.codec === 'webvtt' && encoder === 'webvtt';
  return ['-map', `0:${track.index}`, `-c:s:${position}`, isCopied ? 'copy' : encoder];
}

/**
 * Keeps which subtitles are the default, where ffmpeg would mark the first of several. With a disposition option ffmpeg marks no
 * audio track as the default either, so `-default_mode` has Matroska's muxer do that. The muxer of MP4 enables the first subtitles
 * if none are the default.
 */
function defaultSubtitleArguments(subtitles: readonly SubtitleStream[], format: VideoFormat): string[] {
  const isMatroska = format === 'mkv' || format === 'webm';
  return [
    ...subtitles.flatMap(({ isDefault }, position) => [
      `-disposition:s:${position}`,
      isDefault ? '+default' : '-default',
    ]),
    ...(isMatroska ? ['-default_mode', 'infer_no_subs'] : []),
  ];
}

/** The time code of the frame at a time. Undefined without one, and where frames cannot be counted: at a variable rate. */
function timecodeAt(
  seconds: number,
  { timecode }: Probe,
  { startSeconds, framesPerSecond = 0, baseFramesPerSecond: fps = framesPerSecond }: VideoStream,
): string | undefined {
  if (timecode === undefined || seconds <= startSeconds) return timecode;
  // The average of a camera is a little off.
  if (fps === 0 || Math.abs(framesPerSecond / fps - 1) > 0.01) return undefined;
  return addFrames(timecode, { frames: Math.round((seconds - startSeconds) * fps), fps });
}

/** Copies the fonts of styled subtitles, with names of our own: players find a font by the name inside it. */
function fontArguments(probe: Probe, subtitles: readonly SubtitleStream[], format: VideoFormat): string[] {
  if (format !== 'mkv' || !subtitles.some(({ codec }) => codec === 'ass' || codec === 'ssa')) return [];
  const fonts = probe.streams.flatMap((stream) =>
    stream.kind === 'attachment' && stream.fontType !== undefined
      ? [{ index: stream.index, type: stream.fontType }]
      : [],
  );
  return fonts.flatMap(({ index, type }, position) => [
    ...['-map', `0:${index}`, `-c:t:${position}`, 'copy'],
    ...[`-metadata:s:t:${position}`, `filename=font-${position + 1}.${fontExtension(type)}`],
    ...[`-metadata:s:t:${position}`, `mimetype=${type}`],
  ]);
}

/**
 * Starts at the keyframe of `start`, ends before `end`. Without `-copypriorss 0`, packets before it are kept that a seek
 * may land on. An open GOP starts with frames that need the GOP before it: they are dropped.
 */
function rangeArguments({ start, end }: TimeRange): string[] {
  return [
    ...['-copypriorss', '0', '-bsf:v', String.raw`noise=drop=lt(pts\,startpts)`],
    ...['-t', (end - start).toFixed(6)],
  ];
}

/** A cue that begins before the end of a range would show after it, and the file would last as long as the cue. */
function endCuesWith({ start, end }: TimeRange): string[] {
  return ['-bsf:s', `setts=pts=PTS:dts=DTS:duration='clip(DURATION,1,max(1,${(end - start).toFixed(6)}/TB-PTS))'`];
}
