import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { runMain } from '../lib/build/run-main.ts';
import {
  ageInDays,
  type DatedVersion,
  maxAgeDays,
  parseStamp,
  pinnedPackages,
} from '../lib/operator/pinned-versions.ts';
import { checkAges } from '../lib/operator/preflight/check-ages.ts';
import { readAudit } from './weekly/read-audit.ts';

const usage = `Prints the known vulnerabilities of the npm packages, and the ages of Debian's packages in the image and of ffmpeg on this
machine. Run it every week. Exit codes: 0 nothing to do, 1 a vulnerability of severity high or critical, or a version in the
image over ${maxAgeDays} days old, 2 the registry has no advisories.

  npm run weekly
`;

const run = promisify(execFile);

/** The output of npm audit, which exits with 1 if it finds anything. */
async function audit(): Promise<string> {
  const done = await run('npm', ['audit', '--json']).catch((error: { stdout?: string }) => error);
  return done.stdout ?? '';
}

async function localProgram(name: 'ffmpeg' | 'ffprobe', file: string): Promise<DatedVersion> {
  const { stdout } = await run(file, ['-version']);
  const version = /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
  return { name: `${name} of this machine`, version, at: parseStamp(version) };
}

/** Returns whether anything has to be done. */
async function weekly(now: Date): Promise<boolean> {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const pinned = await pinnedPackages();
  const local = [await localProgram('ffmpeg', ffmpeg), await localProgram('ffprobe', ffprobe)];
  for (const { name, version, at } of [...pinned, ...local]) {
    const days = ageInDays({ at }, now);
    const age = days === undefined ? 'of unknown age' : `${days} days old`;
    console.log(`  ${name}: ${version}, ${age}`);
  }
  const { found, isUrgent } = readAudit(await audit());
  for (const { line } of found) console.log(`  ${line}`);
  console.log(`${found.length} packages of npm have known vulnerabilities.`);
  return isUrgent || checkAges(pinned, now).length > 0;
}

await runMain(
  async () => {
    const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
    if (values.help) console.log(usage);
    else if (await weekly(new Date())) process.exitCode = 1;
  },
  { failureCode: 2 },
);
