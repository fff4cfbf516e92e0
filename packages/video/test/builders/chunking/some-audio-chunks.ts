import { type AudioChunk, type AudioCutOptions, cutAudio } from '../../../src/chunking/plan/cut-audio.ts';
import type { AudioStream } from '../../../src/media/probe/probe.ts';
import { anAudioStream } from '../media/a-probe.ts';

/** AAC of half a minute, from one stream that starts at 0, in three chunks. */
export function someAudioChunks(
  differences: Partial<AudioCutOptions> = {},
  streams: readonly AudioStream[] = [anAudioStream()],
): AudioChunk[] {
  const timing = { frameSeconds: 1024 / 48_000, totalSeconds: 30 };
  const options: AudioCutOptions = { layout: { format: 'mp4' }, isPadded: false, videoSeconds: 0, cuts: 3 };
  const tracks = streams.map((stream) => ({ stream, timing }));
  return cutAudio(tracks, { ...options, ...differences }) ?? [];
}
