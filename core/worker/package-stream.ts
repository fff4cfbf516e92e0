import { keyframeIntervalFor, minSegmentSeconds, type PlannedOutput } from '@media-jobs/video/encoding';
import type { FileRewriter, Workspace } from '@media-jobs/video/ffmpeg';
import {
  type AudioTrack,
  type ClearFile,
  carriesCaptions,
  dashManifest,
  type EncryptedLayout,
  encryptedLayout,
  encryptSegments,
  type FragmentedFile,
  fragmentSamples,
  groupIntoSegments,
  type MeasuredAudio,
  type MeasuredSet,
  type MeasuredSubtitles,
  type MeasuredVideo,
  masterPlaylist,
  maxFrameRate,
  mediaFile,
  mediaPlaylist,
  type PlannedPlaylist,
  rateTracks,
  readFragmentedFile,
  type Segment,
  type SegmentCipher,
  type StreamEncryption,
  type SubtitleTrack,
  subtitleSegmentsFile,
  type Unrated,
  type VideoTrack,
} from '@media-jobs/video/media';
import { mainAudio, mainVideo, type Probe } from '@media-jobs/video/probe';
import { contentKeyOf } from '../jobs/content-key.ts';
import type { StoringPorts } from './ports.ts';
import type { WorkerContext } from './worker-context.ts';

/** A finished file, verified against its plan. */
export type MeasuredOutput = {
  planned: PlannedOutput;
  path: string;
  sizeBytes: number;
  /** Undefined for a playlist, and for a file that ffmpeg did not write. */
  probe?: Probe;
  /** Set for an object that S3 assembled: nothing is at `path`. */
  fragments?: MeasuredFragments;
};

/** A rendition of a stream, as far as playlists state it. */
type MeasuredFragments = {
  file: FragmentedFile;
  /** Each fragment up to the end of its keyframe. */
  keyframes: readonly Segment[];
  /** When each frame is shown, in ascending order. */
  frameSeconds: readonly number[];
  hasCaptions: boolean;
};

async function measureFragments(
  workspace: { openFile: FileRewriter['openFile'] },
  path: string,
  track: VideoTrack,
): Promise<MeasuredFragments> {
  await using open = await workspace.openFile(path);
  const file = await readFragmentedFile(open.readAt);
  const fragments = [];
  for (const fragment of file.fragments)
    fragments.push({ ...fragment, samples: await fragmentSamples(open.readAt, fragment) });
  return {
    file,
    keyframes: fragments.map(({ offset, seconds, samples: [keyframe] }): Segment => {
      const sizeBytes = keyframe === undefined ? 0 : keyframe.offset + keyframe.sizeBytes;
      return { offset, seconds, sizeBytes };
    }),
    frameSeconds: fragments.flatMap(({ samples }) =>
      samples.map(({ pts }) => pts / file.ticksPerSecond).toSorted((one, other) => one - other),
    ),
    hasCaptions: track.hasCaptions === true && (await carriesCaptions(open.readAt, { ...file, fragments })),
  };
}

/** A rendition that S3 assembled where the job keeps it. */
export type StoredOutput = { sizeBytes: number; probe: Probe; fragments: MeasuredFragments };

export type WrittenOutputs = {
  /** The folder of the files, in a job of several outputs. */
  folder?: string | undefined;
  outputs: readonly PlannedOutput[];
  directory: string;
  workspace: Workspace;
  /** By their filenames. All other outputs are in the directory. */
  stored?: ReadonlyMap<string, StoredOutput> | undefined;
};

type Packaging = { workspace: Workspace; segmentSeconds: number; cipher: SegmentCipher | undefined };

type MeasuredTracks = {
  videos: Unrated<MeasuredVideo>[];
  audios: Unrated<MeasuredAudio>[];
  subtitles: Unrated<MeasuredSubtitles>[];
};

/**
 * Encrypts the media files of an adaptive stream, if its plan says so, and writes its playlists from their fragments. Returns
 * the files with their sizes after that.
 */
export async function packageStream(
  contentKeys: StoringPorts['contentKeys'],
  job: WorkerContext['job'],
  { written: { folder, outputs, directory, workspace }, media }: { written: WrittenOutputs; media: MeasuredOutput[] },
): Promise<MeasuredOutput[]> {
  const planned = outputs.flatMap(({ filename, playlist }) => (playlist ? [{ filename, ...playlist }] : []));
  const [first] = planned;
  if (first === undefined) throw new TypeError('An adaptive stream has a playlist');
  const { segmentSeconds, encryption } = first;
  const packaging = { workspace, segmentSeconds, cipher: await openCipher(contentKeys, job, { encryption, folder }) };
  const tracks: MeasuredTracks = { videos: [], audios: [], subtitles: [] };
  for (const output of media) await addTrack(tracks, output, packaging);
  const measured = measuredSet(tracks, { segmentSeconds, encryption });
  const texts = planned.map(({ filename, ...playlist }) => ({
    path: `${directory}/${filename}`,
    text: playlistText(measured, playlist),
  }));
  await Promise.all(texts.map(({ path, text }) => workspace.writeText(path, text)));
  return Promise.all(
    media.map(async (output) =>
      output.fragments ? output : { ...output, sizeBytes: await workspace.sizeBytes(output.path) },
    ),
  );
}

/** Replaces a file by one whose segments are encrypted; returns how byte ranges map to it. */
async function encryptFile(
  workspace: Workspace,
  path: string,
  { clear, cipher }: { clear: ClearFile; cipher: SegmentCipher },
): Promise<EncryptedLayout> {
  await using open = await workspace.openFile(path);
  await workspace.replaceFile(path, encryptSegments(open.readAt, clear, cipher));
  return encryptedLayout(clear);
}

