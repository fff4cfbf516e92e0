import { expect, it } from 'vitest';
import { encodeInChunks } from '../../../core/chunks/chunked-encoding.ts';
import { cutPicture } from '../../../core/chunks/cut.ts';
import type { Command } from '../../../core/media/command.ts';
import type { PlannedOutput } from '../../../core/recipes/recipe.ts';
import { aLadderEncoding } from '../../builders/a-ladder-encoding.ts';
import { aPictureIndex } from '../../builders/a-picture-index.ts';
import { aProbe } from '../../builders/a-probe.ts';

const outputs = ['180p', '144p'].map(
  (name): PlannedOutput => ({ name, filename: `${name}.mp4`, format: 'mp4', mimeType: 'video/mp4' }),
);

/** The commands that make two sizes of a source of 20 s in two chunks. */
function theCommands() {
  const chunks = cutPicture(aPictureIndex({ pictures: 500 }), { count: 2, container: 'matroska' });
  const beginning = { containerSeconds: 0, fileSeconds: 0 };
  return encodeInChunks(
    { probe: aProbe(), format: 'mp4', inputPath: '/in' },
    { encoding: aLadderEncoding(), outputs, chunks, beginning },
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
  const { joins } = theCommands();
  const read = joins.commands.map(({ inputs: [list, sound] }) => {
    const script = Buffer.from(list?.path.split(',')[1] ?? '', 'base64').toString();
    const chunks = [...script.matchAll(/file:([^']+)/g)].map(([, path]) => path);
    return [...chunks, sound?.path];
  });
  expect(read).toEqual([
    ['/work/chunk-0-0.mp4', '/work/chunk-1-0.mp4', '/work/sound'],
    ['/work/chunk-0-1.mp4', '/work/chunk-1-1.mp4', '/work/sound'],
  ]);
  expect(joins.commands.map(({ outputArguments }) => outputArguments.at(-1))).toEqual([
    '/out/180p.mp4',
    '/out/144p.mp4',
  ]);
  expect(joins.pictures).toEqual([
    { name: '180p', path: '/out/180p.mp4', soundPath: '/out/180p.mp4' },
    { name: '144p', path: '/out/144p.mp4', soundPath: '/out/144p.mp4' },
  ]);
});
