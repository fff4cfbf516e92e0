// @module-tag nightly
// @module-tag pipelines
import type { Rgb } from '@media-jobs/video/testing';
import {
  anEncoder,
  captionedClip,
  clipWithSubtitles,
  encodeOne,
  frameTimes,
  generatedFile,
  hdrPatches,
  readMasterPlaylist,
  readPatches,
  srtOf,
  ssim,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { runPipeline, runSequence } from '../builders/recipes/run-pipeline.ts';

const copy = { name: 'clip', accuracy: 'keyframe' } as const;
const compress = { name: 'compress', crf: 12, preset: 'ultrafast' } as const;

const testVideo = (...options: string[]) => ['-f', 'lavfi', '-i', `testsrc2=size=320x180:${options.join(':')}`];

describe('a step behind one that copies the video is the same as alone', () => {
  it('for fields that only the frames state', async () => {
    const source = await generatedFile('fields.mp4', [
      ...testVideo('rate=50', 'duration=2'),
      ...['-vf', 'tinterlace=interleave_top', '-c:v', 'mpeg4', '-q:v', '3', '-flags', '+ildct+ilme'],
    ]);
    const alone = (await encodeOne(source, 'mp4', compress)).path;
    const path = await runPipeline(source, 'mp4', [{ name: 'mute' }, compress]);
    expect(await frameTimes(path)).toEqual(await frameTimes(alone));
    expect(await ssim({ path }, { path: alone })).toBeGreaterThan(0.999);
  });

  it('for the brightness that the frames of a video in HDR state', async () => {
    const patches = [600, 1200, 2400, 3600].map((nits): Rgb => [nits, nits, nits]);
    const source = await hdrPatches({ transfer: 'pq', patches, metadata: 'max-cll=4000,400' });
    const alone = (await encodeOne(source, 'mp4', compress)).path;
    const path = await runPipeline(source, 'mp4', [{ name: 'mute' }, compress]);
    expect(await readPatches(path, patches.length)).toEqual(await readPatches(alone, patches.length));
    await runPipeline(source, 'mp4', [{ name: 'mute' }, { name: 'hdr-to-sdr' }]);
  });
});

it('a stream behind another step states the closed captions', async () => {
  const steps = [
    { name: 'clip', start: 0, end: 2 },
    { name: 'hls', preset: 'ultrafast' },
  ] as const;
  const outputs = await runSequence(await captionedClip(3), 'm3u8', steps);
  const master = outputs.find(({ planned }) => planned.name === 'hls');
  const { sizes } = readMasterPlaylist(await anEncoder().readText(master?.path ?? ''));
  expect(sizes.map(({ captions }) => captions)).toEqual(['captions']);
});

it('a copy for the next step keeps codecs that MP4 cannot hold', async () => {
  const source = await generatedFile('vorbis.mkv', [
    ...[...testVideo('rate=25', 'duration=3'), '-f', 'lavfi', '-i', 'sine=duration=3'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'libvorbis'],
  ]);
  const path = await runPipeline(source, 'mp4', [{ ...copy, start: 1.5 }, compress]);
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ codec }) => codec)).toEqual(['h264', 'aac']);
  expect(await frameTimes(path)).toHaveLength(50);
});

it('a copy for the next step keeps the styles of subtitles for Matroska', async () => {
  const source = await clipWithSubtitles('mkv', 'ass', [{ text: srtOf('Hello') }]);
  const { streams } = await anEncoder().probe(await runPipeline(source, 'mkv', [copy, { name: 'remux' }]));
  expect(streams.map(({ codec }) => codec)).toContain('ass');
});
