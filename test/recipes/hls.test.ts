import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import {
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  readSegmentIndex,
} from '../builders/measure/read-manifests.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { aStreamingClip, flashAt, streamingClip } from '../builders/media/streaming-clip.ts';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const { seconds: length, frame } = streamingClip;

const heights = ['480p', '360p', '240p'];

let source: string;
let files: EncodedFiles;

beforeAll(async () => {
  source = await aStreamingClip();
  files = await encodeAll(source, 'm3u8', { name: 'hls', segmentSeconds: 2 });
});
afterAll(() => files?.remove());

const playlistOf = async (name: string) => readMediaPlaylist(await files.text(`${name}-playlist`));

describe('an adaptive stream', () => {
  it('has a file and a playlist for each rendition and for the audio', () => {
    const outputs = heights.flatMap((name) => [name, `${name}-playlist`, `${name}-keyframes`]);
    expect([...files.paths.keys()]).toEqual(['hls', 'dash', ...outputs, 'audio', 'audio-playlist']);
  });

  it('looks like its source', async () => {
    const output = { path: files.paths.get('480p') ?? '' };
    expect(await ssim(output, { path: source })).toBeGreaterThan(0.95);
  });

  it('has video and audio in sync', async () => {
    const judge = [
      '-vf',
      'signalstats,metadata=print:key=lavfi.signalstats.YAVG',
      '-af',
      'silencedetect=d=0.2',
    ];
    const inputs = ['-i', files.paths.get('hls') ?? '', '-map', '0:v:0', '-map', '0:a:0'];
    const report = await bareFfmpeg([...inputs, ...judge, '-f', 'null', '-']);
    const shades = [...report.matchAll(/pts_time:([\d.]+)\s[\s\S]*?YAVG=([\d.]+)/g)];
    const seen = Number(shades.find(([, , shade]) => Number(shade) > 200)?.[1]);
    const heard = Number(/silence_end: ([\d.]+)/.exec(report)?.[1]);
    expect(seen).toBeGreaterThanOrEqual(flashAt);
    expect(seen).toBeLessThan(flashAt + frame);
    expect(Math.abs(seen - heard)).toBeLessThan(frame);
  });
});

describe('the segments of a stream', () => {
  it.each([...heights, 'audio'])('cover the file of %s without gaps', async (name) => {
    const { beginning, segments } = await playlistOf(name);
    const path = files.paths.get(name) ?? '';
    const { index } = dashStream(await files.text('dash'), path);
    let at = index.offset + index.length;
    expect(index.offset).toBe(beginning.length);
    expect(await boxAt(path, index.offset)).toBe('sidx');
    for (const { file, offset, length: bytes } of segments) {
      expect({ path: join(files.directory, file), offset }).toEqual({ path, offset: at });
      expect(await boxAt(path, offset)).toBe('moof');
      at += bytes;
    }
    expect(await boxAt(path, beginning.offset)).toBe('ftyp');
    expect(at).toBe((await stat(path)).size);
  });

  it('start with a keyframe at the same frames in every rendition', async () => {
    const starts = await Promise.all(
      heights.map(async (name) => startsOf((await playlistOf(name)).segments)),
    );
    expect(starts[0]).toEqual(starts[1]);
    expect(starts[0]).toHaveLength(4);
    const keyframes = await keyframesOf(files.paths.get('480p') ?? '');
    for (const [index, start] of (starts[0] ?? []).entries()) {
      expect(start).toBeCloseTo(keyframes[index] ?? Number.NaN, 3);
      expect(start - index * 2).toBeLessThan(frame);
    }
  });

  it.each([...heights, 'audio'])('last as long as the source: %s', async (name) => {
    const { segments } = await playlistOf(name);
    const seconds = segments.reduce((sum, segment) => sum + (segment.seconds ?? 0), 0);
    expect(Math.abs(seconds - length)).toBeLessThan(frame);
  });
});