/** The cipher of the stream in a folder, with its content key; undefined for a clear stream. */
async function openCipher(
  contentKeys: StoringPorts['contentKeys'],
  { ownerId, jobId, contentKey }: WorkerContext['job'],
  { encryption, folder }: { encryption: StreamEncryption | undefined; folder: string | undefined },
): Promise<SegmentCipher | undefined> {
  if (encryption === undefined) return undefined;
  if (contentKey === undefined) throw new TypeError(`The job ${jobId} has no content key`);
  const text = await contentKeys.decrypt(contentKey.encrypted, { ownerId, jobId: contentKey.jobId });
  const key = contentKeyOf(text, folder);
  if (key === undefined) throw new TypeError(`The job ${jobId} has no content key of ${folder}`);
  return { key: bytesOf(key), iv: encryption.iv === undefined ? undefined : bytesOf(encryption.iv) };
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}

/** Measures the track of an output, and encrypts its file. */
async function addTrack(tracks: MeasuredTracks, output: MeasuredOutput, packaging: Packaging): Promise<void> {
  const { track } = output.planned;
  switch (track?.kind) {
    case 'video':
      tracks.videos.push(await packageVideo(output, track, packaging));
      break;
    case 'audio':
      tracks.audios.push(await packageAudio(output, track, packaging));
      break;
    case 'subtitles':
      tracks.subtitles.push(await packageSubtitles(output, track, packaging));
      break;
  }
}

async function packageVideo(
  output: MeasuredOutput,
  track: VideoTrack,
  { workspace, segmentSeconds, cipher }: Packaging,
): Promise<Unrated<MeasuredVideo>> {
  const { width = 0, height = 0, framesPerSecond } = (output.probe && mainVideo(output.probe)) ?? {};
  const measured = output.fragments ?? (await measureFragments(workspace, output.path, track));
  const { file, keyframes, frameSeconds, hasCaptions } = measured;
  const segments = groupIntoSegments(file.fragments, minSegmentSeconds(segmentSeconds));
  const clear = { clearBytes: file.initBytes, segments };
  const encrypted = cipher && (await encryptFile(workspace, output.path, { clear, cipher }));
  return {
    ...track,
    file,
    segments: encrypted?.segments ?? segments,
    width,
    height,
    framesPerSecond,
    maxFramesPerSecond: maxFrameRate(frameSeconds, framesPerSecond),
    hasCaptions: hasCaptions || undefined,
    keyframes: encrypted ? keyframes.map(encrypted.rangeOf) : keyframes,
  };
}

async function packageAudio(
  { path, probe }: MeasuredOutput,
  track: AudioTrack,
  { workspace, cipher }: Packaging,
): Promise<Unrated<MeasuredAudio>> {
  const { sampleRateHz = 0 } = (probe && mainAudio(probe)) ?? {};
  await using open = await workspace.openFile(path);
  const file = await readFragmentedFile(open.readAt);
  const clear = { clearBytes: file.initBytes, segments: file.fragments };
  const { segments } = cipher ? await encryptFile(workspace, path, { clear, cipher }) : clear;
  return { ...track, file, segments, sampleRateHz };
}

async function packageSubtitles(
  { path, planned }: MeasuredOutput,
  track: SubtitleTrack,
  { workspace, cipher }: Packaging,
): Promise<Unrated<MeasuredSubtitles>> {
  const clear = { clearBytes: 0, segments: planned.textSegments ?? [] };
  const { segments } = cipher ? await encryptFile(workspace, path, { clear, cipher }) : clear;
  return { ...track, segments };
}

function measuredSet(
  { videos: [video, ...others], audios, subtitles }: MeasuredTracks,
  { segmentSeconds, encryption }: { segmentSeconds: number; encryption: StreamEncryption | undefined },
): MeasuredSet {
  if (video === undefined) throw new TypeError('An adaptive stream has a video');
  const keyframeSeconds = keyframeIntervalFor(segmentSeconds);
  const rated = rateTracks({ videos: [video, ...others], audios, subtitles, segmentSeconds, keyframeSeconds });
  return { ...rated, encryption };
}

function playlistText(set: MeasuredSet, playlist: PlannedPlaylist): string {
  const { videos, audios, subtitles, targetSeconds, encryption } = set;
  switch (playlist.kind) {
    case 'hls':
      return masterPlaylist(set);
    case 'dash':
      return dashManifest(set);
    case 'segments': {
      const { number, file, segments } = trackOf([...videos, ...audios], playlist.number);
      const filename = mediaFile(number);
      return mediaPlaylist({ filename, init: file, segments, targetSeconds, encryption });
    }
    case 'keyframes': {
      const { number, file, keyframes } = trackOf(videos, playlist.number);
      return mediaPlaylist({
        areKeyframes: true,
        filename: mediaFile(number),
        init: file,
        segments: keyframes,
        encryption,
      });
    }
    case 'subtitles': {
      const { number, segments } = trackOf(subtitles, playlist.number);
      return mediaPlaylist({ filename: subtitleSegmentsFile(number), segments, encryption });
    }
  }
}

function trackOf<Track extends { number: number }>(tracks: readonly Track[], number: number): Track {
  const track = tracks.find((each) => each.number === number);
  if (track === undefined) throw new TypeError(`The stream has no track ${number}`);
  return track;
}
