import type { Mutant } from './mutant.ts';
import { answering, type Json, set, setting } from './mutation.ts';
import type { Mutation } from './proxy.ts';

const getJob = 'GET /api/v1/jobs/:id';

/** Changes what is read of a job in this state. */
function reading(state: string, change: (job: Json) => void): Mutation {
  return answering(getJob, (job) => {
    if (job.state === state) change(job);
  });
}

/** Says of a job that it is done, but not at the first time that it is. */
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
    how: 'shows another progress than its webhook told',
    found: /progress is 100 in the webhook and 99 when read/,
    api: () => reading('completed', (job) => set(job, 'progress', 99)),
  },
  {
    breaks: 'result.job-id',
    how: 'names another job',
    found: /jobId is "another"/,
    api: () => setting(getJob, 'jobId', 'another'),
  },
  {
    breaks: 'result.state',
    how: 'has a state that is not listed',
    found: /state of a job that has ended is done/,
    api: doneAfterAll,
  },
  {
    breaks: 'result.progress',
    how: 'never comes to 100',
    found: /progress of a completed job is 99/,
    api: () => reading('completed', (job) => set(job, 'progress', 99)),
  },
  {
    breaks: 'result.output',
    how: 'gives a download URL that is not signed',
    found: /output\.signedUrl answers 403/,
    api: () =>
      reading('completed', (job) => withoutSignature(job, 'output.signedUrl', ['output', 'signedUrl'])),
  },
  {
    breaks: 'result.outputs',
    how: 'forgets the second of two outputs',
    found: /outputs of a job that makes two pictures has 1/,
    api: () => reading('completed', (job) => set(job, 'outputs.thumbnail-002', undefined)),
  },
  {
    breaks: 'result.output-files',
    how: 'calls the only output by another name',
    found: /keys of output_files is \["main"\]/,
    api: () =>
      reading('completed', (job) => {
        if ('output' in job) job.output_files = { main: (job.output_files as Json).output };
      }),
  },
  {
    breaks: 'result.error',
    how: 'has an error, null, where nothing failed',
    found: /error is there: null/,
    api: () => reading('completed', (job) => set(job, 'error', null)),
  },
  ...[
    ['file_id', 7, /file_id is 7, which is no string/],
    ['filename', '', /filename is "", which is no string/],
    ['size_mbytes', 4_200, /size_mbytes of a tiny film is 4200/],
    ['duration', 2_000, /duration of a film of two seconds is 2000/],
    ['file_type', 'mp4', /file_type of a film is "mp4"/],
    ['file_format', 'video', /file_format of an mp4 is "video"/],
    ['mime_type', 'application/octet-stream', /mime_type of an mp4 is "application\/octet-stream"/],
    ['codec', 'avc1', /codec of what `compress` made is "avc1"/],
    ['width', '64', /width is "64", which is no integer/],
    ['height', 47.5, /height is 47\.5, which is no integer/],
    ['storage_url', 'https://unreachable.invalid/', /storage_url cannot be downloaded: fetch failed/],
  ].map(([name, value, found]) => ({
    breaks: `file.${String(name).replaceAll('_', '-')}`,
    how: `says that the ${name} of a file is ${value}`,
    found: found as RegExp,
    api: () => setting(getJob, `output_files.output.${name}`, value),
  })),
  ...[
    ['code', 7, /error\.code is 7, which is no string/],
    ['message', '', /error\.message is "", which is no string/],
    ['stage', null, /error\.stage is null, which is no string/],
    ['retryable', 'yes', /error\.retryable is "yes", which is no boolean/],
  ].map(([name, value, found]) => ({
    breaks: `job-error.${name}`,
    how: `says that the ${name} of a failure is ${value}`,
    found: found as RegExp,
    api: () => setting(getJob, `error.${name}`, value),
  })),
];
