// @module-tag jobs
// @module-tag nightly
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import {
  bareFfprobe,
  decodeFrameAt,
  generatedFile,
  loudnessAt,
  readMasterPlaylist,
  srtOf,
} from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

/** The requests of the cookbook as editors send them, by their titles. */
const requests = new Map(
  (await readFile('examples/jobs.http', 'utf8')).split(/^### /m).map((request) => {
    const [, title = '', line = '', headers = '', body] =
      /^(.+)\n([A-Z]+ .+)\n((?:[\w-]+: .+\n)*)\n?([\s\S]*)$/.exec(request) ?? [];
    return [title, { line, headers, body: body?.trim() || undefined }] as const;
  }),
);

/** Sends a request with the variables of the file set to the stage. */
async function send(title: string): Promise<{ status: number; body: unknown }> {
  const set = (text = '') =>
    text
      .replaceAll('{{url}}', running.stage.baseUrl)
      .replaceAll('{{key}}', running.apiKey)
      .replaceAll('https://example.com', customer.origin);
  const { line, headers, body } = requests.get(title) ?? {};
  const [method = '', url = ''] = set(line).split(' ');
  const pairs = set(headers)
    .trim()
    .split('\n')
    .map((header) => header.split(': ') as [string, string]);
  const response = await fetch(url, { method, headers: pairs, ...(body && { body: set(body) }) });
  return { status: response.status, body: await response.json() };
}

let files: Awaited<ReturnType<typeof mediaFiles>>;
let running: RunningStage;
let customer: WebServer;
let folder: string;

