import { describe, expect, it } from 'vitest';
import { findConflicts, recipeRequestSchema } from '../../../../src/recipes/registry.ts';
import { aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';
import { commandLines, plan } from '../../../builders/recipes/plan.ts';

const video = aProbe([aVideoStream({ width: 1920, height: 1080 })]);

/** What each output must be. */
function sizes(heights: number[], probe = video): string[] {
  const { outputs } = plan({ name: 'renditions', heights }, 'mp4', probe);
  return outputs.map(({ name, expectation }) => `${name} ${expectation?.video?.width}x${expectation?.video?.height}`);
}

describe('renditions', () => {
  it('are ordered from large to small, whatever the order of the request', () => {
    expect(sizes([480, 1080, 720])).toEqual(['1080p 1920x1080', '720p 1280x720', '480p 854x480']);
  });

  it.each([
    ['leave out heights above the source', video, [1440, 1080, 144], ['1080p 1920x1080', '144p 256x144']],
    ['are one of the source size if all heights are above it', video, [2160, 1440], ['1080p 1920x1080']],
    [
      'are even for a source of an odd size',
      aProbe([aVideoStream({ width: 321, height: 181 })]),
      [720],
      ['182p 322x182'],
    ],
    [
      'use the width of a portrait video',
      aProbe([aVideoStream({ width: 1080, height: 1920 })]),
      [1080, 720],
      ['1080p 1080x1920', '720p 720x1280'],
    ],
  ])('%s', (_name, probe, heights, expected) => expect(sizes(heights, probe)).toEqual(expected));

  it('decode and transform the input once', () => {
    const hdr = aProbe([aVideoStream({ width: 1920, height: 1080, hdrTransfer: 'pq', isInterlaced: true })]);
    const made = plan({ name: 'renditions', heights: [1080, 720, 480] }, 'mp4', hdr);
    const [line = '', ...others] = commandLines(made);
    expect(others).toEqual([]);
    for (const once of ['-i /in', 'bwdif', '=mobius', 'split=3']) expect(line.split(once)).toHaveLength(2);
    expect(line.match(/\/out\/\d+p\.mp4/g)).toEqual(['/out/1080p.mp4', '/out/720p.mp4', '/out/480p.mp4']);
  });

  it('need no split for a single size', () => {
    expect(commandLines(plan({ name: 'renditions', heights: [144] }, 'mp4'))).toEqual([
      '-i /in -filter_complex [0:0]scale=256:144:flags=bicubic:in_h_chr_pos=0:out_h_chr_pos=0,setsar=1,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=smpte170m[size0] -map [size0] ' +
        '-c:v libx264 -preset medium -crf 26 -pix_fmt yuv420p -fps_mode:v vfr -enc_time_base:v demux ' +
        '-map 0:1 -af aresample=async=1:min_hard_comp=0.02 -c:a aac -ac 2 -b:a 128k -sn -dn -map_metadata -1 -map_chapters -1 -movflags +faststart -f mp4 /out/144p.mp4',
    ]);
  });

  it.each([
    [[], ['heights']],
    [[720, 720], ['heights']],
    [[721], ['heights', 0]],
    [
      [720, 4320],
      ['heights', 1],
    ],
    [[144, 240, 360, 480, 720, 1080, 1440], ['heights']],
  ])('reject the heights %j', (heights, path) => {
    const { error } = recipeRequestSchema.safeParse({ name: 'renditions', heights });
    expect(error?.issues.map((issue) => issue.path)).toContainEqual(path);
  });

  it('reject a codec that the format does not support', () => {
    const request = recipeRequestSchema.parse({ name: 'renditions', codec: 'h264' });
    expect(findConflicts(request, 'webm')).toMatchObject([{ path: 'recipe.codec' }]);
  });
});
