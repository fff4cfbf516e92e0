import { expect, it } from 'vitest';
import { fuseSteps } from '../../../src/recipes/graph/fuse-steps.ts';
import { assignFormats } from '../../../src/recipes/graph/steps.ts';
import { recipeRequestSchema } from '../../../src/recipes/registry.ts';
import { allPairs, recipesOfPairs } from '../../builders/measure/fused-pairs.ts';
import type { RecipeInput } from '../../builders/recipes/encode-losslessly.ts';

const image = 'https://example.com/logo.png';
const rotate: RecipeInput = { name: 'rotate', degrees: 90 };
const resize: RecipeInput = { name: 'resize', width: 640 };
const watermark: RecipeInput = { name: 'watermark', image };
const compress: RecipeInput = { name: 'compress' };
const thumbnail: RecipeInput = { name: 'thumbnail' };
const named = (recipe: RecipeInput) => ({ name: 'named', recipe });

type Request = { name?: string; recipe: RecipeInput };

/** The numbers of the steps in each group. */
function groupsOf(requests: readonly (RecipeInput | Request)[]): number[][] {
  const parsed = requests.map((each) => {
    const { name, recipe } = 'recipe' in each ? each : { name: undefined, recipe: each };
    return { name, recipe: recipeRequestSchema.parse(recipe) };
  });
  return fuseSteps(assignFormats(parsed, 'mp4')).flatMap(({ isAbsorbed, earlier }, end) => {
    const first = earlier?.index ?? end;
    return isAbsorbed ? [] : [Array.from({ length: end + 1 - first }, (_, number) => first + number)];
  });
}

it.each<[string, (RecipeInput | Request)[], number[][]]>([
  ['recipes that change frames, and one that encodes', [rotate, resize, watermark, compress], [[0, 1, 2, 3]]],
  ['an output that is delivered ends its encode', [rotate, named(resize), compress], [[0, 1], [2]]],
  ['the last step may be delivered under a name', [rotate, named(compress)], [[0, 1]]],
  ['a quality that was asked for ends its encode', [resize, { name: 'compress', crf: 20 }, thumbnail], [[0, 1], [2]]],
  ['one overlay in an encode', [watermark, resize, watermark], [[0, 1], [2]]],
  ['a quality that is searched for needs a file', [resize, { name: 'compress', targetVmaf: 93 }], [[0], [1]]],
  ['a copy is none', [{ name: 'clip', start: 1, accuracy: 'keyframe' }, compress], [[0], [1]]],
])('steps are one encode where one can express them: %s', (_, steps, groups) => {
  expect(groupsOf(steps)).toEqual(groups);
});

it.each(allPairs)('$one and $other: $fuses', ({ one, other, fuses }) => {
  expect(groupsOf([recipesOfPairs[one], recipesOfPairs[other]])).toEqual(fuses ? [[0, 1]] : [[0], [1]]);
});

it.each<[RecipeInput[], number[][]]>([
  [
    [
      { name: 'clip', start: 1 },
      { name: 'transcode', fps: 10 },
    ],
    [[0], [1]],
  ],
  [
    [{ name: 'speed', factor: 2 }, resize, { name: 'clip', start: 1 }],
    [[0, 1], [2]],
  ],
  [[{ name: 'mute' }, { name: 'speed', factor: 2 }, resize], [[0, 1, 2]]],
])('the rate is changed first in an encode, and not beside a range: %j', (steps, groups) => {
  expect(groupsOf(steps)).toEqual(groups);
});
