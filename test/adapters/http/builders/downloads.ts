import { readdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { JobError } from '@media-jobs/video/errors';
import { beforeEach, expect } from 'vitest';
import { downloadInput } from '../../../../adapters/http/download-input.ts';
import { type Network, systemNetwork } from '../../../../adapters/http/open-connection.ts';
import type { DownloadRequest } from '../../../../core/net/ports.ts';
import { loopback } from './networks.ts';
import { anHttpServer } from './servers.ts';

/** Limits that no test reaches, even on a slow machine. */
export const generous = {
  maxBytes: 1e9,
  totalMs: 60_000,
  idleMs: 60_000,
  minRate: { bytes: 0, windowMs: 60_000 },
  connectMs: 60_000,
};

/** The system network without pauses between resumptions. */
export const networkWithoutPauses: Network = { ...systemNetwork, pause: async () => {} };

/** Call once per test file: gives each test an empty folder and functions that download into it. */
export function downloads() {
  let folder = '';
  beforeEach(async () => {
    folder = await aTemporaryFolder();
  });

  const path = () => join(folder, 'input');
  const remains = () => readdir(folder);

  function aDownload(more: Partial<DownloadRequest> & { url: string }): DownloadRequest {
    return { path: path(), limits: generous, reachable: loopback, userAgent: 'media-jobs/test', ...more };
  }

  async function downloadFrom(listener: RequestListener, more: Partial<DownloadRequest> = {}) {
    const port = await anHttpServer(listener);
    return downloadInput(aDownload({ url: `http://127.0.0.1:${port}/a.mp4`, ...more }), networkWithoutPauses);
  }

  /** The failure of a download, which must leave no file behind. */
  async function failureOf(download: Promise<unknown>): Promise<JobError> {
    const error = await download.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof JobError)) throw new Error('expected a JobError', { cause: error });
    expect(await remains()).toEqual([]);
    return error;
  }

  return { path, remains, aDownload, downloadFrom, failureOf };
}
