import { readFile, rm } from 'node:fs/promises';
import { afterUse } from '@media-jobs/testing/after-use';
import { runningEncoders } from '@media-jobs/testing/running-encoders';
import { aWebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';

export type SlowProcessorsStage = {
  running: RunningStage;
  /** Submits a job that is not split, because only a short time range of the video is kept. Returns its id. */
  submit(request?: object): Promise<string>;
  /** Process ids of ffmpeg. */
  encoders(): number[];
};

/**
 * A stage with another worker for whole jobs.
 * @param assemblyDirectory removed when the stage stops
 * @param slowness of its processors, so that half a minute of video takes too long for a function
 */
export async function aSlowProcessorsStage({
  assemblyDirectory,
  slowness,
}: {
  assemblyDirectory: string;
  slowness: number;
}): Promise<SlowProcessorsStage> {
  afterUse(() => rm(assemblyDirectory, { recursive: true, force: true }));
  const video = await aClip();
  const customer = await aWebServer(async (_, response) => void response.end(await readFile(video)));
  const environment = { PROCESSOR_SLOWNESS: String(slowness) };
  const running = await aRunningStage({ assemblyDirectory, environment });
  return {
    running,
    async submit(request = {}) {
      const input = { url: `${customer.origin}/video.mp4` };
      const recipe = { name: 'clip', start: 1, end: 25 };
      return (await submitJob(running.api, { input, recipe, ...request })).jobId;
    },
    encoders: () => runningEncoders(running.dataDirectory),
  };
}

/** A pattern whose encoding takes longer than the interval of two heartbeats, which write the stage of a job. */
function aClip(): Promise<string> {
  const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=50:duration=26'];
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  return generatedFile('slow-processors.mp4', [...pattern, ...encoder]);
}
