import { readFile, writeFile } from 'node:fs/promises';
import { concatListInput } from '../../../src/media/ffmpeg/command.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { clipWith } from './clips.ts';
import { generatedFile } from './generated-file.ts';

/** Valid sources with unusual timestamps, durations or streams. */
const awkward = {
  /** The audio starts 1.5 s after the video, and ends 1.5 s later. */
  lateAudio: {
    name: 'late-audio.mkv',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1.5', '-i', clip, ...mapped('0:v', '1:a')],
  },
  /** The video starts 1 s after the audio, as when a camera is turned on during a call. */
  lateVideo: {
    name: 'late-video.mp4',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1', '-i', clip, ...mapped('1:v', '0:a')],
  },
  /** The same in MPEG-TS: without the audio, ffmpeg takes the first frame as t=0. */
  lateVideoInBroadcast: {
    name: 'late-video.ts',
    args: (clip: string) => ['-i', clip, '-itsoffset', '1', '-i', clip, ...mapped('1:v', '0:a')],
  },
  /** As in recorded calls: no audio packets from 0.6 s to 1.4 s, not even silence. */
  gapInAudio: {
    name: 'gap-in-audio.mkv',
    args: (clip: string) => [
      ...['-i', clip, '-c:v', 'copy', '-c:a', 'libopus'],
      ...['-af', "aselect='not(between(t,0.6,1.4))'"],
    ],
  },
  /** Packets of 64 ms are lost after 0.5 s, and a tone starts at 1.5 s. */
  lostAudioPackets: {
    name: 'lost-audio-packets.mkv',
    args: (clip: string) => [
      ...['-i', clip, '-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2765*t)*gte(t,1.5)':s=48000:d=2"],
      ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'pcm_s16le'],
      ...['-af', "aselect='not(between(t,0.5,0.56))'"],
    ],
  },
  /** A second of motion, whose last frame is shown for three more seconds. */
  heldGif: {
    name: 'held.gif',
    args: (clip: string) => ['-i', clip, '-vf', 'fps=5,scale=160:90', '-t', '1', '-final_delay', '320'],
  },
  /** Cut without encoding, as phones do: an edit list hides the first 1.2 s. */
  cutBeforeKeyframe: { name: 'cut.mp4', args: (clip: string) => ['-ss', '1.2', '-i', clip, '-c', 'copy'] },
  /**
   * A screen recording of 5 s: 25 fps of motion, but from 0.96 s one frame is shown until 4 s. It has B-frames, so the
   * decoding time of the keyframe at 4 s lies before the pause.
   */
  pause: {
    name: 'pause.mp4',
    args: () => [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=5'],
      ...['-f', 'lavfi', '-i', 'sine=duration=5', '-vf', "select='lt(t,0.98)+gt(t,3.98)'"],
      ...['-fps_mode', 'vfr', '-c:v', 'libx264', '-bf', '2', '-crf', '12', '-force_key_frames', '4'],
      ...['-c:a', 'aac'],
    ],
  },
  /** Two frames of 20 s each, as in a screen recording: black, then white. */
  slides: {
    name: 'slides.webm',
    args: () => [
      ...[...'-f lavfi -i color=black:size=64x36:rate=1/20:duration=40 -vf'.split(' '), 'negate=enable=gte(t\\,20)'],
      ...['-c:v', 'libvpx', '-deadline', 'realtime'],
    ],
  },
} satisfies Record<string, { name: string; args: (clip: string) => string[] }>;

/** A photo of a phone held upright: landscape pixels, with an EXIF orientation of 90 degrees clockwise. */
export async function aRotatedPhoto(): Promise<string> {
  const args = ['-i', await clipWith(), '-frames:v', '1', '-q:v', '2', '-f', 'mjpeg'];
  return cachedFile({ name: 'turned-photo', recipe: [args, 'EXIF'] }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...args, path]);
    const photo = await readFile(path);
    await writeFile(path, Buffer.concat([photo.subarray(0, 2), turnedClockwise, photo.subarray(2)]));
  });
}

// The EXIF segment: a TIFF header and one entry, 0x0112 (orientation), with the value 6.
const turnedClockwise = Buffer.from(
  ['ffe10022', '457869660000', '4d4d002a00000008', '0001', '011200030000000100060000', '00000000'].join(''),
  'hex',
);

/**
 * A video of 2 s whose frames are larger in its second half, as in a recorded call. It has 10 fps; each frame is one
 * grey, 8 steps of the limited range brighter than the one before.
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
  return generatedFile('growing.ts', ['-protocol_whitelist', 'file,data', ...options, '-i', path, '-c', 'copy']);
}

// low_delay: without the encoder's usual delay.
const fields = ['-flags', '+ilme+ildct+low_delay', '-c:v', 'mpeg2video', '-qmax', '2'];

/** The path of an unusual source, generated on first use from the default 2 s clip. */
export async function unusualClip(kind: keyof typeof awkward): Promise<string> {
  const { name, args } = awkward[kind];
  return generatedFile(name, args(await clipWith()));
}

function mapped(...streams: string[]): string[] {
  return [...streams.flatMap((stream) => ['-map', stream]), '-c', 'copy'];
}
