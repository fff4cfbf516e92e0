import type { Mutant } from './mutant.ts';
import { changingResponse, type Json, set, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const getJob = 'GET /api/v1/jobs/:id';

/** Changes the response for a job in this state. */
function reading(state: string, change: (job: Json) => void): Mutation {
  return changingResponse(getJob, (job) => {
    if (job.state === state) change(job);
  });
}

/** Delays the terminal state of a job by one read. */
function doneAfterAll(): Mutation {
  let times = 0;
  return reading('completed', (job) => {
    times += 1;
    if (times > 1) job.state = 'done';
  });
}

function withoutSignature(job: Json, path: string, names: string[]): void {
  const url = names.reduce<unknown>((value, name) => (value as Json)[name], job);
  set(job, path, String(url).split('?')[0]);
}

export const resultMutants: Mutant[] = [
  {
    breaks: 'result.same-fields',
    how: 'returns another progress than in the webhook',
    found: /progress is 100 in the webhook and 99 when read/,
    api: () => reading('completed', (job) => set(job, 'progress', 99)),
  },
  {
    breaks: 'result.job-id',
    how: 'returns another job id',
    found: /jobId is "another"/,
    api: () => setting(getJob, 'jobId', 'another'),
  },
  {
    breaks: 'result.state',
    how: 'returns an unknown state',
    found: /state of a job that has ended is done/,
    api: doneAfterAll,
  },
  {
    breaks: 'result.progress',
    how: 'never reaches progress 100',
    found: /progress of a completed job is 99/,
    api: () => reading('completed', (job) => set(job, 'progress', 99)),
  },
  {
    breaks: 'result.output',
    how: 'returns an unsigned download URL',
    found: /output\.signedUrl returns 403/,
    api: () =>
      reading('completed', (job) => withoutSignature(job, 'output.signedUrl', ['output', 'signedUrl'])),
  },
  {
    breaks: 'result.outputs',
    how: 'omits the second output',
    found: /outputs of a job that makes two images has 1/,
    api: () => reading('completed', (job) => set(job, 'outputs.thumbnail-002', undefined)),
  },
  {
    breaks: 'result.output-files',
    how: 'returns the single output under another name',
    found: /keys of output_files is \["main"\]/,
    api: () =>
      reading('completed', (job) => {
        if ('output' in job) job.output_files = { main: (job.output_files as Json).output };
      }),
  },
  {
    breaks: 'result.error',
    how: 'returns error: null without a failure',
    found: /error is there: null/,
    api: () => reading('completed', (job) => set(job, 'error', null)),
  },
  ...[
    ['file_id', 7, /file_id is 7, expected string/],
    ['filename', '', /filename is "", expected string/],
    ['size_mbytes', 4_200, /size_mbytes of a tiny video is 4200/],
    ['duration', 2_000, /duration of a video of two seconds is 2000/],
    ['file_type', 'mp4', /file_type of a video is "mp4"/],
    ['file_format', 'video', /file_format of an mp4 is "video"/],
    ['mime_type', 'application/octet-stream', /mime_type of an mp4 is "application\/octet-stream"/],
    ['codec', 'avc1', /codec of what `compress` made is "avc1"/],
    ['width', '64', /width is "64", expected integer/],
    ['height', 47.5, /height is 47\.5, expected integer/],
    ['storage_url', 'https://unreachable.invalid/', /storage_url cannot be downloaded: fetch failed/],
  ].map(([name, value, found]) => ({
    breaks: `file.${String(name).replaceAll('_', '-')}`,
    how: `returns ${value} as ${name} of a file`,
    found: found as RegExp,
    api: () => setting(getJob, `output_files.output.${name}`, value),
  })),
  ...[
    ['code', 7, /error\.code is 7, expected string/],
    ['message', '', /error\.message is "", expected string/],
    ['stage', null, /error\.stage is null, expected string/],
    ['retryable', 'yes', /error\.retryable is "yes", expected boolean/],
  ].map(([name, value, found]) => ({
    breaks: `job-error.${name}`,
    how: `returns ${value} as ${name} of a failure`,
    found: found as RegExp,
    api: () => setting(getJob, `error.${name}`, value),
  })),
];
