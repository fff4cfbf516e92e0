import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { chunkSource, clipWith } from '@media-jobs/video/testing';
import { expect, vi } from 'vitest';
import { allScopes } from '../../core/access/scopes.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { LocalStageOptions } from '../../lib/local/start-stage.ts';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import { type Api, aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

export type StorageStage = {
  running: RunningStage;
  /** Serves `/short.mp4` and `/video.mp4`, and answers `/hook`. */
  customer: WebServer;
  /** With a key of every scope. */
  api: Api;
  /** Submits a job, by default `compress` of `/short.mp4`, and waits for its end. */
  run(request: object): Promise<JobResource>;
  /** Deletes a job and runs reconcile until nothing of it is left in the stage. */
  removeJob(job: JobResource, query?: string): Promise<void>;
};

/** A stage that encodes in chunks of three seconds, for tests of storage providers. */
export async function aStorageStage(options: Partial<LocalStageOptions> = {}): Promise<StorageStage> {
  const files = { '/short.mp4': await clipWith(), '/video.mp4': await chunkSource('constantRate') };
  const customer = await aWebServer(async ({ path }, response) => {
    response.end(path === '/hook' ? '' : await readFile(files[path as keyof typeof files]));
  });
  const chunks = chunkSettingsSchema.parse({ targetChunkSeconds: 3 });
  const running = await aRunningStage({ ...options, environment: { CHUNKING_SETTINGS: JSON.stringify(chunks) } });
  const api = running.apiAs(await anApiKeyOf(running.stage, localOwnerId, { scopes: allScopes }));
  return {
    running,
    customer,
    api,
    async run(request) {
      const { jobId } = await submitJob(api, {
        input: { url: `${customer.origin}/short.mp4` },
        recipe: { name: 'compress', crf: 28, preset: 'ultrafast' },
        ...request,
      });
      return waitForJobEnd(api, jobId);
    },
    async removeJob({ jobId }, query = '') {
      expect((await api('DELETE', `/api/v1/jobs/${jobId}${query}`)).status).toBe(204);
      await vi.waitFor(
        async () => {
          await running.stage.fireSchedules();
          expect(await storedKeys(running, `/${jobId}/`)).not.toContainEqual(expect.stringMatching(/^(work|jobs)\//));
        },
        { timeout: 60_000, interval: 500 },
      );
    },
  };
}
