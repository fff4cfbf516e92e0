import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ffmpegEncoder } from '../adapters/ffmpeg/encoder.ts';
import { readServiceAccess } from '../cli/environment.ts';
import { toFailure } from '../cli/failure.ts';
import { sanitizeText } from '../cli/show/sanitize.ts';
import { createClient } from '../client/client.ts';
import { findFfmpeg } from '../local/find-ffmpeg.ts';
import { findFonts } from '../local/fonts.ts';
import { formatReproduction, isSame } from './reproduce/format-reproduction.ts';
import { type Recorded, readRecordedJob, readRecordedLog, reproduceJob } from './reproduce/reproduce-job.ts';

const usage = `Makes the files of a job again on this machine, by the commands of its log, and says whether they are the same: byte by
byte, or frame by frame after decoding. Exit code 0: the same; 1: different, or no file could be compared; 2: not possible.

  npm run reproduce -- JOB [--input FILE]... [--attempt N] [--output DIR] [--json]
  npm run reproduce -- --log FILE --input FILE... [--result FILE]... [--attempt N] [--output DIR] [--json]

  JOB             a job of the service at MEDIA_JOBS_URL, read with the key in MEDIA_JOBS_KEY
  --log FILE      a saved log in place of JOB: what "npm run cli -- log JOB --json" prints
  --input FILE    an input of the job, found by its hash (default: downloaded from the URL in the job's request)
  --result FILE   a file of the job to compare with, under the name in the log (with --log)
  --attempt N     an attempt of the job (default: the last)
  --output DIR    keeps the files that were made
  --json          prints the result as JSON

FFMPEG_PATH and FFPROBE_PATH choose another ffmpeg. The same version writes the same bytes with any number of CPUs: the log
has the number of threads of each encoder whose frames depend on it.
`;

function readFlags() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      log: { type: 'string' },
      input: { type: 'string', multiple: true, default: [] },
      result: { type: 'string', multiple: true, default: [] },
      attempt: { type: 'string' },
      output: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [jobId, ...others] = positionals;
  const hasOneSource = (jobId === undefined) !== (values.log === undefined);
  if (!values.help && (!hasOneSource || others.length > 0)) {
    throw new Error(`Give either a job or --log.\n\n${usage}`);
  }
  if (values.attempt !== undefined && !/^[1-9]\d*$/.test(values.attempt)) {
    throw new Error(`--attempt is ${values.attempt}; expected a whole number from 1.`);
  }
  return { ...values, jobId };
}

type Flags = ReturnType<typeof readFlags>;

// npm changes to the project's folder; paths are relative to that of the caller.
const locate = (path: string) => resolve(process.env.INIT_CWD ?? '.', path);

function readRecorded({ jobId, log, result, attempt: text }: Flags): Promise<Recorded> {
  const attempt = text === undefined ? undefined : Number(text);
  if (log !== undefined) return readRecordedLog(locate(log), { results: result.map(locate), attempt });
  const { baseUrl, credential } = readServiceAccess(process.env);
  return readRecordedJob(createClient({ baseUrl, apiKey: credential }), jobId ?? '', attempt);
}

async function reproduce(flags: Flags): Promise<boolean> {
  const { input, output, json } = flags;
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = findFfmpeg(process.env);
  const reproduction = await reproduceJob(await readRecorded(flags), {
    encoder: ffmpegEncoder({ ffmpegPath, ffprobePath }),
    fontsDirectory: findFonts(),
    inputs: input.map(locate),
    output: output && locate(output),
    note: (line) => console.error(sanitizeText(line)),
  });
  console.log(json ? JSON.stringify(reproduction, null, 2) : sanitizeText(formatReproduction(reproduction)));
  return isSame(reproduction);
}

try {
  const flags = readFlags();
  if (flags.help) console.log(usage);
  else process.exitCode = (await reproduce(flags)) ? 0 : 1;
} catch (error) {
  const { message, hint } = toFailure(error);
  const isOwn = error instanceof Error && error.constructor === Error;
  console.error(sanitizeText([isOwn ? error.message : message, hint].filter(Boolean).join('\n')));
  process.exitCode = 2;
}
