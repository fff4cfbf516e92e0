import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createMediaJobs } from '@media-jobs/client';

const { MEDIA_JOBS_URL: baseUrl = '', MEDIA_JOBS_KEY: apiKey = '', PORT = '3000' } = process.env;
const { api } = createMediaJobs({ baseUrl, apiKey });

const files: Record<string, [file: string, type: string]> = {
  '/': ['index.html', 'text/html'],
  '/hls.js': ['node_modules/hls.js/dist/hls.mjs', 'text/javascript'],
};

const server = createServer(async (request, response) => {
  const [pathname = '', query] = (request.url ?? '').split('?');
  const [file, type] = files[pathname] ?? [];
  if (file !== undefined) {
    const content = await readFile(new URL(file, import.meta.url));
    return response.writeHead(200, { 'content-type': type }).end(content);
  }
  // Check here that this viewer may see the job. The URLs of the answer play for an hour.
  const [status, body] = await api
    .createPlayback({ params: { id: new URLSearchParams(query).get('job') ?? '' }, body: { expiresInSeconds: 3600 } })
    .then((playback) => [200, playback] as const)
    .catch((error: Error) => [404, { message: error.message }] as const);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

server.listen(Number(PORT), () =>
  console.log(`Open http://localhost:${(server.address() as { port: number }).port}/?job=JOB-ID`),
);
