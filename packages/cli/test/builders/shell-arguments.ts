import { execFileSync } from 'node:child_process';

/** The arguments that a shell parses from a command line, without the program name. */
export function shellArguments(commandLine: string): string[] {
  const script = commandLine.replace('media-jobs submit', 'printf "%s\\n"').replace(' \\\n  --wait', '');
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n').slice(0, -1);
}
