// @module-tag nightly
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { anEncoder, ffmpegPrograms } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { readCalibration } from '../quality/calibration.ts';
import { generatedSamples } from '../quality/samples.ts';
import { scoreRecipe } from '../quality/score-recipe.ts';

it('the defaults have the recorded scores on a generated clip', async () => {
  const { rows, seconds } = readCalibration();
  const [encoder, directory] = [anEncoder(), await aTemporaryFolder()];
  const tools = { encoder, directory, seconds, ffmpegPath: ffmpegPrograms.ffmpegPath };
  const [sample] = await generatedSamples(tools, ['focus']);
  if (sample === undefined) throw new Error('No sample was generated');
  for (const { recipe: name, codec, generatedVmaf } of rows.filter(({ isDefault }) => isDefault)) {
    const recipe = recipeRequestSchema.parse({ name, ...(name === 'transcode' && { codec }) });
    const { vmaf } = await scoreRecipe(encoder, sample, { recipe, directory });
    expect(Math.abs(vmaf - (generatedVmaf.focus ?? 0)), `${name} ${codec}: ${vmaf}`).toBeLessThan(1.5);
  }
}, 600_000);
