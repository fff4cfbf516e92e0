import type { SuiteRun } from '@media-jobs/conformance';
import {
  buildAvi,
  type Clause,
  expect,
  expectField,
  expectSuccess,
  section,
  submit,
  upload,
  waitForTerminalState,
} from '@media-jobs/conformance';

/** Cut into chunks of 60 seconds. */
const chunkedSeconds = 150;

/** What only a deployed stage has all parts of: storage, the queues of chunks, and playlists at the API's own origin. */
export const media: Clause[] = section('Media', [
  {
    id: 'media.multipart',
    sentence: 'A multipart upload is completed and is the input of a job.',
    check: checkMultipartUpload,
  },
  {
    id: 'media.chunks',
    sentence: 'A fast job of a long video is encoded in chunks.',
    check: async (run) => {
      const whole = await completedJob(run, { ...compress, input: { url: await longVideo(run) } });
      const input = { url: expectField(whole, 'output.signedUrl', 'string') };
      const job = await completedJob(run, { ...compress, input, speed: 'fast' });
      const chunks = expectField(job, 'chunking.chunks', 'number');
      expect(chunks > 1, `The job was not encoded in chunks: ${JSON.stringify(job.chunking)}`);
    },
  },
  {
    id: 'media.isolation',
    sentence: 'ffmpeg is isolated by every layer that the kernel of the stage has.',
    check: async (run) => {
      const job = await completedJob(run, { ...compress, input: { url: await longVideo(run) } });
      const log = expectSuccess(await run.api('GET', `/api/v1/jobs/${expectField(job, 'jobId', 'string')}/log`));
      const [attempt] = (log.attempts ?? []) as { isolation?: string[] }[];
      const layers = attempt?.isolation ?? [];
      expect(layers.includes('no_new_privs'), 'ffmpeg runs without the launcher');
      const missing = ['seccomp', 'landlock'].filter((name) => !layers.some((layer) => layer.startsWith(name)));
      const lacks = missing.length === 0 ? '' : `. This kernel lacks ${missing.join(' and ')}`;
      return `${layers.join(', ')}${lacks}`;
    },
  },
  {
    id: 'media.head',
    sentence: 'A HEAD answers the length of the file to which a GET redirects.',
    check: async (run) => {
      const job = await completedJob(run, { ...compress, input: { url: await longVideo(run) } });
      const url = expectField(job, 'output.signedUrl', 'string');
      const lengthOf = ({ headers }: Response) => headers.get('content-length');
      const head = await fetchFrom(run, url, {}, { method: 'HEAD' });
      const get = await fetchFrom(run, url);
      await get.body?.cancel();
      expect(
        head.ok && lengthOf(head) === lengthOf(get),
        `HEAD answered ${head.status} and ${lengthOf(head)} bytes, GET ${lengthOf(get)} bytes`,
      );
    },
  },
  {
    id: 'media.playlist',
    sentence: 'An HLS playlist is read at the API, and its segments from the storage by redirects.',
    check: async (run) => {
      const request = { output: { format: 'm3u8' }, recipe: { name: 'hls' } };
      const job = await completedJob(run, { ...request, input: { url: await longVideo(run) } });
      const [rendition = ''] = await readPlaylist(run, expectField(job, 'outputs.hls', 'string'));
      const [segment = ''] = await readPlaylist(run, rendition);
      const { status } = await fetchFrom(run, segment, { range: 'bytes=0-99' });
      expect(status === 206, `A segment answered ${status}, not 206`);
    },
  },
]);

const compress = { output: { format: 'mp4' }, recipe: { name: 'compress', crf: 28 } };

const longVideo = (run: SuiteRun) => run.once('long video', () => upload(run, buildAvi({ seconds: chunkedSeconds })));

async function checkMultipartUpload(run: SuiteRun): Promise<void> {
  const file = new Uint8Array(buildAvi({ seconds: 2 }));
  const body = { sizeBytes: file.length, filename: 'multipart.avi', multipart: true };
  const { inputUrl, uploadId, partUrls } = expectSuccess(await run.api('POST', '/api/v1/uploads', { body }));
  expect(Array.isArray(partUrls) && partUrls.length === 1, 'The upload has no URL of its one part');
  const part = await fetchFrom(run, String(partUrls[0]), {}, { method: 'PUT', body: file });
  const etag = part.headers.get('etag') ?? '';
  expect(part.ok && etag !== '', `A part answered ${part.status} with the ETag "${etag}"`);
  const complete = `/api/v1/uploads/${encodeURIComponent(String(uploadId))}/complete`;
  expectSuccess(await run.api('POST', complete, { body: { parts: [{ partNumber: partUrls.length, etag }] } }));
  await completedJob(run, { input: { url: inputUrl }, output: { format: 'json' }, recipe: { name: 'probe' } });
}

async function completedJob(run: SuiteRun, request: object): Promise<Record<string, unknown>> {
  const job = await waitForTerminalState(run, await submit(run, request));
  expect(job.state === 'completed', `The job is ${job.state}: ${JSON.stringify(job.error)}`);
  return job;
}

async function readPlaylist(run: SuiteRun, url: string): Promise<string[]> {
  const response = await fetchFrom(run, url);
  const text = await response.text();
  expect(response.ok && text.startsWith('#EXTM3U'), `A playlist answered ${response.status}: ${text.slice(0, 200)}`);
  return text.split('\n').flatMap((line) => (/^[^#\s]/.test(line) ? new URL(line, url).href : []));
}

function fetchFrom(
  { timeouts }: SuiteRun,
  url: string,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, { ...init, headers, signal: AbortSignal.timeout(timeouts.responseMs) });
}
