import { concatListInput } from '../../../src/media/ffmpeg/command.ts';
import { generatedFile } from './generated-file.ts';

/** Duration of each section. */
const seconds = 3;

/** A speaker in stereo, then 5.1, then mono, as between programmes of a broadcast: 9 s of audio only. */
export async function anAudioWithFormatChanges(): Promise<string> {
  const speech = `aevalsrc=exprs='(0.015+0.01*sin(3*t))*sin(1400*t)+0.002*(random(0)-0.5)':s=48000:d=${seconds}`;
  const parts = await Promise.all(
    ['stereo|c0=c0|c1=c0', '5.1|c0=c0|c1=c0|c2=0.5*c0|c3=0*c0|c4=0.3*c0|c5=0.3*c0', 'mono|c0=c0'].map(
      async (channels) => ({
        path: await generatedFile('part.ts', ['-f', 'lavfi', '-i', speech, '-af', `pan=${channels}`, '-c:a', 'ac3']),
        seconds,
      }),
    ),
  );
  const { path, options = [] } = concatListInput(parts);
  return generatedFile('changing.ts', ['-protocol_whitelist', 'file,data', ...options, '-i', path, '-c', 'copy']);
}

/** The same audio with a video stream. */
export async function aVideoWithAudioFormatChanges(): Promise<string> {
  const videoInput = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10:duration=9'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'copy'];
  return generatedFile('video.ts', [...videoInput, '-i', await anAudioWithFormatChanges(), ...encoding]);
}