describe('the manifests of a stream', () => {
  it('declare the properties of the file of each rendition', async () => {
    const { sizes, sound } = readMasterPlaylist(await files.text('hls'));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [854, 480],
      [428, 240],
      [640, 360],
    ]);
    for (const { height, codecs } of sizes) {
      expect(codecs).toEqual([await avcCodec(files.paths.get(`${height}p`) ?? ''), 'mp4a.40.2']);
    }
    expect(sound).toBe(files.paths.get('audio-playlist')?.split('/').at(-1));
  });

  it('declare at least the bit rate of the largest segment with its audio', async () => {
    const { sizes } = readMasterPlaylist(await files.text('hls'));
    const sound = peakRate((await playlistOf('audio')).segments);
    for (const { height, bitsPerSecond, averageBitsPerSecond } of sizes) {
      const peak = peakRate((await playlistOf(`${height}p`)).segments) + sound;
      expect(bitsPerSecond).toBeGreaterThanOrEqual(Math.floor(peak));
      expect(bitsPerSecond).toBeLessThan(1.1 * peak);
      expect(averageBitsPerSecond).toBeLessThan(peak);
    }
  });

  it('are marked as VOD with independent segments', async () => {
    expect(await files.text('hls')).toContain('#EXT-X-INDEPENDENT-SEGMENTS\n');
    for (const { framesPerSecond } of readMasterPlaylist(await files.text('hls')).sizes) {
      expect(framesPerSecond).toBeCloseTo(1 / frame, 2);
    }
    for (const name of [...heights, 'audio']) {
      const text = await files.text(`${name}-playlist`);
      expect(text).toContain('#EXT-X-PLAYLIST-TYPE:VOD\n');
      expect(text).not.toContain('DATE-TIME');
    }
  });

  it('have the same segments in HLS and in DASH', async () => {
    const { seconds, pictures, sounds } = readDash(await files.text('dash'));
    expect([pictures.length, sounds.length]).toEqual([3, 1]);
    expect(Math.abs(seconds - length)).toBeLessThan(0.1);
    for (const name of [...heights, 'audio']) {
      const path = files.paths.get(name) ?? '';
      const { index } = dashStream(await files.text('dash'), path);
      const box = (await readFile(path)).subarray(index.offset, index.offset + index.length);
      const fragments = readSegmentIndex(box, index.offset + index.length);
      const { segments } = await playlistOf(name);
      expect(segments.map(({ offset, length: bytes }) => [offset, bytes])).toEqual(
        fragments.map(({ offset, length: bytes }) => [offset, bytes]),
      );
    }
  });

  it('have a playlist of the keyframes of each rendition, which decode on their own', async () => {
    const { keyframes } = readMasterPlaylist(await files.text('hls'));
    expect(keyframes.map(({ height }) => `${height}p`)).toEqual(heights);
    for (const [index, name] of heights.entries()) {
      const text = await files.text(`${name}-keyframes`);
      expect(text).toContain('#EXT-X-I-FRAMES-ONLY\n');
      expect(keyframes[index]?.playlist).toBe(files.paths.get(`${name}-keyframes`)?.split('/').at(-1));
      const { beginning, segments } = readMediaPlaylist(text);
      const bytes = await readFile(files.paths.get(name) ?? '');
      const init = bytes.subarray(0, beginning.length);
      expect(segments).toHaveLength(4);
      for (const { offset, length: size } of segments) {
        const only = join(files.directory, 'keyframe.mp4');
        await writeFile(only, Buffer.concat([init, bytes.subarray(offset, offset + size)]));
        expect(await frameTypesOf(only)).toEqual(['I']);
      }
    }
  });

  it('offer the audio alone', async () => {
    const { audioOnly, sound } = readMasterPlaylist(await files.text('hls'));
    expect(audioOnly).toMatchObject([{ playlist: sound, codecs: ['mp4a.40.2'] }]);
  });
});

describe('a source without audio', () => {
  it('becomes a stream of only video', async () => {
    const silent = await encodeAll(await clipWith({ sound: 'none' }), 'm3u8', { name: 'hls' });
    try {
      expect([...silent.paths.keys()]).toEqual(['hls', 'dash', '180p', '180p-playlist', '180p-keyframes']);
      const { sizes, sound } = readMasterPlaylist(await silent.text('hls'));
      expect({ codecs: sizes.map(({ codecs }) => codecs.length), sound }).toEqual({
        codecs: [1],
        sound: undefined,
      });
      expect(await silent.text('hls')).not.toContain('AUDIO');
      expect(readDash(await silent.text('dash'))).toMatchObject({ pictures: [{}], sounds: [] });
    } finally {
      await silent.remove();
    }
  });
});