/** Three stripes, red, green and blue, and a tone. */
const stripes = (size: string, seconds: number) => [
  ...['-f', 'lavfi', '-i', `color=0x20c020:size=${size}:rate=25:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`],
  ...['-vf', 'drawbox=x=0:w=iw/3:t=fill:color=0xd02020,drawbox=x=iw*2/3:w=iw/3:t=fill:color=0x2020d0'],
  ...['-af', 'volume=0.05', '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
];

function mediaFiles(): Record<string, Promise<string>> {
  const pattern = (size: string, seconds: number) => [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`],
  ];
  const h264 = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];
  const captions = `data:text/plain;base64,${Buffer.from(srtOf('Welcome', 'to the lesson')).toString('base64')}`;
  const upright = generatedFile('upright.mp4', stripes('640x360', 3));
  return {
    '/lesson.mkv': generatedFile('lesson.mkv', [
      ...pattern('1280x720', 6),
      ...['-i', captions, '-map', '0', '-map', '1', '-map', '2', '-c:s', 'srt', '-metadata:s:s:0', 'language=eng'],
      ...h264,
    ]),
    '/match.mp4': generatedFile('match.mp4', stripes('1280x720', 6)),
    '/interview.mp4': generatedFile('interview.mp4', stripes('320x180', 6)),
    '/demo.mp4': generatedFile('demo.mp4', [...pattern('640x360', 5), ...h264]),
    '/meeting.webm': generatedFile('meeting.webm', [
      ...pattern('640x480', 6),
      '-c:v',
      'libvpx',
      '-b:v',
      '1M',
      '-c:a',
      'libopus',
    ]),
    '/phone.mov': upright.then((path) =>
      generatedFile('phone.mov', ['-display_rotation', '90', '-i', path, '-c', 'copy']),
    ),
    '/cover.png': generatedFile('cover.png', ['-f', 'lavfi', '-i', 'color=orange:size=600x600', '-frames:v', '1']),
  };
}

beforeAll(async () => {
  files = mediaFiles();
  customer = await aWebServer(
    async ({ path }, response) => void response.end(await readFile((await files[path]) ?? '')),
  );
  running = await aRunningStage();
  folder = await aTemporaryFolder();
});

/** Runs the request under a heading. Returns the job, and a function that downloads a file of it. */
async function cooked(title: string) {
  const { status, body: submitted } = await send(title);
  expect({ status, submitted }).toMatchObject({ status: 201 });
  const job = await waitForJobEnd(running.api, (submitted as JobResource).jobId);
  expect(job).toMatchObject({ state: 'completed', warnings: [] });
  const fileOf = async (name: string) => {
    const response = await fetch(job.outputs?.[name] ?? '');
    expect([name, response.status]).toEqual([name, 200]);
    await mkdir(join(folder, title), { recursive: true });
    const path = join(folder, title, `${name.replace('/', '-')}.${job.output_files?.[name]?.file_format}`);
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    return path;
  };
  return { job, fileOf, names: Object.keys(job.outputs ?? {}).filter((name) => !name.includes('/')) };
}

/** The streams and the container of a file, as ffprobe shows them. */
async function probeOf(path: string) {
  const lines = await bareFfprobe(['-show_streams', '-show_format', '-of', 'json', path]);
  type Stream = Record<string, unknown> & {
    codec_type: string;
    codec_name: string;
    disposition: Record<string, number>;
  };
  return JSON.parse(lines.join('')) as {
    streams: Stream[];
    format: { duration: string; tags?: Record<string, string> };
  };
}

const near = ([red = 0, green = 0, blue = 0]: readonly number[]) =>
  [red, green, blue].map((value) => expect.closeTo(value, -1.7));

describe('the cookbook', () => {
  it('has ten jobs', () => expect([...requests.values()].filter(({ body }) => body)).toHaveLength(10));

  it('makes the parts of a course video', async () => {
    const { job, fileOf, names } = await cooked('Course video');
    expect(names.toSorted()).toEqual(['captions', 'download', 'poster', 'stream']);
    const { sizes, subtitles } = readMasterPlaylist(await readFile(await fileOf('stream'), 'utf8'));
    expect([sizes.length > 1, Object.keys(subtitles)]).toEqual([true, ['English']]);
    expect(await readFile(await fileOf('captions'), 'utf8')).toContain('to the lesson');
    expect(job.output_files).toMatchObject({
      poster: { width: 1280, height: 720 },
      download: { width: 1280, height: 720, duration: expect.closeTo(6, 1) },
    });
    expect(spread(await decodeFrameAt(await fileOf('poster'), 0))).toBeGreaterThan(100);
  });

  it('makes a social clip of the side that gravity names', async () => {
    const { fileOf, names } = await cooked('Social clip');
    expect(names.toSorted()).toEqual(['cover', 'vertical']);
    const vertical = await fileOf('vertical');
    const { streams, format } = await probeOf(vertical);
    expect(streams).toMatchObject([{ width: 1080, height: 1920 }, { codec_name: 'aac' }]);
    expect(Number(format.duration)).toBeCloseTo(3, 1);
    for (const path of [vertical, await fileOf('cover')]) {
      const frame = await decodeFrameAt(path, 0);
      // The right third and no more: 9/16 of the height of 16:9 is 0.316 of its width.
      for (const x of [20, 540, 1060]) expect(frame.colour(x, 960)).toEqual(near([32, 32, 208]));
    }
  });

  it('makes a podcast with tags and cover, at the loudness of podcasts', async () => {
    const { fileOf, names } = await cooked('Podcast');
    expect(names).toEqual(['episode']);
    const path = await fileOf('episode');
    const { streams, format } = await probeOf(path);
    expect(format.tags).toMatchObject({ title: 'Episode 12', artist: 'The Hosts', album: 'The Show', date: '2026' });
    expect(streams).toMatchObject([
      { codec_name: 'mp3', bit_rate: '96000' },
      { codec_name: 'mjpeg', width: 600, height: 600, disposition: { attached_pic: 1 } },
    ]);
    expect((await decodeFrameAt(path, 0)).colour(300, 300)).toEqual(near([255, 165, 0]));
    expect(
      (await loudnessAt(path, 440)) - (await loudnessAt((await files['/interview.mp4']) ?? '', 440)),
    ).toBeGreaterThan(6);
  });

  it('makes a GIF and a far smaller WebP', async () => {
    const { job, fileOf } = await cooked('GIF preview');
    const { gif, webp } = job.output_files ?? {};
    expect([gif?.width, webp?.width, gif?.duration]).toEqual([320, 320, expect.closeTo(2, 1)]);
    expect(webp?.size_mbytes).toBeLessThan((gif?.size_mbytes ?? 0) / 2);
    expect(spread(await decodeFrameAt(await fileOf('gif'), 1))).toBeGreaterThan(100);
    await fileOf('webp');
  });

  it('makes what a player shows', async () => {
    const { fileOf, names } = await cooked('Player set');
    expect(names.toSorted()).toEqual(['captions', 'poster', 'preview', 'stream']);
    const cues = await readFile(await fileOf('preview'), 'utf8');
    expect(cues.match(/#xywh=/g)?.length).toBeGreaterThanOrEqual(6);
    const sheet = await decodeFrameAt(await fileOf('preview/sprite-001'), 0);
    expect([sheet.width, spread(sheet)]).toEqual([5 * 160, expect.closeTo(255, -2)]);
    expect(await readFile(await fileOf('captions'), 'utf8')).toContain('Welcome');
    await fileOf('poster');
  });

  it('keeps an archive', async () => {
    const { job, fileOf } = await cooked('Archive');
    expect(job.filesExpireAt).toBeNull();
    const { streams } = await probeOf(await fileOf('master'));
    expect(streams).toMatchObject([
      { codec_name: 'prores', profile: 'HQ', width: 1280 },
      { codec_name: expect.stringMatching(/^pcm/) },
    ]);
    expect(job.output_files?.proxy).toMatchObject({ height: 360 });
    expect(JSON.parse(await readFile(await fileOf('properties'), 'utf8'))).toHaveProperty('streams');
  });

  it('makes a meeting recording', async () => {
    const { fileOf, job } = await cooked('Meeting recording');
    const { streams } = await probeOf(await fileOf('video'));
    expect(streams).toMatchObject([{ codec_name: 'h264', height: 480 }, { codec_name: 'aac' }]);
    expect((await probeOf(await fileOf('sound'))).streams).toMatchObject([{ codec_type: 'audio' }]);
    expect(job.output_files?.slides).toMatchObject({ file_type: 'image' });
    expect(spread(await decodeFrameAt(await fileOf('slides'), 0))).toBeGreaterThan(100);
  });

  it('makes a product loop without sound', async () => {
    const { fileOf, names } = await cooked('Product loop');
    expect(names.toSorted()).toEqual(['first', 'loop', 'webm']);
    for (const [name, codec] of [
      ['loop', 'h264'],
      ['webm', 'vp9'],
    ] as const) {
      const { streams, format } = await probeOf(await fileOf(name));
      expect([name, streams.map(({ codec_name }) => codec_name)]).toEqual([name, [codec]]);
      expect(Number(format.duration)).toBeCloseTo(2, 1);
    }
    await fileOf('first');
  });

  it('makes an e-mail preview of little weight', async () => {
    const { job, fileOf } = await cooked('E-mail preview');
    expect(job.output_files).toMatchObject({ animation: { width: 240 }, picture: { width: 600 } });
    expect(job.output_files?.animation?.size_mbytes).toBeLessThan(1);
    for (const name of ['animation', 'picture']) await fileOf(name);
  });

  it('makes a phone upload upright, and no 4K of less', async () => {
    const { job, fileOf, names } = await cooked('Phone upload');
    expect(names.toSorted()).toEqual(['poster', 'video']);
    expect(job.outputStates).toMatchObject({ large: { state: 'skipped' }, video: { state: 'completed' } });
    const frame = await decodeFrameAt(await fileOf('video'), 1);
    expect([frame.width, frame.height]).toEqual([360, 640]);
    // A turn to the left brings the blue of the right side to the top.
    expect([frame.colour(180, 40), frame.colour(180, 600)]).toEqual([near([32, 32, 208]), near([208, 32, 32])]);
    await fileOf('poster');
    const newest = await send('The newest job, with the URLs of its files');
    expect(newest).toMatchObject({
      status: 200,
      body: { jobs: [{ jobId: job.jobId, outputs: { video: job.outputs?.video } }] },
    });
  });
});

/** The difference of the brightest and the darkest of a few pixels. */
function spread({ width, height, colour }: Awaited<ReturnType<typeof decodeFrameAt>>): number {
  const values = Array.from({ length: 64 }, (_, index) =>
    colour(Math.floor((((index % 8) + 0.5) * width) / 8), Math.floor(((Math.floor(index / 8) + 0.5) * height) / 8)),
  ).flat();
  return Math.max(...values) - Math.min(...values);
}
