import type { DemoHost } from '@media-jobs/cli/demo';
import { hiddenCause, type Log } from '@media-jobs/local-stage';
import { bareFfmpegSeconds, findFfmpeg } from '@media-jobs/video/local-programs';
import { synthesize } from '../build/synthesize.ts';
import { firstApiKey } from './first-key.ts';
import { makeClip } from './sample-clip.ts';
import { signingSecret } from './stage-table.ts';
import { startLocalStage } from './start-stage.ts';

type Line = (line: string) => void;

/**
 * The local stage and the ffmpeg of this machine.
 *
 * @param assembly the assembly to run; undefined synthesizes the stage `local`
 */
export function demoHost({ assembly, log }: { assembly: string | undefined; log: Line }): DemoHost {
  return {
    async startStage(dataDirectory) {
      const assemblyDirectory = assembly ?? (await synthesizedAssembly(log));
      const stage = await startLocalStage({
        ...{ assemblyDirectory, dataDirectory, port: 0, log: hiddenCauses(log) },
      });
      const { baseUrl, stop } = stage;
      return {
        ...{ baseUrl, stop },
        apiKey: await firstApiKey(stage, dataDirectory),
        signingSecret: await signingSecret(stage),
      };
    },
    makeClip: (path, seconds) => makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds }),
    ffmpegSeconds: (path, recipe) =>
      bareFfmpegSeconds({ files: { inputs: [path] }, recipe, format: 'mp4', environment: process.env }),
  };
}

/** Shows each cause once: what a job says of an error of the service does not tell its operator what to correct. */
function hiddenCauses(log: Line): Log {
  const shown = new Set<string>();
  return (source, line) => {
    const cause = hiddenCause(source, line);
    if (cause === undefined || shown.has(cause)) return;
    shown.add(cause);
    log(`\n[${source}] ${cause}`);
  };
}

async function synthesizedAssembly(log: Line): Promise<string> {
  log('Synthesizing the deployment template (about 20 s the first time)');
  return (await synthesize({ stage: 'local' })).assemblyDirectory;
}
