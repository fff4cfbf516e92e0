import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFfmpeg } from '../local/ffmpeg.ts';
import { makeClip } from '../local/sample/clip.ts';
import { checks, runChecks } from './deploy-check/run-checks.ts';

const usage = `Checks a deployed stage from outside: its contracts, who may call it from where, and one real job.

  npm run deploy:check -- --url https://media.example.com --key nte_... [--origin URL] [--clip FILE] [--no-dashboard]

  --url URL        the output Url of the deployment
  --key KEY        an API key; the job and its files belong to its owner, and are deleted afterwards
  --origin URL     the setting dashboardOrigin, where there is one (default: any)
  --clip FILE      a short clip to transcode (default: one that is made)
  --no-dashboard   the stage has none
`;

async function check(): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      origin: { type: 'string', default: 'https://anywhere.example' },
      clip: { type: 'string' },
      dashboard: { type: 'boolean', default: true },
    },
  });
  const { url, key: apiKey, origin, clip, dashboard: hasDashboard } = values;
  if (url === undefined || apiKey === undefined) throw new Error(usage);
  const directory = await mkdtemp(join(tmpdir(), 'media-jobs-check-'));
  try {
    const clipPath = clip ?? join(directory, 'clip.mp4');
    if (clip === undefined) await makeClip({ ...findFfmpeg(process.env), path: clipPath, seconds: 5 });
    const target = { baseUrl: url.replace(/\/$/, ''), apiKey, origin, clipPath, hasDashboard };
    return await runChecks(target, (line) => console.log(line));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

try {
  const failed = await check();
  console.log(failed === 0 ? `All ${checks.length} checks passed.` : `${failed} of ${checks.length} failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
