import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createMediaJobs } from '@media-jobs/client';

const { MEDIA_JOBS_URL: baseUrl = '', MEDIA_JOBS_KEY: apiKey = '', PORT = '3000' } = process.env;
const { api, jobs } = createMediaJobs({ baseUrl, apiKey });

const files: Record<string, [file: string, type: string]> = {
  '/': ['index.html', 'text/html'],
  '/media-jobs.js': ['node_modules/@media-jobs/client/dist/index.js', 'text/javascript'],
  '/uppy.js': ['node_modules/uppy/dist/uppy.min.mjs', 'text/javascript'],
  '/uppy.css': ['node_modules/uppy/dist/uppy.min.css', 'text/css'],
};

/** A key for one visitor: it uploads for ten minutes, and does nothing else. Your sign-in comes before it. */
async function keyOfVisitor() {
  const expiresAt = new Date(Date.now() + 10 * 60_000).toISOString();
  const { key } = await api.createKey({ body: { name: 'Visitor', scopes: ['uploads'], expiresAt } });
  return { baseUrl, key };
}

/** The server decides what happens to an upload. */
async function compress({ inputUrl }: { inputUrl: string }) {
  const { jobId } = await jobs.submit(inputUrl, { name: 'compress', maxHeight: 720, format: 'mp4' });
  return { jobId };
}

const answer = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const server = createServer(async (request, response) => {
  try {
    const { method, url = '/' } = request;
    const [file, type] = files[url] ?? [];
    if (method === 'POST' && url === '/key') return answer(response, 201, await keyOfVisitor());
    if (method === 'POST' && url === '/jobs')
      return answer(response, 201, await compress((await json(request)) as never));
    if (file === undefined) return answer(response, 404, { message: 'Not found' });
    const content = await readFile(new URL(file, import.meta.url));
    response.writeHead(200, { 'content-type': type }).end(content);
  } catch (error) {
    console.error(error);
    answer(response, 502, { message: 'The media job service did not accept the request' });
  }
});

server.listen(Number(PORT), () => console.log(`Open http://localhost:${(server.address() as { port: number }).port}`));
