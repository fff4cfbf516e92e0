import { h264AndAac, recording } from './recording.ts';

/** A video of a second whose audio track has no packets, as of a screen recording without a microphone. */
export function silentRecording(name: 'silent.mkv' | 'silent.mp4' | 'silent.ts'): Promise<string> {
  const fragments = name === 'silent.mp4' ? ['-movflags', 'frag_keyframe+empty_moov'] : [];
  return recording(name, { video: 1, audio: 1 }, [...h264AndAac, '-af', 'atrim=start=100', ...fragments]);
}
