// @module-tag packages
import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonWith } from '@media-jobs/testing/python-packages';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, expect, it } from 'vitest';
import { packPython } from '../../lab/pack-python.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

let running: RunningStage;
let python: string;
let folder: string;

beforeAll(async () => {
  const [wheel, stage] = await Promise.all([packPython(), aRunningStage()]);
  running = stage;
  folder = await aTemporaryFolder();
  const environment = await pythonWith('python-client', ['attrs', 'httpx', 'python-dateutil', 'standardwebhooks']);
  python = resolve(environment);
  await promisify(execFile)(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, wheel]);
  await copyFile(await clipWith(), join(folder, 'holiday.mov'));
}, 600_000);

/** Runs a program with the installed client, in a folder that has `holiday.mov`. Returns what it prints. */
async function run(program: string, url = running.stage.baseUrl): Promise<string> {
  const env = { PATH: process.env.PATH, MEDIA_JOBS_URL: url, MEDIA_JOBS_KEY: running.apiKey };
  const { stdout } = await promisify(execFile)(python, ['-c', program], { cwd: folder, env });
  return stdout.trim();
}

it("the README's example compresses a local file and saves the result", async () => {
  const [, example = ''] = /```python\n([\s\S]*?)```/.exec(await readFile('packages/python/README.md', 'utf8')) ?? [];
  expect(await run(example)).toMatch(/uploading 100\.0[\s\S]*done 100/);
  expect((await stat(join(folder, 'holiday-small.mp4'))).size).toBeGreaterThan(1_000);
});

it('the program of the examples does the same', async () => {
  await rm(join(folder, 'holiday-small.mp4'));
  expect(await run(await readFile('examples/python/upload.py', 'utf8'))).toContain('done 100 %');
  expect((await stat(join(folder, 'holiday-small.mp4'))).size).toBeGreaterThan(1_000);
});

it('a larger file goes up in parts, and its input serves several jobs', async () => {
  const program = `
import os
import os
from media_jobs import MediaJobs
with open("holiday.mov", "rb") as clip, open("large.mov", "wb") as large:
    large.write(clip.read())
    large.write(b"\\0\\0\\0\\x08free" * (12 * 1024**2 // 8))
client = MediaJobs()
seen = []
source = client.upload("large.mov", on_progress=lambda stage, percent: seen.append(percent))
thumbnail = client.run(source, {"name": "thumbnail"})
outputs = {"poster": {"recipe": {"name": "thumbnail"}, "format": "jpg"}, "sound": {"recipe": {"name": "extract-audio"}, "format": "mp3"}}
both = client.run(source, {"outputs": outputs}, metadata={"order": "17"})
print(len(seen) > 1, seen[-1], thumbnail.files["output"].mime_type, sorted(both.files), both.job["metadata"])`;
  expect(await run(program)).toBe("True 100.0 image/jpeg ['poster', 'sound'] {'order': '17'}");
});

it('a rejected job and an invalid request are errors with code and path', async () => {
  const program = `
import os
from media_jobs import ApiError, JobError, MediaJobs
client = MediaJobs()
try:
    client.run(os.environ["MEDIA_JOBS_URL"] + "/nothing.mp4", {"name": "thumbnail"})
except JobError as error:
    print(error.job["state"], error.job["error"]["code"])
try:
    client.submit(os.environ["MEDIA_JOBS_URL"] + "/nothing.mp4", {"name": "compress", "crf": 99})
except ApiError as error:
    print(error.status, error.code, error.details[0]["path"])`;
  expect(await run(program)).toMatch(/^rejected \w+\n400 VALIDATION_ERROR recipe\.crf$/);
});

/** A proxy of the API that loses the first answer of a route. */
async function aLossyApi(route: RegExp) {
  const keys: unknown[] = [];
  const proxy = await aWebServer(async ({ method, path, headers, body }, response) => {
    const { host: _, connection: __, 'content-length': ___, ...others } = headers;
    const answer = await fetch(running.stage.baseUrl + path, {
      method,
      headers: others as never,
      ...(body && { body }),
    });
    const isOfRoute = route.test(`${method} ${path}`);
    if (isOfRoute && keys.push(headers['idempotency-key']) === 1) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  return { ...proxy, keys };
}

it('a submission whose answer is lost is repeated under its key: there is one job', async () => {
  const proxy = await aLossyApi(/^POST .*\/jobs$/);
  const program = `
import os
from media_jobs import MediaJobs
from media_jobs.generated.api.jobs import list_jobs
from media_jobs.generated.models import ListJobsMetadata
client = MediaJobs()
job = client.submit(os.environ["MEDIA_JOBS_URL"] + "/nothing.mp4", {"name": "thumbnail", "format": "jpg"}, metadata={"lost": "answer"})
found = list_jobs.sync(client=client.api, metadata=ListJobsMetadata.from_dict({"metadata.lost": "answer"}))
print([each.job_id for each in found.jobs] == [job["jobId"]])`;
  expect(await run(program, proxy.origin)).toBe('True');
  expect(proxy.keys).toEqual([expect.any(String), proxy.keys[0]]);
});

it('an upload whose completion was not answered is complete', async () => {
  const proxy = await aLossyApi(/^POST .*\/complete$/);
  const program = `
from media_jobs import MediaJobs
with open("parts.mov", "wb") as file:
    file.truncate(12 * 1024**2)
print(MediaJobs().upload("parts.mov").startswith("upload://"))`;
  expect(await run(program, proxy.origin)).toBe('True');
  expect(proxy.keys).toHaveLength(2);
});

it('a webhook is verified, and a changed one is refused', async () => {
  const program = `
import datetime
from standardwebhooks import Webhook, WebhookVerificationError
from media_jobs import verify_webhook
secret, now = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", datetime.datetime.now(tz=datetime.timezone.utc)
body = '{"data": {"state": "completed"}}'
headers = {"webhook-id": "evt_1", "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": Webhook(secret).sign("evt_1", now, body)}
print(verify_webhook(body, headers, secret)["data"]["state"])
try:
    verify_webhook(body.replace("completed", "failed"), headers, secret)
except WebhookVerificationError:
    print("refused")`;
  expect(await run(program)).toBe('completed\nrefused');
});
