/**
 * Separates `--build` from the other options of a command.
 *
 * @throws Error for another place than `local` and `remote`
 */
export function splitBuild(args: readonly string[]): { build: string; options: string[] } {
  const at = args.findIndex((arg) => arg === '--build' || arg.startsWith('--build='));
  if (at === -1) return { build: 'local', options: [...args] };
  const isJoined = args[at] !== '--build';
  const build = isJoined ? args[at]?.slice('--build='.length) : args[at + 1];
  if (build !== 'local' && build !== 'remote') throw new Error(`--build is ${build}; expected local or remote.`);
  return { build, options: args.filter((_, index) => index !== at && (isJoined || index !== at + 1)) };
}
