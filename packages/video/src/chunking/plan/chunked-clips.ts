import { selectAudio } from '../../encoding/audio/encode-audio.ts';
import { joinedTrack } from '../../encoding/concat/concat-audio.ts';
import { clipFps, totalFrames } from '../../encoding/concat/concat-video.ts';
import type { Encoding, VideoEncoding } from '../../encoding/encoding.ts';
import type { ClipEncoding } from '../../encoding/plan.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import type { TimelineOrigin } from '../frame-index/timeline.ts';
import type { Chunk } from './cut-video.ts';

/** One of several inputs that follow one another in the output. */
export type ChunkedClip = {
  source: Probe;
  encoding: VideoEncoding;
  timelineOrigin: TimelineOrigin;
  /** Number of its frames in the output. */
  frames: number;
};

/** The source, encoding and timeline origin are those of the first clip, if there are several. */
type WithClips = {
  source: Probe;
  encoding: Encoding;
  timelineOrigin: TimelineOrigin;
  clips?: readonly ChunkedClip[] | undefined;
};

export function chunkedClips(
  clips: readonly ClipEncoding[] | undefined,
  cut: { clips: readonly Pick<ChunkedClip, 'timelineOrigin' | 'frames'>[] },
): ChunkedClip[] | undefined {
  return clips?.flatMap(({ file, encoding }, number) => {
    const ofClip = cut.clips[number];
    return ofClip ? [{ source: file.probe, encoding, ...ofClip }] : [];
  });
}

export function outputTracks({ source, encoding, clips }: Omit<WithClips, 'timelineOrigin'>): AudioStream[] {
  if (clips === undefined) return selectAudio(source, encoding);
  const [first] = clips;
  const probes = clips.map((clip) => clip.source);
  const joined = first && joinedTrack(probes, totalFrames(clips) / clipFps(first.encoding));
  return joined ? [joined] : [];
}

/** The work with the source, encoding and timeline origin of the clip that a chunk is of. */
export function workOfChunk<Work extends WithClips>(work: Work, { clip: number = 0 }: Pick<Chunk, 'clip'>): Work {
  const clip = work.clips?.[number];
  if (clip === undefined) return work;
  const { source, encoding, timelineOrigin } = clip;
  return { ...work, source, encoding, timelineOrigin };
}
