import { generatedFile } from './generated-file.ts';

/** A video of a second whose audio track has no packets, as of a screen recording without a microphone. */
export function silentRecording(name: 'silent.mkv' | 'silent.mp4' | 'silent.ts'): Promise<string> {
  return generatedFile(name, [
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=160x90:rate=25:duration=1',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1',
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-af', 'atrim=start=100'],
    ...(name === 'silent.mp4' ? ['-movflags', 'frag_keyframe+empty_moov'] : []),
  ]);
}
