import { findFfmpeg } from '../ffmpeg.ts';
import { findFonts } from '../fonts.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';

/**
 * The functions as they run here: variables that the stage overrides, and for a container image, whose ffmpeg and
 * fonts are not at hand, those of this machine.
 *
 * @throws FfmpegMissingError when a function wants ffmpeg and there is none
 */
export function localFunctions(
  plans: readonly FunctionPlan[],
  overrides: Record<string, string>,
): FunctionPlan[] {
  return plans.map((plan) => {
    const own = Object.entries(overrides).filter(([name]) => Object.hasOwn(plan.environment, name));
    return { ...plan, environment: { ...plan.environment, ...imageTools(plan), ...Object.fromEntries(own) } };
  });
}

function imageTools({ code, environment }: FunctionPlan): Record<string, string> {
  if (code.packageType !== 'Image' || !('FFMPEG_PATH' in environment)) return {};
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  return { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe, FONTS_PATH: findFonts() };
}
