import { readFile, writeFile } from 'node:fs/promises';
import { concatListInput } from '../../../core/media/ffmpeg/command.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { clipWith } from './clips.ts';
import { generatedFile } from './generated-file.ts';

/** Sources that are whole, and unlike what files are expected to be. */
const awkward = {
  /** The sound begins 1.5 s after the picture, and ends as much later. */
  lateSound: {
    name: 'late-sound.mkv',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1.5', '-i', clip, ...mapped('0:v', '1:a')],
  },
  /** The picture begins 1 s after the sound, as where somebody turns the camera on. */
  latePicture: {
    name: 'late-picture.mp4',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1', '-i', clip, ...mapped('1:v', '0:a')],
  },
  /** The same in a container that ffmpeg begins to count at the first picture of, where it reads nothing else. */
  latePictureInBroadcast: {
    name: 'late-picture.ts',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1', '-i', clip, ...mapped('1:v', '0:a')],
  },
  /** As calls are recorded: from 0.6 s to 1.4 s there is no sound at all, not even silence. */
  gapInSound: {
    name: 'gap-in-sound.mkv',
    args: (clip: string) => [
      ...['-i', clip, '-c:v', 'copy', '-c:a', 'libopus'],
      ...['-af', "aselect='not(between(t,0.6,1.4))'"],
    ],
  },
  /** A second of motion, whose last frame is held for three more. */
  heldGif: {
    name: 'held.gif',
    args: (clip: string) => ['-i', clip, '-vf', 'fps=5,scale=160:90', '-t', '1', '-final_delay', '320'],
  },
  /** Cut without encoding, as phones do it: 1.2 s are in the file that nobody is to see. */
  cutBeforeKeyframe: { name: 'cut.mp4', args: (clip: string) => ['-ss', '1.2', '-i', clip, '-c', 'copy'] },
  /** Two pictures that are seen for 20 s each, as when somebody's screen is recorded: black, then white. */
  slides: {
    name: 'slides.webm',
    args: () => [
      ...[
        '-f',
        'lavfi',
        '-i',
        'color=black:size=64x36:rate=1/20:duration=40',
        '-vf',
        'negate=enable=gte(t\\,20)',
      ],
      ...['-c:v', 'libvpx', '-deadline', 'realtime'],
    ],
  },
} satisfies Record<string, { name: string; args: (clip: string) => string[] }>;

/** A photo of a phone that was held upright: a lying picture, and a note that it is to be turned clockwise. */
export async function aRotatedPhoto(): Promise<string> {
  const args = ['-i', await clipWith(), '-frames:v', '1', '-q:v', '2', '-f', 'mjpeg'];
  return cachedFile({ name: 'turned-photo', recipe: [args, 'EXIF'] }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...args, path]);
    const photo = await readFile(path);
    await writeFile(path, Buffer.concat([photo.subarray(0, 2), turnedClockwise, photo.subarray(2)]));
  });
}

// The segment that holds EXIF: a TIFF header, and one entry, 0x0112 (orientation), that is 6.
const turnedClockwise = Buffer.from(
  ['ffe10022', '457869660000', '4d4d002a00000008', '0001', '011200030000000100060000', '00000000'].join(''),
  'hex',
);

/**
 * A film of 2 s of which the second half is larger, as a call is that was recorded as it came. It has 10 frames a
 * second, each of one grey, 8 steps of television's range brighter than the one before.
 */
export async function aVideoWithGrowingFrames({ isInterlaced = false } = {}): Promise<string> {
  const half = async (size: string, from: number) => {
    const source = `nullsrc=size=${size}:rate=${isInterlaced ? 20 : 10}:duration=1`;
    const greys = `geq=lum='16+80*(T+${from})':cb=128:cr=128`;
    const encoding = isInterlaced
      ? ['-vf', `${greys},tinterlace=interleave_top`, ...fields]
      : ['-vf', greys, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4', '-pix_fmt', 'yuv420p'];
    return { path: await generatedFile('half.ts', ['-f', 'lavfi', '-i', source, ...encoding]), seconds: 1 };
  };
  const { path, options = [] } = concatListInput([await half('160x90', 0), await half('320x240', 1)]);
  return generatedFile('growing.ts', [
    '-protocol_whitelist',
    'file,data',
    ...options,
    '-i',
    path,
    '-c',
    'copy',
  ]);
}

// Without the delay that it usually has.
const fields = ['-flags', '+ilme+ildct+low_delay', '-c:v', 'mpeg2video', '-qmax', '2'];

/** The path of such a source, made on first use from the ordinary 2 s clip. */
export async function unusualClip(kind: keyof typeof awkward): Promise<string> {
  const { name, args } = awkward[kind];
  return generatedFile(name, args(await clipWith()));
}

function mapped(...streams: string[]): string[] {
  return [...streams.flatMap((stream) => ['-map', stream]), '-c', 'copy'];
}
