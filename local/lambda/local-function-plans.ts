import { availableParallelism } from 'node:os';
import { findFfmpeg } from '../find-ffmpeg.ts';
import { findFonts } from '../fonts.ts';
import type { FunctionPlan, StagePlan } from '../template/stage-plan.ts';

/**
 * Adapts the function plans to this machine: applies overrides of environment variables, and replaces the ffmpeg and
 * fonts of the container image by local ones. An encoder uses a whole core, so encoders run at most once per core, unless
 * the event source mapping of a queue limits them.
 *
 * @throws FfmpegMissingError if a function requires ffmpeg and there is none
 */
export function localFunctionPlans(
  { functions, queueMappings }: Pick<StagePlan, 'functions' | 'queueMappings'>,
  overrides: Record<string, string>,
): FunctionPlan[] {
  const polledFunctions = new Set(queueMappings.map(({ functionName }) => functionName));
  return functions.map((plan) => {
    const overridden = Object.entries(overrides).filter(([name]) => Object.hasOwn(plan.environment, name));
    const isEncoder = plan.code.packageType === 'Image' && !polledFunctions.has(plan.name);
    return {
      ...plan,
      environment: { ...plan.environment, ...imageTools(plan), ...Object.fromEntries(overridden) },
      ...(isEncoder ? { maxConcurrency: availableParallelism() } : {}),
    };
  });
}

function imageTools({ code, environment }: FunctionPlan): Record<string, string> {
  if (code.packageType !== 'Image' || !('FFMPEG_PATH' in environment)) return {};
  const { ffmpeg, ffprobe, vmaf = '' } = findFfmpeg(process.env);
  return { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe, VMAF_PATH: vmaf, FONTS_PATH: findFonts() };
}
