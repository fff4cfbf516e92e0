import { availableParallelism } from 'node:os';
import { findFfmpeg } from '../find-ffmpeg.ts';
import { findFonts } from '../fonts.ts';
import type { FunctionPlan, StagePlan } from '../template/stage-plan.ts';
import type { TaskDefinitionPlan } from '../template/task-definition-plan.ts';

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
    const isEncoder = plan.code.packageType === 'Image' && !polledFunctions.has(plan.name);
    return {
      ...plan,
      environment: { ...plan.environment, ...imageTools(plan), ...overriding(plan.environment, overrides) },
      ...(isEncoder ? { maxConcurrency: availableParallelism() } : {}),
    };
  });
}

/** Adapts the task definitions in the same way. A task uses the processors of this machine, if they are fewer. */
export function localTaskDefinitions(
  { taskDefinitions }: Pick<StagePlan, 'taskDefinitions'>,
  overrides: Record<string, string>,
): TaskDefinitionPlan[] {
  return taskDefinitions.map((plan) => ({
    ...plan,
    environment: {
      ...plan.environment,
      ...localTools(plan.environment),
      FARGATE_VCPUS: String(Math.min(Number(plan.environment.FARGATE_VCPUS ?? 1), availableParallelism())),
      ...overriding(plan.environment, overrides),
    },
  }));
}

function overriding(environment: Record<string, string>, overrides: Record<string, string>) {
  return Object.fromEntries(Object.entries(overrides).filter(([name]) => Object.hasOwn(environment, name)));
}

function imageTools({ code, environment }: FunctionPlan): Record<string, string> {
  return code.packageType === 'Image' ? localTools(environment) : {};
}

function localTools(environment: Record<string, string>): Record<string, string> {
  if (!('FFMPEG_PATH' in environment)) return {};
  const { ffmpeg, ffprobe, vmaf = '' } = findFfmpeg(process.env);
  return { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe, VMAF_PATH: vmaf, FONTS_PATH: findFonts() };
}
