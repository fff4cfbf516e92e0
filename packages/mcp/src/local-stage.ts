import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type LocalStage = { baseUrl: string; apiKey: string; stop: () => void };

/**
 * Starts the service on this machine by a command that prints one JSON line when it is ready, as `media-jobs start --json` does.
 * Its messages go to standard error: standard output belongs to the protocol.
 * @throws Error if the command ends before
 */
export async function startLocalStage([command = '', ...args]: readonly string[]): Promise<LocalStage> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => void child.kill('SIGTERM');
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`"${[command, ...args].join(' ')}" ended with ${code} before the service was ready.`)),
    );
  });
  failed.catch(() => undefined);
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const { ready: isReady, baseUrl, apiKey } = JSON.parse(line.startsWith('{') ? line : '{}');
      if (isReady) return { baseUrl, apiKey, stop };
    }
    return failed;
  })();
  return Promise.race([ready, failed]);
}
