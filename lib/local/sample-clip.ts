import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type ClipOptions = {
  ffmpeg: string;
  /** Output path, an mp4 file. */
  path: string;
  seconds: number;
};

/** Generates a clip with audio: 1280x720, 25 fps, H.264 and AAC. The quality is high, so that compression has an effect. */
export async function makeClip({ ffmpeg, path, seconds }: ClipOptions): Promise<void> {
  const videoInput = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`];
  const audioInput = ['-f', 'lavfi', '-i', `sine=frequency=440:beep_factor=4:sample_rate=48000:duration=${seconds}`];
  const videoCodec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '14', '-pix_fmt', 'yuv420p'];
  const audioCodec = ['-c:a', 'aac', '-b:a', '128k'];
  await promisify(execFile)(ffmpeg, [
    ...['-v', 'error', '-nostdin', ...videoInput, ...audioInput],
    ...[...videoCodec, ...audioCodec, '-movflags', '+faststart', '-y', path],
  ]);
}
