import { availableParallelism } from 'node:os';
import { type Stage, type StageOptions, startStage } from '@media-jobs/local-stage';
import type { PageHandler } from '@media-jobs/local-stage/http';
import { findFfmpeg, findFonts } from '@media-jobs/video/local-programs';
import { localLauncher } from './build-launcher.ts';
import { serveDashboard } from './pages.ts';

export type LocalStageOptions = Omit<StageOptions, 'environment' | 'pages'> & {
  /** Overrides environment variables of the functions that have them in the template. */
  environment?: Record<string, string>;
  /** Folder of the built dashboard, served at /app. */
  dashboardDirectory?: string;
  /** More pages at the stage's origin. */
  samples?: PageHandler;
};

/**
 * Runs a synthesized assembly of this service on this machine, with the ffmpeg and the fonts that are here.
 *
 * @throws TemplateError naming the resource and property that cannot run here; FfmpegMissingError
 */
export async function startLocalStage({
  environment = {},
  dashboardDirectory: directory,
  samples,
  ...options
}: LocalStageOptions): Promise<Stage> {
  const { directory: launcher = '' } = await localLauncher();
  return startStage({
    ...options,
    environment: (template) => ({ ...toolsOf(template, launcher), ...processorsOf(template), ...environment }),
    async pages({ identity, s3Endpoint }) {
      if (!identity || directory === undefined) return samples;
      const dashboard = await serveDashboard({ directory, identity, s3Endpoint });
      return (...request) => samples?.(...request) ?? dashboard(request[0], request[1]);
    },
  });
}

type Variables = Readonly<Record<string, string>>;

/** The container image has programs and fonts of its own. */
function toolsOf({ FFMPEG_PATH }: Variables, launcher: string): Record<string, string> {
  if (FFMPEG_PATH === undefined) return {};
  const { ffmpeg, ffprobe, vmaf = '' } = findFfmpeg(process.env);
  const programs = { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe, VMAF_PATH: vmaf, FONTS_PATH: findFonts() };
  return { ...programs, LAUNCHER_DIRECTORY: launcher };
}

/** A task uses the processors of this machine, if they are fewer. */
function processorsOf({ FARGATE_VCPUS }: Variables): Record<string, string> {
  if (FARGATE_VCPUS === undefined) return {};
  return { FARGATE_VCPUS: String(Math.min(Number(FARGATE_VCPUS), availableParallelism())) };
}
