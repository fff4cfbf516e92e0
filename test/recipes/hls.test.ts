// @module-tag streams
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  aStreamingClip,
  bareFfmpeg,
  bareFfprobe,
  flashAt,
  keyframeTimes,
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  readSegmentIndex,
  ssim,
  streamingClip,
} from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const { seconds: length, frame } = streamingClip;

const heights = ['480p', '360p', '240p'];

let source: string;
let files: EncodedFiles;

beforeAll(async () => {
  source = await aStreamingClip();
  files = await encodeAll(source, 'm3u8', { name: 'hls', segmentSeconds: 2 });
});

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
    const detectors = '-vf signalstats,metadata=print:key=lavfi.signalstats.YAVG -af silencedetect=d=0.2'.split(' ');
    const inputs = ['-i', files.paths.get('hls') ?? '', '-map', '0:v:0', '-map', '0:a:0'];
    const report = await bareFfmpeg([...inputs, ...detectors, '-f', 'null', '-']);
    const shades = [...report.matchAll(/pts_time:([\d.]+)\s[\s\S]*?YAVG=([\d.]+)/g)];
    const shownAt = Number(shades.find(([, , shade]) => Number(shade) > 200)?.[1]);
    const beepAt = Number(/silence_end: ([\d.]+)/.exec(report)?.[1]);
    expect(shownAt).toBeGreaterThanOrEqual(flashAt);
    expect(shownAt).toBeLessThan(flashAt + frame);
    expect(Math.abs(shownAt - beepAt)).toBeLessThan(frame);
  });
});

describe('the segments of a stream', () => {
  it.each([...heights, 'audio'])('cover the file of %s without gaps', async (name) => {
    const { initSection, segments } = await playlistOf(name);
    const path = files.paths.get(name) ?? '';
    const { index } = dashStream(await files.text('dash'), path);
    let at = index.offset + index.length;
    expect(index.offset).toBe(initSection.length);
    expect(await boxAt(path, index.offset)).toBe('sidx');
    for (const { file, offset, length: bytes } of segments) {
      expect({ path: join(files.directory, file), offset }).toEqual({ path, offset: at });
      expect(await boxAt(path, offset)).toBe('moof');
      at += bytes;
    }
    expect(await boxAt(path, initSection.offset)).toBe('ftyp');
    expect(at).toBe((await stat(path)).size);
  });

  it('start with a keyframe at the same frames in every rendition', async () => {
    const starts = await Promise.all(heights.map(async (name) => startsOf((await playlistOf(name)).segments)));
    expect(starts[0]).toEqual(starts[1]);
    expect(starts[0]).toHaveLength(4);
    const keyframes = await keyframeTimes(files.paths.get('480p') ?? '');
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
    const { sizes, defaultAudio } = readMasterPlaylist(await files.text('hls'));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [854, 480],
      [428, 240],
      [640, 360],
    ]);
    for (const { height, codecs } of sizes) {
      expect(codecs).toEqual([await avcCodec(files.paths.get(`${height}p`) ?? ''), 'mp4a.40.2']);
    }
    expect(defaultAudio).toBe(files.paths.get('audio-playlist')?.split('/').at(-1));
  });

  it('declare at least the bit rate of the largest segment with its audio', async () => {
    const { sizes } = readMasterPlaylist(await files.text('hls'));
    const audioRate = peakRate((await playlistOf('audio')).segments);
    for (const { height, bitsPerSecond, averageBitsPerSecond } of sizes) {
      const peak = peakRate((await playlistOf(`${height}p`)).segments) + audioRate;
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
    const { seconds, videos, audios } = readDash(await files.text('dash'));
    expect([videos.length, audios.length]).toEqual([3, 1]);
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
      const { initSection, segments } = readMediaPlaylist(text);
      const bytes = await readFile(files.paths.get(name) ?? '');
      const init = bytes.subarray(0, initSection.length);
      expect(segments).toHaveLength(4);
      for (const { offset, length: size } of segments) {
        const only = join(files.directory, 'keyframe.mp4');
        await writeFile(only, Buffer.concat([init, bytes.subarray(offset, offset + size)]));
        expect(await frameTypesOf(only)).toEqual(['I']);
      }
    }
  });

  it('offer the audio alone', async () => {
    const { audioOnly, defaultAudio } = readMasterPlaylist(await files.text('hls'));
    expect(audioOnly).toMatchObject([{ playlist: defaultAudio, codecs: ['mp4a.40.2'] }]);
  });
});

/** The representation of a file. */
function dashStream(manifest: string, path: string) {
  const { videos, audios } = readDash(manifest);
  const found = [...videos, ...audios].find(({ file }) => file === path.split('/').at(-1));
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

/** The peak of single segments. A last one shorter than half a segment does not count (RFC 8216, section 4.1). */
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
