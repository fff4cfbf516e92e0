import { type ClipFeatures, featureArguments } from './clip-features.ts';
import { generatedFile } from './generated-file.ts';

/** The path of a 2 s clip with these features, made on first use. */
export async function clipWith(features: ClipFeatures = {}): Promise<string> {
  const { shape = 'landscape', ...others } = features;
  if (shape !== 'portrait') return generatedFile('clip.mp4', featureArguments(features));
  // Stored as landscape with a rotation of 90 degrees, as phones do.
  const lying = await clipWith(others);
  return generatedFile('upright.mp4', ['-display_rotation', '90', '-i', lying, '-map', '0', '-c', 'copy']);
}

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2'];
const fields = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=50:duration=2'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=2'];
const cover = ['-f', 'lavfi', '-i', 'color=red:size=64x64:rate=1:duration=1'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-pix_fmt', 'yuv420p'];
const aac = ['-c:a', 'aac', '-b:a', '96k'];

/** Sources whose features do not combine with others. */
const special = {
  audioOnly: ['audio-only.m4a', [...tone, ...aac]],
  anamorphic: ['anamorphic.mp4', [...pattern, ...tone, '-vf', 'scale=240:180,setsar=4/3', ...h264, ...aac]],
  interlaced: [
    'interlaced.ts',
    [...fields, ...tone, ...'-vf tinterlace=interleave_top -flags +ilme+ildct -c:v mpeg2video -q:v 2'.split(' ')],
  ],
  // One keyframe and no index: a seek to the middle finds nothing to decode.
  broadcast: ['broadcast.ts', [...pattern, ...tone, ...h264, '-bf', '2', '-g', '250', ...aac]],
  unfocused: ['unfocused.mp4', [...pattern, '-vf', "gblur=sigma=8:enable='gt(mod(t,1),0.3)'", ...h264]],
  blackOpening: ['black-opening.mp4', [...pattern, '-vf', "drawbox=t=fill:color=black:enable='lt(t,0.15)'", ...h264]],
  coverArt: [
    'cover-art.flac',
    [...tone, ...cover, ...'-map 0 -map 1 -c:v png -disposition:v attached_pic -c:a flac'.split(' ')],
  ],
  // As a browser records: no duration in the file.
  recording: [
    'recording.webm',
    [...pattern, ...tone, ...'-c:v libvpx -deadline realtime -c:a libopus -live 1 -f webm'.split(' ')],
  ],
  // As a saved stream: ffprobe guesses the duration from the bit rate of the first seconds.
  savedStream: [
    'saved-stream.mp3',
    [
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='if(lt(t,10),0,random(0))':d=20",
      ...'-c:a libmp3lame -q:a 2 -write_xing 0'.split(' '),
    ],
  ],
  stillImage: ['still.png', [...pattern, '-frames:v', '1', '-c:v', 'png', '-f', 'image2']],
} satisfies Record<string, [name: string, args: string[]]>;

/** The path of a special source, made on first use. */
export function specialClip(kind: keyof typeof special): Promise<string> {
  const [name, args] = special[kind];
  return generatedFile(name, args);
}