describe('a source', () => {
  it.each([
    ['upright', { shape: 'portrait' }, 180, 320],
    ['of odd size and of HDR', { shape: 'odd', colour: 'hdr' }, 322, 182],
    ['of a variable rate', { rate: 'variable' }, 320, 180],
  ] as const)('that is %s becomes a stream too', async (_, features, width, height) => {
    const stream = await encodeAll(await clipWith(features), 'm3u8', { name: 'hls' });
    try {
      const { sizes } = readMasterPlaylist(await stream.text('hls'));
      expect(sizes).toMatchObject([{ width, height }]);
      const { segments } = readMediaPlaylist(await stream.text('audio-playlist'));
      expect(segments).toHaveLength(1);
    } finally {
      await stream.remove();
    }
  });
});

describe('the segments of a stream of a source', () => {
  it.each([
    ['whose rate does not divide a second', 'rate=24000/1001:duration=46', 'null', [6.006], 23],
    ['in which nothing moves for long', 'rate=25:duration=24', "select='lt(t,5)+gt(t,15)'", [15.04, 6], 8],
  ])(
    '%s are as long as requested, or as its keyframes allow',
    async (_, pattern, filter, lengths, keyframes) => {
      const args = ['-f', 'lavfi', '-i', `testsrc2=size=64x36:${pattern}`, '-vf', filter, '-fps_mode', 'vfr'];
      const recipe = [...args, '-c:v', 'libx264', '-preset', 'ultrafast'];
      const clip = await generatedFile('segments.mp4', recipe);
      const stream = await encodeAll(clip, 'm3u8', { name: 'hls', preset: 'ultrafast' });
      try {
        const { segments } = readMediaPlaylist(await stream.text('36p-playlist'));
        const whole = segments.slice(0, -1).map(({ seconds }) => seconds);
        expect([...new Set(whole)].toSorted()).toEqual([...new Set(lengths)].toSorted());
        expect(await keyframesOf(stream.paths.get('36p') ?? '')).toHaveLength(keyframes);
      } finally {
        await stream.remove();
      }
    },
  );
});

describe('a video stream that starts a second after its audio', () => {
  it('shows its first frame from the start, in sync with the audio', async () => {
    const clip = await clipWith();
    const recipe = ['-itsoffset', '1', '-i', clip, '-i', clip, '-map', '0:v', '-map', '1:a', '-c', 'copy'];
    const late = await generatedFile('late.mp4', recipe);
    const stream = await encodeAll(late, 'm3u8', { name: 'hls' });
    try {
      const times = await frameTimes(stream.paths.get('180p') ?? '');
      expect([times[0], times.at(-1), times.length]).toEqual([0, 2.96, 75]);
    } finally {
      await stream.remove();
    }
  });
});

/** The representation of a file. */
function dashStream(manifest: string, path: string) {
  const { pictures, sounds } = readDash(manifest);
  const found = [...pictures, ...sounds].find(({ file }) => file === path.split('/').at(-1));
  if (found === undefined) throw new Error(`The manifest does not name ${path}`);
  return found;
}

/** The types of the frames of a file as it decodes. */
async function frameTypesOf(path: string): Promise<string[]> {
  const lines = await bareFfprobe(['-show_entries', 'frame=pict_type', '-of', 'csv=p=0', path]);
  return lines.map((line) => line.replaceAll(',', ''));
}

function startsOf(segments: { seconds?: number }[]): number[] {
  let at = 0;
  return segments.map(({ seconds = 0 }) => {
    at += seconds;
    return at - seconds;
  });
}

/** A rest that is shorter than half a segment counts by itself for nothing (RFC 8216, section 4.1). */
function peakRate(segments: { length: number; seconds?: number }[]): number {
  const whole = segments.filter(({ seconds = 0 }) => seconds >= 1);
  return Math.max(...whole.map(({ length: bytes, seconds = 0 }) => (bytes * 8) / seconds));
}

/** The four letters of the MP4 box that begins at a byte. */
async function boxAt(path: string, offset: number): Promise<string> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, offset);
  return buffer.toString('latin1', 4);
}

/** RFC 6381's name of a file's H.264: profile, constraints and level from its configuration record. */
async function avcCodec(path: string): Promise<string> {
  const bytes = await readFile(path);
  const record = bytes.indexOf('avcC') + 4;
  return `avc1.${bytes.toString('hex', record + 1, record + 4)}`;
}

async function keyframesOf(path: string): Promise<number[]> {
  const entries = [
    '-skip_frame',
    'nokey',
    '-select_streams',
    'v',
    '-show_entries',
    'frame=pts_time',
    '-of',
    'csv=p=0',
  ];
  const times = (await bareFfprobe([...entries, path])).map((line) => Number.parseFloat(line));
  return times.map((time) => time - (times[0] ?? 0));
}
