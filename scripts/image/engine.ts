import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type Build,
  buildArguments,
  type EngineName,
  engineNames,
  runArguments,
  type StartOptions,
  sizeQueries,
} from './command-lines.ts';

const run = promisify(execFile);

export type Engine = {
  name: EngineName;
  /** Builds an image and shows the engine's output. */
  build(build: Build): Promise<void>;
  /** Size of an image as the engine reports it, such as `578 MB`. */
  size(tag: string): Promise<string>;
  /** Opens an environment that runs commands in the image. */
  open(tag: string): Promise<Container>;
};

export type Container = {
  start(command: readonly string[], options?: StartOptions): ChildProcess;
  close(): Promise<void>;
};

/** Arguments that succeed if the engine is usable: for docker, if its daemon runs. */
const availabilityCheck: Record<EngineName, string[]> = {
  docker: ['version', '--format', '{{.Server.Version}}'],
  podman: ['info', '--format', '{{.Version.Version}}'],
  buildah: ['--version'],
};

/** Inside a container, buildah can neither mount overlays nor start containers. */
const environmentOf: Record<EngineName, Record<string, string>> = {
  docker: {},
  podman: {},
  buildah: { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' },
};

/**
 * Finds a usable engine.
 *
 * @throws Error if there is none
 */
export async function findEngine(wanted?: string): Promise<Engine> {
  const names = engineNames.filter((name) => wanted === undefined || name === wanted);
  for (const name of names) {
    const isAvailable = await run(name, availabilityCheck[name]).then(
      () => true,
      () => false,
    );
    if (isAvailable) return engine(name);
  }
  throw new Error(
    `No container engine is available (tried ${names.join(', ') || `"${wanted}"`}). Start Docker or install buildah.`,
  );
}

function engine(name: EngineName): Engine {
  const env = { ...environmentOf[name], ...process.env };
  const query = async (args: string[]) => (await run(name, args, { env })).stdout.trim();
  const start = (image: string): Container['start'] => {
    return (command, options) =>
      // In its own process group, so that one signal reaches all of its children.
      spawn(name, runArguments(name, { ...options, image, command }), { env, detached: true });
  };
  return {
    name,
    async build(build) {
      const child = spawn(name, buildArguments(name, build), {
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      if (code !== 0) throw new Error(`${name} exited with code ${code}; see its output above.`);
    },
    size: async (tag) => sizeQueries[name].parse(await query(sizeQueries[name].arguments(tag))),
    async open(tag) {
      if (name !== 'buildah') return { start: start(tag), close: async () => {} };
      const container = await query(['from', '--pull-never', tag]);
      return {
        start: start(container),
        close: async () => {
          await query(['rm', container]);
        },
      };
    },
  };
}
