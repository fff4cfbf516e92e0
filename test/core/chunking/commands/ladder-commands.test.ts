import { describe, expect, it } from 'vitest';
import { chunkedCommands } from '../../../../core/chunking/commands/chunked-commands.ts';
import { cutVideo } from '../../../../core/chunking/plan/cut-video.ts';
import { packagedOutputs } from '../../../../core/encoding/ladder/packaging.ts';
import type { SegmentingOptions } from '../../../../core/encoding/ladder/segmenting.ts';
import type { PlannedOutput } from '../../../../core/encoding/plan.ts';
import type { Command } from '../../../../core/media/ffmpeg/command.ts';
import { aFrameIndex } from '../../../builders/chunking/a-frame-index.ts';
import { aProbe } from '../../../builders/media/a-probe.ts';
import { aLadderEncoding } from '../../../builders/recipes/a-ladder-encoding.ts';

const outputs = ['180p', '144p'].map(
  (name): PlannedOutput => ({ name, filename: `${name}.mp4`, format: 'mp4', mimeType: 'video/mp4' }),
);

const packed = packagedOutputs({
  sizes: [
    { width: 320, height: 180, name: '180p', maxRateKbps: 1000 },
    { width: 256, height: 144, name: '144p', maxRateKbps: 500 },
  ],
  videoSeconds: 20,
  audio: { seconds: 20, codec: 'aac' },
});

/** The commands that make two sizes of a source of 20 s in two chunks. */
function theCommands(segmenting?: SegmentingOptions) {
  const { segmentSeconds } = segmenting ?? {};
  const index = aFrameIndex({ pictures: 500 });
  const chunks = cutVideo(index, { maxChunks: 2, container: 'matroska', segmentSeconds });
  const timelineOrigin = { containerSeconds: 0, fileSeconds: 0 };
  const encoding = aLadderEncoding(segmenting ? { segmenting } : {});
  return chunkedCommands(
    { probe: aProbe(), format: segmenting ? 'm3u8' : 'mp4', inputPath: '/in' },
    { encoding, outputs: segmenting ? packed : outputs, chunks, timelineOrigin },
    { pathOf: (name) => `/work/${name}`, directory: '/out' },
  );
}

function line({ inputs, outputArguments }: Command): string {
  const read = inputs.flatMap(({ path, options = [] }) => [...options, '-i', path]);
  return [...read, ...outputArguments].join(' ');
}

const perSize =
  '-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -fps_mode:v vfr -enc_time_base:v demux ' +
  '-an -sn -dn -map_metadata -1 -map_chapters -1 -output_ts_offset -10.000000 -f mp4';

it('a chunk is decoded and cut once, and leaves a file for each size', () => {
  const second = theCommands().chunks[1];
  expect(second && line(second.command)).toBe(
    '-noaccurate_seek -ss 7.980000 -copyts -itsoffset 0.000001 -i /in ' +
      '-filter_complex [0:0]trim=start=9.980000,scale=320:180:flags=bicubic,setsar=1,split=2[size0][copy1];' +
      '[copy1]scale=256:144:flags=bicubic,setsar=1[size1] ' +
      `-map [size0] ${perSize} /work/chunk-1-0.mp4 -map [size1] ${perSize} /work/chunk-1-1.mp4`,
  );
  expect(second?.paths).toEqual(['/work/chunk-1-0.mp4', '/work/chunk-1-1.mp4']);
});

it('each output is joined of the chunks of its size and the one sound', () => {
  const { join } = theCommands();
  const read = join.commands.map(({ inputs: [list, sound] }) => {
    const script = Buffer.from(list?.path.split(',')[1] ?? '', 'base64').toString();
    const chunks = [...script.matchAll(/file:([^']+)/g)].map(([, path]) => path);
    return [...chunks, sound?.path];
  });
  expect(read).toEqual([
    ['/work/chunk-0-0.mp4', '/work/chunk-1-0.mp4', '/work/audio'],
    ['/work/chunk-0-1.mp4', '/work/chunk-1-1.mp4', '/work/audio'],
  ]);
  expect(join.commands.map(({ outputArguments }) => outputArguments.at(-1))).toEqual([
    '/out/180p.mp4',
    '/out/144p.mp4',
  ]);
  expect(join.videos).toEqual([
    { name: '180p', path: '/out/180p.mp4', audioPath: '/out/180p.mp4' },
    { name: '144p', path: '/out/144p.mp4', audioPath: '/out/144p.mp4' },
  ]);
});

describe('a stream', () => {
  const streamed = { segmentSeconds: 4, maxRatesKbps: [1000, 500] };

  it('has keyframes in each chunk where its segments begin, and the bounds of each size', () => {
    const second = theCommands(streamed).chunks[1];
    const perStream = (kbps: number, announced: number) =>
      `-maxrate:v ${kbps}k -bufsize:v ${kbps}k -b:v ${announced}k -fps_mode:v vfr -enc_time_base:v demux ` +
      '-sc_threshold 0 -force_key_frames 11.980000,15.980000 -an';
    const text = second ? line(second.command) : '';
    // Half of 20 s is no multiple of 4 s; reading begins two keyframes earlier.
    expect(text).toContain('-ss 5.980000');
    expect(text).toContain('trim=start=7.980000,');
    expect(text).toContain(perStream(1000, 1250));
    expect(text).toContain(perStream(500, 625));
  });

  it('is packed of all sizes and the sound at once, and announces what one pass does', () => {
    const { join: joins } = theCommands(streamed);
    const [join, ...others] = joins.commands;
    expect(others).toEqual([]);
    expect(join?.inputs).toHaveLength(3);
    expect(join?.outputArguments.join(' ')).toMatch(
      /^-map 0:v:0 -map 1:v:0 -c:v copy -b:v:0 1250k -b:v:1 625k -map 2:a:0 -c:a copy -b:a 128k .* \/out\/dash\.mpd$/,
    );
    expect(joins.videos).toEqual([
      { name: '180p', path: '/out/stream_0.mp4', audioPath: '/out/stream_2.mp4' },
      { name: '144p', path: '/out/stream_1.mp4' },
    ]);
  });
});
