import { availableParallelism } from 'node:os';
import { findFfmpeg } from '../find-ffmpeg.ts';
import { findFonts } from '../fonts.ts';
import type { FunctionPlan, StagePlan } from '../template/stage-plan.ts';

/**
 * The functions as they run here: variables that the stage overrides, and for a container image, whose ffmpeg and
 * fonts are not at hand, those of this machine. An encoder takes a core for itself, so there are no more of them at once
 * than cores, unless a queue says how many.
 *
 * @throws FfmpegMissingError when a function wants ffmpeg and there is none
 */
export function localFunctionPlans(
  { functions, queueMappings }: Pick<StagePlan, 'functions' | 'queueMappings'>,
  overrides: Record<string, string>,
): FunctionPlan[] {
  const polled = new Set(queueMappings.map(({ functionName }) => functionName));
  return functions.map((plan) => {
    const own = Object.entries(overrides).filter(([name]) => Object.hasOwn(plan.environment, name));
    const encodes = plan.code.packageType === 'Image' && !polled.has(plan.name);
    return {
      ...plan,
      environment: { ...plan.environment, ...imageTools(plan), ...Object.fromEntries(own) },
      ...(encodes ? { maxConcurrency: availableParallelism() } : {}),
    };
  });
}

function imageTools({ code, environment }: FunctionPlan): Record<string, string> {
  if (code.packageType !== 'Image' || !('FFMPEG_PATH' in environment)) return {};
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  return { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe, FONTS_PATH: findFonts() };
}
