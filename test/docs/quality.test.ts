import { defaultCrf, defaultPreset, videoCodecs } from '@media-jobs/video/media';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { expect, it } from 'vitest';
import { qualityGoals, qualityTolerance, readCalibration } from '../../lab/quality/calibration.ts';

const defaults = readCalibration().rows.filter(({ isDefault }) => isDefault);

it('the defaults of transcode are those whose quality was measured', () => {
  const measured = defaults.filter(({ recipe }) => recipe === 'transcode');
  expect(measured.map(({ codec, preset, crf }) => [codec, preset, crf])).toEqual(
    videoCodecs.map((codec) => [codec, defaultPreset[codec], defaultCrf[codec]]),
  );
});

it('the defaults of compress are those whose quality was measured', () => {
  const measured = defaults.filter(({ recipe }) => recipe === 'compress');
  const { crf, preset } = { crf: 0, preset: '', ...recipeRequestSchema.parse({ name: 'compress' }) };
  expect(measured.map((row) => [row.preset, row.crf])).toEqual([[preset, crf]]);
});

it.each(defaults)('$recipe with $codec has its goal by default on real clips', ({ recipe, realVmaf = 0 }) =>
  expect(Math.abs(realVmaf - qualityGoals[recipe])).toBeLessThanOrEqual(qualityTolerance),
);
